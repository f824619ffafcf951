//! Routes as text, a line for each hop.
//!
//! ```text
//! 5 0 2              # at router 5, packets for router 0 take port 2, and the channels of their layer
//! 5 0 in 3 1 0,2     # but those that came in by port 3 take port 1, channel 0 or 2
//! layer 5 0 1        # packets from router 5 to router 0 have layer 1
//! ```
//!
//! In a grid ports are `x+`, `x-`, `y+` and so on, and an input port has the direction of travel.

use super::{Hop, MOST_LAYERS, Routes, all_ends};
use crate::graph::Network;
use std::fmt::Write;
use tailback_base::lines::{self, Faults, and_more};
use tailback_base::text;

/// The first line of a file that an engine wrote. Output goes by it.
const HEAD: &str = "# routes: router destination [in PORT] port [channels]; layer source destination number\n";

/// A line.
enum Fact {
    Hop(u32, u32, Option<u8>, Hop),
    Layer(u32, u32, u8),
}

impl Routes {
    /// Reads a table for a network with `channels` virtual channels.
    ///
    /// # Errors
    /// What is wrong with which lines, or with the routes.
    pub fn parse(text: &str, network: &Network, channels: u32) -> Result<Routes, String> {
        let mut routes = Routes::new(network.routers());
        let mut layers = Vec::new();
        let mut faults = Faults::default();
        for (number, words) in lines::words(text) {
            let taken = fact(&words, network, channels).and_then(|fact| match fact {
                Fact::Hop(router, destination, None, hop) => routes.take(router, destination, hop),
                Fact::Hop(router, destination, Some(input), hop) => {
                    routes.take_input((destination, router, input), hop);
                    Ok(())
                }
                Fact::Layer(source, destination, layer) => routes.put(source, destination, layer, &mut layers),
            });
            if let Err(message) = taken {
                faults.add(number, &message);
            }
        }
        faults.result()?;
        routes.sort()?;
        routes.has_ways(network)?;
        routes.follow(network)?;
        if routes.layers > channels {
            return Err(format!(
                "the table has {} layers, and each needs a virtual channel of its own; there are {channels}",
                routes.layers
            ));
        }
        Ok(routes)
    }

    /// Gives a pair its layer. `listed` has a mark for pairs that have one.
    fn put(&mut self, source: u32, destination: u32, layer: u8, listed: &mut Vec<bool>) -> Result<(), String> {
        let at = self.at(source, destination);
        self.layer.resize(self.next.len(), 0);
        listed.resize(self.next.len(), false);
        if std::mem::replace(&mut listed[at], true) {
            return Err(format!("packets from router {source} to {destination} have a layer already"));
        }
        self.layer[at] = layer;
        self.layers = self.layers.max(u32::from(layer) + 1);
        Ok(())
    }

    /// Whether every router that packets start at has a way to every other one.
    fn has_ways(&self, network: &Network) -> Result<(), String> {
        let ends = all_ends(network);
        let pairs = || ends.iter().flat_map(|&to| ends.iter().map(move |&at| (at, to))).filter(|(at, to)| at != to);
        let mut missing = pairs().filter(|&(router, destination)| self.hop(router, None, destination).is_none());
        let Some((router, destination)) = missing.next() else { return Ok(()) };
        Err(format!("router {router} has no way to {destination}{}", and_more(missing.count())))
    }

    /// The text that [`Routes::parse`] reads.
    pub fn text(&self, network: &Network) -> String {
        let mut text = HEAD.to_owned();
        let port = |port: u8| port_word(network, port);
        let mut by_input = self.by_input.iter().peekable();
        for destination in 0..self.routers {
            for router in 0..self.routers {
                let hop = self.next[self.at(router, destination)];
                if !hop.is_missing() {
                    let _ = writeln!(text, "{router} {destination} {}{}", port(hop.port), channel_words(hop.channels));
                }
                while let Some(((_, _, input), hop)) =
                    by_input.next_if(|entry| (entry.0.0, entry.0.1) == (destination, router))
                {
                    let _ = writeln!(
                        text,
                        "{router} {destination} in {} {}{}",
                        port(*input),
                        port(hop.port),
                        channel_words(hop.channels)
                    );
                }
            }
        }
        for destination in 0..self.routers {
            for source in 0..self.routers {
                let layer = self.layer(source, destination);
                if layer > 0 {
                    let _ = writeln!(text, "layer {source} {destination} {layer}");
                }
            }
        }
        text
    }
}

/// What a line says.
fn fact(words: &[&str], network: &Network, channels: u32) -> Result<Fact, String> {
    let (from, to, input, by, some) = match *words {
        ["layer", from, to, layer] => {
            let (source, destination) = different(from, to, network)?;
            return Ok(Fact::Layer(source, destination, layer_number(layer)?));
        }
        [from, to, "in", input, by] => (from, to, Some(input), by, None),
        [from, to, "in", input, by, some] => (from, to, Some(input), by, Some(some)),
        [from, to, by] => (from, to, None, by, None),
        [from, to, by, some] => (from, to, None, by, Some(some)),
        _ => {
            return Err("a line holds a router, a destination, perhaps `in` and an input port, a port and perhaps channels; or \
                        `layer`, a source, a destination and a number"
                .to_owned());
        }
    };
    let (router, destination) = different(from, to, network)?;
    let input = input.map(|word| input_port(word, network, router)).transpose()?;
    let port = port(by, network, router)?;
    let channels = some.map_or(Ok(0), |some| members(some, channels))?;
    Ok(Fact::Hop(router, destination, input, Hop::new(port, channels)))
}

fn different(from: &str, to: &str, network: &Network) -> Result<(u32, u32), String> {
    let (router, destination) = (self::router(from, network)?, self::router(to, network)?);
    if router == destination {
        return Err(format!("router {router} is the destination: its packets are consumed there"));
    }
    Ok((router, destination))
}

fn layer_number(word: &str) -> Result<u8, String> {
    match word.parse::<u32>() {
        Ok(layer) if layer < MOST_LAYERS => Ok(layer as u8),
        Ok(layer) => Err(format!("layer {layer} is too high: the last one may be {}", MOST_LAYERS - 1)),
        Err(_) => Err(format!("`{}` is not a layer", text::word(word))),
    }
}

fn router(word: &str, network: &Network) -> Result<u32, String> {
    match word.parse::<u32>() {
        Ok(router) if (router as usize) < network.routers() => Ok(router),
        Ok(router) => Err(format!("router {router} does not exist: the last one is {}", network.routers() - 1)),
        Err(_) => Err(format!("`{}` is not a router's number", text::word(word))),
    }
}

/// An output port with a link.
fn port(word: &str, network: &Network, router: u32) -> Result<u8, String> {
    let port = named(word, network, router)?;
    if network.peer(router, usize::from(port)).is_some() {
        return Ok(port);
    }
    Err(match network.grid() {
        Some(_) => format!("router {router} has no link {word}: it is at the edge of the mesh"),
        None => format!("port {port} of router {router} leads nowhere"),
    })
}

/// An input port with a link: in a grid the one that the output port of the same name at the router before feeds.
fn input_port(word: &str, network: &Network, router: u32) -> Result<u8, String> {
    let port = named(word, network, router)?;
    if network.behind(router, usize::from(port)).is_some() {
        return Ok(port);
    }
    Err(format!("no link comes in by port {} of router {router}", text::word(word)))
}

fn named(word: &str, network: &Network, router: u32) -> Result<u8, String> {
    let Some(grid) = network.grid() else {
        let ports = network.ports(router);
        return match word.parse::<usize>() {
            Ok(port) if port < ports => Ok(port as u8),
            Ok(port) => Err(format!("router {router} has no port {port}: it has {ports} ports to other routers")),
            Err(_) => Err(format!("`{}` is not the number of a port", text::word(word))),
        };
    };
    let wrong = || format!("`{}` is not a port: they are x+, x-, y+, y- and so on", text::word(word));
    let (axis, down) = match (word.strip_suffix('+'), word.strip_suffix('-')) {
        (Some(axis), _) => (axis, 0),
        (_, Some(axis)) => (axis, 1),
        _ => return Err(wrong()),
    };
    let letter = AXES.iter().position(|&name| name == axis);
    let number = || axis.strip_prefix('d')?.parse::<usize>().ok().filter(|&d| d >= AXES.len());
    let dimension = letter.or_else(number).ok_or_else(wrong)?;
    if dimension >= grid.dimensions() {
        return Err(format!("there is no port {}: the network has {} dimensions", text::word(word), grid.dimensions()));
    }
    Ok((2 * dimension + down) as u8)
}

/// Dimensions with a letter.
const AXES: [&str; 3] = ["x", "y", "z"];

fn port_word(network: &Network, port: u8) -> String {
    if network.grid().is_none() {
        return port.to_string();
    }
    let (dimension, sign) = (usize::from(port / 2), if port.is_multiple_of(2) { '+' } else { '-' });
    AXES.get(dimension).map_or_else(|| format!("d{dimension}{sign}"), |axis| format!("{axis}{sign}"))
}

/// The mask of `0,2`.
fn members(word: &str, channels: u32) -> Result<u16, String> {
    let one = |word: &str| match word.parse::<u32>() {
        Ok(channel) if channel < channels => Ok(1 << channel),
        Ok(channel) => Err(format!("there is no virtual channel {channel}: the last one is {}", channels - 1)),
        Err(_) => Err(format!("`{}` is not a virtual channel", text::word(word))),
    };
    word.split(',').map(one).try_fold(0, |mask, channel| Ok(mask | channel?))
}

fn channel_words(mask: u16) -> String {
    let list: Vec<String> =
        (0..16).filter(|channel| mask >> channel & 1 == 1).map(|channel| channel.to_string()).collect();
    if list.is_empty() { String::new() } else { format!(" {}", list.join(",")) }
}
