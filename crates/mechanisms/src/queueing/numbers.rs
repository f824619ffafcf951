//! The queues of a side by number, where ordinary queues and set-aside ones exchange numbers, and how full they are.

/// Whose a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// An output port's, or the side's only ordinary one (0).
    Port(u8),
    /// A line's.
    Line(usize),
}

/// Numbers and levels.
#[derive(Clone, Debug)]
pub struct Numbers {
    of_port: Box<[u8]>,
    of_line: Box<[u8]>,
    owners: Box<[u8]>,
    levels: Box<[u32]>,
    /// Queues that belong to lines.
    aside: u64,
}

impl Numbers {
    /// Ordinary queues come first; together at most 64.
    pub fn new(ports: u8, lines: u8) -> Self {
        Numbers {
            of_port: (0..ports).collect(),
            of_line: (ports..ports + lines).collect(),
            owners: (0..ports).chain(0..lines).collect(),
            levels: vec![0; usize::from(ports + lines)].into(),
            aside: (u64::MAX >> (64 - u32::from(lines))) << ports,
        }
    }

    /// The number of queues.
    #[inline]
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// The number of lines.
    #[inline]
    pub fn lines(&self) -> usize {
        self.of_line.len()
    }

    /// The ordinary queue of a port.
    #[inline]
    pub fn of_port(&self, port: u8) -> usize {
        usize::from(self.of_port[usize::from(port)])
    }

    /// The queue of a line.
    #[inline]
    pub fn of_line(&self, line: usize) -> usize {
        usize::from(self.of_line[line])
    }

    /// Queues that belong to lines, in use or not.
    #[inline]
    pub fn aside(&self) -> u64 {
        self.aside
    }

    /// Whose a queue is.
    #[inline]
    pub fn owner(&self, queue: usize) -> Owner {
        let owner = self.owners[queue];
        if self.aside >> queue & 1 == 1 { Owner::Line(usize::from(owner)) } else { Owner::Port(owner) }
    }

    /// Packets in a queue.
    #[inline]
    pub fn level(&self, queue: usize) -> u32 {
        self.levels[queue]
    }

    /// Says how many packets are in a queue.
    #[inline]
    pub fn set_level(&mut self, queue: usize, packets: u32) {
        self.levels[queue] = packets;
    }

    /// A port and a line exchange their queues.
    pub fn swap(&mut self, port: u8, line: usize) {
        let (ordinary, aside) = (self.of_port(port), self.of_line(line));
        self.of_port[usize::from(port)] = aside as u8;
        self.of_line[line] = ordinary as u8;
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
        assert_eq!((numbers.count(), numbers.lines(), numbers.aside()), (8, 3, 0b1110_0000));
        numbers.set_level(2, 7);
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (6, 2, 0b1010_0100));
        assert_eq!((numbers.owner(6), numbers.owner(2)), (Owner::Port(2), Owner::Line(1)));
        assert_eq!((numbers.level(2), numbers.level(6)), (7, 0), "packets stay where they are");
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (2, 6, 0b1110_0000));
    }

    #[test]
    fn all_64() {
        assert_eq!(Numbers::new(32, 32).aside(), u64::MAX << 32);
        assert_eq!(Numbers::new(1, 32).aside(), 0x1_ffff_fffe);
    }
}
