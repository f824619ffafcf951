//! The queues of a side by number, where ordinary queues and set-aside ones exchange numbers.

/// Whose a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// An output port's, or the side's only ordinary one (0).
    Port(u8),
    /// A line's.
    Line(usize),
}

/// Numbers.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// By port, then by line, the queue; then by queue, whose it is.
    all: Box<[u8]>,
    ports: u8,
    lines: u8,
    /// Queues that belong to lines.
    aside: u64,
}

impl Numbers {
    /// Ordinary queues come first; together at most 64.
    pub fn new(ports: u8, lines: u8) -> Self {
        Numbers {
            all: (0..ports + lines).chain(0..ports).chain(0..lines).collect(),
            ports,
            lines,
            aside: (u64::MAX >> (64 - u32::from(lines))) << ports,
        }
    }

    /// The number of queues.
    #[inline]
    pub fn count(&self) -> usize {
        usize::from(self.ports + self.lines)
    }

    /// The number of lines.
    #[inline]
    pub fn lines(&self) -> usize {
        usize::from(self.lines)
    }

    /// The ordinary queue of a port.
    #[inline]
    pub fn of_port(&self, port: u8) -> usize {
        usize::from(self.all[usize::from(port)])
    }

    /// The queue of a line.
    #[inline]
    pub fn of_line(&self, line: usize) -> usize {
        usize::from(self.all[usize::from(self.ports) + line])
    }

    /// Queues that belong to lines, in use or not.
    #[inline]
    pub fn aside(&self) -> u64 {
        self.aside
    }

    /// Whose a queue is.
    #[inline]
    pub fn owner(&self, queue: usize) -> Owner {
        let owner = self.all[self.count() + queue];
        if self.aside >> queue & 1 == 1 { Owner::Line(usize::from(owner)) } else { Owner::Port(owner) }
    }

    /// A port and a line exchange their queues.
    pub fn swap(&mut self, port: u8, line: usize) {
        let (ordinary, aside) = (self.of_port(port), self.of_line(line));
        self.all.swap(usize::from(port), usize::from(self.ports) + line);
        self.all.swap(self.count() + ordinary, self.count() + aside);
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
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (6, 2, 0b1010_0100));
        assert_eq!((numbers.owner(6), numbers.owner(2)), (Owner::Port(2), Owner::Line(1)));
        numbers.swap(2, 1);
        assert_eq!((numbers.of_port(2), numbers.of_line(1), numbers.aside()), (2, 6, 0b1110_0000));
        assert_eq!((numbers.owner(6), numbers.owner(2)), (Owner::Line(1), Owner::Port(2)));
    }

    #[test]
    fn all_64() {
        assert_eq!(Numbers::new(32, 32).aside(), u64::MAX << 32);
        assert_eq!(Numbers::new(1, 32).aside(), 0x1_ffff_fffe);
    }
}
