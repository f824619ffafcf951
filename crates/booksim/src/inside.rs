//! The keys that simulators add which have BookSim inside: GPGPU-Sim, Accel-Sim, ONNXim, PyTorchSim. They say how the simulator hands packets
//! to the network, so they are for whoever opens a network for such a simulator, and are refused elsewhere.

use crate::config::{Config, Unknown};
use crate::fault::{Fault, Place};
use crate::grammar::{Assignment, Value, parse};
use crate::list;
use std::borrow::Cow;

/// The largest buffer, and the largest flit \[flits, bytes\].
const MOST: i32 = 1 << 20;

/// Networks side by side, at most.
const MOST_SUBNETS: i32 = 16;

/// What the simulator around it wants of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// Bytes of a flit.
    pub flit_size: u32,
    /// Networks side by side, alike.
    pub subnets: u32,
    /// Flits that a node holds at most which have not left it.
    pub input_buffer_size: u32,
    /// Flits of each channel between the network and the boundary; 0: as many as `vc_buf_size` says.
    pub ejection_buffer_size: u32,
    /// Flits of each channel between the clocks of the network and of the node.
    pub boundary_buffer_size: u32,
    /// Whether memories have places of their own.
    pub use_map: bool,
    /// The places of memories; empty where a preset says them.
    pub memory_node_map: Vec<u32>,
    /// Where `use_map` or the map is set.
    place: Option<Place>,
}

impl Default for Inside {
    fn default() -> Self {
        Inside {
            flit_size: 32,
            subnets: 1,
            input_buffer_size: 9,
            ejection_buffer_size: 0,
            boundary_buffer_size: 16,
            use_map: true,
            memory_node_map: Vec::new(),
            place: None,
        }
    }
}

/// Cores and memories with the places of the memories, where `memory_node_map` does not say them.
const PRESETS: &[(u32, &[u32])] = &[
    (8, &[1, 3, 4, 6, 9, 11, 12, 14]),
    (28, &[3, 7, 10, 12, 23, 25, 28, 32]),
    (56, &[3, 15, 17, 29, 36, 47, 49, 61]),
    (110, &[12, 20, 25, 28, 57, 60, 63, 92, 95, 100, 108]),
];

/// Keys that such simulators no longer read.
const UNREAD: &[&str] = &[
    "network_count",
    "output_extra_latency",
    "enable_link_stats",
    "MATLAB_OUTPUT",
    "DISPLAY_LAT_DIST",
    "DISPLAY_HOP_DIST",
    "DISPLAY_PAIR_LATENCY",
    "perfect_icnt",
    "fixed_lat_per_hop",
    "header_size",
];

impl Inside {
    /// Reads texts in order, files before arguments: `(name, text)`. Besides BookSim's grammar a text may be in sections, `[config]`, with a
    /// `key = value` on each line.
    ///
    /// # Errors
    /// Everything that is wrong, with places.
    pub fn read<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<(Config, Inside), Vec<Fault>> {
        let (mut inside, mut faults, mut rest) = (Inside::default(), Vec::new(), Vec::new());
        for (name, text) in texts {
            match parse(name, &plain(text)) {
                Ok(assignments) => assignments.into_iter().for_each(|one| match inside.takes(&one) {
                    None => rest.push(one),
                    Some(ended) => faults.extend(ended.err()),
                }),
                Err(fault) => faults.push(fault),
            }
        }
        match Config::of(rest, Unknown::Refused) {
            Ok(config) if faults.is_empty() => Ok((config, inside)),
            Ok(_) => Err(faults),
            Err(more) => Err(faults.into_iter().chain(more).collect()),
        }
    }

    /// Takes a key that is one of these; `None` for any other.
    fn takes(&mut self, one: &Assignment) -> Option<Result<(), Fault>> {
        let Assignment { key, value, place } = one;
        match (key.as_str(), value) {
            // What drives the network is the simulator.
            ("sim_type", Value::Text(text)) if text == "gpgpusim" => return Some(Ok(())),
            (key, _) if UNREAD.contains(&key) => return Some(Ok(())),
            ("memory_node_map", value) => {
                self.place = Some(place.clone());
                return Some(self.map(value).map_err(|why| Fault::at(place.clone(), why)));
            }
            _ => {}
        }
        let (least, most) = match key.as_str() {
            "flit_size" | "boundary_buffer_size" => (1, MOST),
            "input_buffer_size" | "ejection_buffer_size" => (0, MOST),
            "subnets" => (1, MOST_SUBNETS),
            "use_map" => (0, i32::MAX),
            _ => return None,
        };
        let number = match value {
            Value::Integer(number) if (least..=most).contains(number) => *number as u32,
            _ => {
                let message = format!("`{key}` is a whole number from {least} to {most}, not `{value}`");
                return Some(Err(Fault::at(place.clone(), message)));
            }
        };
        match key.as_str() {
            "flit_size" => self.flit_size = number,
            "boundary_buffer_size" => self.boundary_buffer_size = number,
            "input_buffer_size" => self.input_buffer_size = if number == 0 { 9 } else { number },
            "ejection_buffer_size" => self.ejection_buffer_size = number,
            "subnets" => self.subnets = number,
            _ => (self.use_map, self.place) = (number != 0, Some(place.clone())),
        }
        Some(Ok(()))
    }

    fn map(&mut self, value: &Value) -> Result<(), String> {
        let text = value.to_string();
        list::check(&text).map_err(|why| format!("`memory_node_map`: {why}"))?;
        let numbers = list::elements(&text).into_iter().map(|element| element.trim().parse::<u32>());
        let numbers: Result<Vec<u32>, _> = numbers.collect();
        self.memory_node_map = numbers.map_err(|_| "`memory_node_map` is a list of nodes, {1,3,4}".to_owned())?;
        Ok(())
    }

    /// Flits that the ejection buffers of all channels of a node hold.
    pub fn ejection_flits(&self, config: &Config) -> u32 {
        let each = match self.ejection_buffer_size {
            0 => config.int("vc_buf_size").max(1) as u32,
            flits => flits,
        };
        each.saturating_mul(config.int("num_vcs").max(1) as u32).min(MOST as u32)
    }

    /// The node of every device, cores before memories, in a network of `nodes` nodes.
    ///
    /// # Errors
    /// Where the devices do not fit into the network, or nobody says where the memories are.
    pub fn places(&self, (cores, memories): (u32, u32), nodes: u32) -> Result<Vec<u32>, Fault> {
        let fault = |message: String| Err(Fault { place: self.place.clone(), message });
        let devices = u64::from(cores) + u64::from(memories);
        if devices > u64::from(nodes) {
            return fault(format!("{cores} cores and {memories} memories do not fit on {nodes} nodes"));
        }
        if !self.use_map {
            return Ok((0..cores + memories).collect());
        }
        let preset = PRESETS.iter().find(|of| (of.0, of.1.len()) == (cores, memories as usize));
        let at = match (&self.memory_node_map[..], preset) {
            ([], Some(preset)) => preset.1,
            ([], None) => {
                return fault(format!(
                    "use_map = 1 has no map of {cores} cores and {memories} memories; set memory_node_map, or use_map = 0"
                ));
            }
            (map, _) => map,
        };
        let mut taken = vec![false; nodes as usize];
        let apart = at.iter().all(|&node| node < nodes && !std::mem::replace(&mut taken[node as usize], true));
        if at.len() != memories as usize || !apart {
            return fault(format!(
                "memory_node_map names {memories} different nodes below {nodes}, one for each memory"
            ));
        }
        let free = (0..nodes).filter(|&node| !taken[node as usize]).take(cores as usize);
        Ok(free.chain(at.iter().copied()).collect())
    }
}

/// A text in sections in BookSim's grammar, line by line.
fn plain(text: &str) -> Cow<'_, str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    if !lines.next().is_some_and(|line| line.starts_with('[') && line.ends_with(']')) {
        return text.into();
    }
    let line = |line: &str| match line.trim() {
        "" => "\n".to_owned(),
        of if of.starts_with(['[', '#', ';']) => "\n".to_owned(),
        of if of.ends_with(';') => format!("{line}\n"),
        _ => format!("{line};\n"),
    };
    text.lines().map(line).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Inside {
        Inside::read([("f", text)]).unwrap().1
    }

    fn faults(text: &str) -> String {
        let faults = Inside::read([("f", text)]).unwrap_err();
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_keys_of_the_simulator_are_taken_and_the_others_go_on() {
        let text = "use_map = 0; flit_size = 40; network_count = 2; topology = fly; k = 27; n = 1;\n\
                    input_buffer_size = 256; ejection_buffer_size = 64; boundary_buffer_size = 64;\n\
                    sim_type = gpgpusim; subnets = 2;";
        let (config, of) = Inside::read([("f", text)]).unwrap();
        assert_eq!((of.flit_size, of.subnets, of.use_map), (40, 2, false));
        assert_eq!((of.input_buffer_size, of.ejection_buffer_size, of.boundary_buffer_size), (256, 64, 64));
        assert_eq!((config.text("topology"), config.int("k"), config.is_set("sim_type")), ("fly", 27, false));
        assert_eq!((of.ejection_flits(&config), inside("k = 4;").ejection_flits(&config)), (1024, 128));
        assert_eq!(inside("input_buffer_size = 0; k = 4;").input_buffer_size, 9);
    }

    #[test]
    fn a_text_may_be_in_sections() {
        let text =
            "# a network\n[config]\nflit_size = 64\ntopology = fly\nk = 20\n\nn = 1\nrouting_function = dest_tag";
        let (config, of) = Inside::read([("f", text)]).unwrap();
        assert_eq!((of.flit_size, config.int("k"), config.text("routing_function")), (64, 20, "dest_tag"));
        assert!(faults("[config]\nk = 4\nflit_size = x\n").starts_with("f:3:1: `flit_size` is a whole number"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert!(faults("k = 4;\nboundary_buffer_size = 0;").starts_with("f:2:1: `boundary_buffer_size` is a whole"));
        assert!(faults("subnets = 99;").contains("from 1 to 16"));
        assert!(faults("memory_node_map = {1,x};").contains("a list of nodes"));
        assert!(faults("synfull = 1; flit_size = 0;").contains("MEEPproject") && faults("k 4;").contains("expected"));
    }

    #[test]
    fn memories_are_where_the_map_says() {
        let eight = Inside::default().places((8, 8), 16).unwrap();
        assert_eq!(eight[..8], [0, 2, 5, 7, 8, 10, 13, 15]);
        assert_eq!(eight[8..], [1, 3, 4, 6, 9, 11, 12, 14]);
        let own = inside("memory_node_map = {3,0}; k = 4;");
        assert_eq!(own.places((2, 2), 4).unwrap(), [1, 2, 3, 0]);
        assert_eq!(inside("use_map = 0; k = 4;").places((2, 1), 4).unwrap(), [0, 1, 2]);
        for (text, devices) in [
            ("memory_node_map = {3,3}; k = 4;", (2, 2)),
            ("memory_node_map = {3,4}; k = 4;", (2, 2)),
            ("memory_node_map = {3}; k = 4;", (2, 2)),
            ("use_map = 1; k = 4;", (2, 2)),
            ("use_map = 0; k = 4;", (4, 1)),
        ] {
            let fault = inside(text).places(devices, 4).unwrap_err();
            assert!(fault.place.is_some(), "{fault}");
        }
        assert!(PRESETS.iter().all(|of| Inside::default().places((of.0, of.1.len() as u32), 121).is_ok()));
    }
}
