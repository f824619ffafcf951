//! Halo exchange: ranks on a torus of any number of dimensions compute, and then send a face to each neighbour, again and again.
//!
//! In every iteration a rank computes, sends its faces one dimension after the other (up, then down), and receives as many. The next computation
//! waits for all receives. The tag of a message is twice its dimension, plus one where it goes down. A dimension of one rank has no faces.

use crate::contract::{Upon, Work};
use crate::generate::shape::Shape;

/// An exchange of faces.
#[derive(Debug)]
pub(crate) struct Halo {
    /// Ranks of each dimension, the fastest first.
    dimensions: Vec<u32>,
    /// Those dimensions that have faces, each with the distance of neighbours in ranks.
    strides: Vec<(u32, u32)>,
    flits: u32,
    iterations: u32,
    cycles: u64,
}

impl Halo {
    /// Faces of `flits` flits, computations of `cycles` cycles. The product of the dimensions fits.
    pub(crate) fn new(dimensions: Vec<u32>, flits: u32, iterations: u32, cycles: u64) -> Halo {
        let mut stride = 1;
        let mut strides = Vec::new();
        for (dimension, &side) in (0..).zip(&dimensions) {
            if side > 1 {
                strides.push((dimension, stride));
            }
            stride *= side;
        }
        Halo { dimensions, strides, flits, iterations, cycles }
    }

    /// Faces of a rank.
    fn faces(&self) -> u32 {
        2 * self.strides.len() as u32
    }

    /// Operations of an iteration.
    fn each(&self) -> u32 {
        1 + 2 * self.faces()
    }

    /// The neighbour behind a face: even faces lie up, odd ones down.
    fn neighbour(&self, rank: u32, face: u32) -> u32 {
        let (dimension, stride) = self.strides[face as usize / 2];
        let side = self.dimensions[dimension as usize];
        let place = rank / stride % side;
        let there = if face.is_multiple_of(2) { (place + 1) % side } else { (place + side - 1) % side };
        rank - place * stride + there * stride
    }

    fn tag(&self, face: u32) -> u32 {
        2 * self.strides[face as usize / 2].0 + face % 2
    }
}

impl Shape for Halo {
    fn ranks(&self) -> u32 {
        self.dimensions.iter().product()
    }

    fn operations(&self, _: u32) -> u64 {
        u64::from(self.iterations) * u64::from(self.each())
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        let faces = self.faces();
        match number % self.each() {
            0 => Work::Compute { cycles: self.cycles, on: 0 },
            at if at <= faces => {
                Work::Send { to: self.neighbour(rank, at - 1), flits: self.flits, tag: self.tag(at - 1) }
            }
            at => {
                // What comes in through a face was sent through the opposite one.
                let face = at - 1 - faces;
                let from = Some(self.neighbour(rank, face));
                Work::Receive { from, tag: Some(self.tag(face ^ 1)), flits: self.flits }
            }
        }
    }

    fn waits_for(&self, _: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let at = number % self.each();
        if at > 0 {
            each(number - at, Upon::Finish);
        } else if number > 0 {
            (number - self.faces()..number).for_each(|receive| each(receive, Upon::Finish));
        }
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let at = number % self.each();
        let next = u64::from(number - at) + u64::from(self.each());
        if at == 0 {
            (number + 1..number + self.each()).for_each(|face| each(face, Upon::Finish));
        } else if at > self.faces() && next < self.operations(rank) {
            each(next as u32, Upon::Finish);
        }
    }

    fn roots(&self, _: u32, each: &mut dyn FnMut(u32)) {
        each(0);
    }

    fn place(&self, _: u32, number: u32) -> String {
        let iteration = number / self.each();
        match number % self.each() {
            0 => format!("the computation of iteration {iteration}"),
            at => {
                let face = (at - 1) % self.faces();
                let way = if face.is_multiple_of(2) { "up" } else { "down" };
                format!("the face {way} dimension {} in iteration {iteration}", self.strides[face as usize / 2].0)
            }
        }
    }

    fn lengths(&self) -> (u32, u32) {
        (self.flits, self.flits)
    }
}
