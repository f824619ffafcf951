//! Recovery: what happens to heads that wait long.

use super::config::Config;
use super::network::Network;

/// What happens to heads that wait long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Nothing.
    Off,
    /// A packet whose head has failed often enough takes the network's token and goes by the recovery lane.
    Disha {
        /// Failures after which a head is taken for deadlocked, at least 1.
        timeout: u32,
        /// How the token gets to a router.
        token: TokenWay,
        /// Buffer of the lane at every link \[flits\], at least 1.
        lane_flits: u32,
    },
}

/// How the token gets to a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenWay {
    /// From router to router, one a cycle.
    Walk,
    /// At once.
    Instant,
}

/// Where the token is at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Free, at this router.
    At(usize),
    /// With a packet.
    Taken,
}

impl Token {
    /// A cycle begins: a free token walks on.
    pub fn step(&mut self, config: &Config, now: u64) {
        if let (Token::At(router), true) = (*self, now > 0) {
            *self = Token::At((router + 1) % config.base.routers());
        }
    }

    /// Whether a packet at `router` can take it.
    fn is_for(self, router: usize, way: TokenWay) -> bool {
        match self {
            Token::Taken => false,
            Token::At(at) => way == TokenWay::Instant || at == router,
        }
    }
}

impl Network<'_> {
    /// Heads in buffers that asked in this cycle for channels of links and got none have failed once more; one may be taken
    /// over.
    pub(super) fn recover(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.config.network_channels() {
                let Some(asked) = self.asking(router, input).filter(|front| !front.in_lane) else { continue };
                let from = self.config.from_link(input);
                if self.config.candidates(router, from, &self.packets[asked.packet]).is_some() {
                    self.fail(router, input);
                }
            }
        }
    }

    fn fail(&mut self, router: usize, input: usize) {
        let front = self.routers[router].inputs[input].front.as_mut().expect("it asked");
        front.failures += 1;
        if let Recovery::Disha { timeout, token, .. } = self.config.recovery
            && front.failures >= timeout
            && self.token.is_for(router, token)
        {
            self.token = Token::Taken;
            front.in_lane = true;
        }
    }
}
