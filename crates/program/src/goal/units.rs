//! Bytes and nanoseconds of files, flits and cycles of programs.

/// How long a flit and a cycle are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Bytes of a flit, at least 1.
    pub bytes_per_flit: u32,
    /// Length of a cycle \[ns\], above 0. Only programs that compute need it.
    pub cycle_ns: Option<f64>,
}

/// Cycles at most: every whole number up to here is a number of 64 bits with a point.
const MOST: f64 = (1_u64 << 53) as f64;

impl Units {
    /// Whether the units can be units.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.bytes_per_flit == 0 {
            return Err("`bytes_per_flit` is 0, and a flit has a byte at least".to_owned());
        }
        match self.cycle_ns {
            Some(cycle) if !(cycle.is_finite() && cycle > 0.0) => {
                Err(format!("`cycle_ns` is {cycle}, and a cycle takes time"))
            }
            _ => Ok(()),
        }
    }

    /// Flits of a message: all that its bytes fill or begin, and one at least.
    pub(super) fn flits(&self, bytes: u64) -> Result<u32, String> {
        let flits = bytes.div_ceil(u64::from(self.bytes_per_flit)).max(1);
        u32::try_from(flits).map_err(|_| {
            format!(
                "a message of {bytes} bytes is {flits} flits long, and {} is the most; raise `bytes_per_flit`",
                u32::MAX
            )
        })
    }

    /// Bytes of a message.
    pub(super) fn bytes(&self, flits: u32) -> u64 {
        u64::from(flits) * u64::from(self.bytes_per_flit)
    }

    /// Cycles of a computation, to the nearest one.
    pub(super) fn cycles(&self, ns: u64) -> Result<u64, String> {
        if ns == 0 {
            return Ok(0);
        }
        let cycle = self.cycle_ns.ok_or_else(|| {
            format!(
                "it computes for {ns} ns, and nobody says how long a cycle is; \
                 give `cycle_ns`, in the spec `clock.cycle_ns`"
            )
        })?;
        let cycles = (ns as f64 / cycle).round();
        match cycles < MOST {
            true => Ok(cycles as u64),
            false => Err(format!("{ns} ns are {cycles:e} cycles, and {MOST:e} is the most")),
        }
    }

    /// Nanoseconds of a computation, to the nearest one.
    pub(super) fn ns(&self, cycles: u64) -> Result<u64, String> {
        if cycles == 0 {
            return Ok(0);
        }
        let cycle = self.cycle_ns.ok_or_else(|| {
            "the program computes, and a file says nanoseconds; say how long a cycle is with `cycle_ns`".to_owned()
        })?;
        let ns = (cycles as f64 * cycle).round();
        match ns < MOST {
            true => Ok(ns as u64),
            false => Err(format!("{cycles} cycles are {ns:e} ns, and {MOST:e} is the most")),
        }
    }
}
