//! A network of a prepared point, whatever its data path.

use crate::prepare::Prepared;
use crate::router::Router;
use tailback_cycle::Simulated;
use tailback_engine::Buffers;
use tailback_engine::{Adaptive, CutThrough, DataPath, InputQueued, Ioq, Wormhole};

/// What is done with a network.
pub(crate) trait Drive<'a> {
    /// What comes of it.
    type Out;

    /// Does it.
    fn drive<D: DataPath + Simulated + Send + 'a>(self, engine: D) -> Self::Out;
}

impl Prepared {
    /// Builds the network in cycle 0 and hands it over.
    pub(crate) fn drive<'a, J: Drive<'a>>(&'a self, buffers: Buffers, job: J) -> J::Out {
        let traffic = &self.traffic;
        match self.router {
            Router::CutThrough(router) => {
                let parts = self.cut_through_parts(&router);
                job.drive(CutThrough::new(&self.network, traffic, router, parts, buffers))
            }
            Router::Wormhole(router) => {
                let parts = self.wormhole_parts(&router);
                job.drive(Wormhole::new(&self.network, traffic, router, parts, buffers))
            }
            Router::Adaptive(router) => {
                let parts = self.adaptive_parts(&router);
                job.drive(Adaptive::new(&self.network, traffic, router, parts, buffers))
            }
            Router::Queued(router) => {
                let parts = self.queued_parts(&router);
                job.drive(Ioq::new(&self.network, traffic, router, parts, buffers))
            }
            Router::InputQueued(router) => {
                let parts = self.input_queued_parts();
                job.drive(InputQueued::new(&self.network, traffic, router, parts, buffers))
            }
        }
    }
}
