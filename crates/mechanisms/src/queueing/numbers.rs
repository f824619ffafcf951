//! The queues of a side by number, where ordinary queues and set-aside ones exchange numbers.

use tailback_base::state::{Unfit, ensure};

/// Whose a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// An output port's, or the side's only ordinary one (0).
    Port(u8),
    /// A line's.
    Line(usize),
}

/// Numbers. PERF: as many as numbers can name, so that every index fits; the first of `queues` are near what comes before.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Numbers {
    /// Queues that belong to lines.
    aside: u64,
    ports: u8,
    lines: u8,
    /// The queue of each port, then of each line.
    queues: [u8; 64],
    /// The owner of each queue.
    owners: [u8; 64],
}

tailback_base::state!([] Numbers { saved: aside, queues, owners; rebuilt: ports, lines; } [fits]);

impl Numbers {
    fn fits(&self) -> Result<(), Unfit> {
        let count = self.count();
        let known = self.queues[..count].iter().all(|&queue| usize::from(queue) < count);
        let owns = |n: usize| {
            let (queue, port) = (usize::from(self.queues[n % 64]), n < usize::from(self.ports));
            let owner = if port { Owner::Port(n as u8) } else { Owner::Line(n - usize::from(self.ports)) };
            self.owner(queue) == owner
        };
        let none = self.aside.unbounded_shr(count as u32) == 0;
        ensure(known && none && (0..count).all(owns), "a queue has a number that there is not, or that of another")
    }

    /// Ordinary queues come first; together at most 64.
    pub fn new(ports: u8, lines: u8) -> Self {
        let (mut queues, mut owners) = ([0; 64], [0; 64]);
        for (queue, owner) in (0..ports).chain(0..lines).enumerate() {
            (queues[queue], owners[queue]) = (queue as u8, owner);
        }
        Numbers { aside: (u64::MAX >> (64 - u32::from(lines))) << ports, ports, lines, queues, owners }
    }

    /// The number of queues.
    #[inline]
    pub fn count(&self) -> usize {
        usize::from(self.ports + self.lines)
    }

    /// Whether there is an ordinary queue for each port, and not one for all.
    #[inline(always)]
    pub fn by_port(&self) -> bool {
        self.ports > 1
    }

    /// The ordinary queue of a port.
    #[inline(always)]
    pub fn of_port(&self, port: u8) -> usize {
        usize::from(self.queues[usize::from(port % 64)])
    }

    /// The queue of a line.
    #[inline(always)]
    pub fn of_line(&self, line: usize) -> usize {
        usize::from(self.queues[(usize::from(self.ports) + line) % 64])
    }

    /// Queues that belong to lines, in use or not.
    #[inline]
    pub fn aside(&self) -> u64 {
        self.aside
    }

    /// Whose a queue is.
    #[inline]
    pub fn owner(&self, queue: usize) -> Owner {
        let owner = self.owners[queue % 64];
        if self.aside >> queue & 1 == 1 { Owner::Line(usize::from(owner)) } else { Owner::Port(owner) }
    }

    /// A port and a line exchange their queues.
    pub fn swap(&mut self, port: u8, line: usize) {
        let (ordinary, aside) = (self.of_port(port), self.of_line(line));
        self.queues.swap(usize::from(port), usize::from(self.ports) + line);
        self.owners.swap(ordinary, aside);
        self.aside ^= 1 << ordinary | 1 << aside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_twice_puts_everything_back() {
        let mut numbers = Numbers::new(5, 3);
        assert_eq!((numbers.count(), numbers.aside()), (8, 0b1110_0000));
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (6, 2, 0b1010_0100));
        assert_eq!((numbers.owner(6), numbers.owner(2)), (Owner::Port(2), Owner::Line(1)));
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (2, 6, 0b1110_0000));
        assert_eq!((numbers.owner(6), numbers.owner(2)), (Owner::Line(1), Owner::Port(2)));
    }

    /// A checkpoint may say anything.
    #[test]
    fn numbers_that_there_are_not_are_refused() {
        let mut swapped = Numbers::new(3, 2);
        swapped.swap(2, 1);
        assert!(swapped.fits().is_ok() && Numbers::new(32, 32).fits().is_ok());
        for beyond in [Numbers { queues: [5; 64], ..swapped.clone() }, Numbers { owners: [5; 64], ..swapped.clone() }] {
            assert!(beyond.fits().is_err());
        }
        assert!(Numbers { queues: [4; 64], ..swapped.clone() }.fits().is_err(), "queue 4 is one line's");
        assert!(Numbers { aside: swapped.aside | 1 << 5, ..swapped }.fits().is_err(), "there are five queues");
    }

    #[test]
    fn all_64() {
        assert_eq!(Numbers::new(32, 32).aside(), u64::MAX << 32);
        assert_eq!(Numbers::new(1, 32).aside(), 0x1_ffff_fffe);
    }
}
