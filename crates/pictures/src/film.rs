//! The network's map over time: a heat map of the mean, which carries every frame for a page to play.

use crate::heat_map::{HeatMap, HeatMapError, Values};
use crate::numbers::palette;
use base64::Engine as _;
use serde_json::json;

/// More values than these, frames times routers, and frames are merged by twos until they are fewer.
const MOST: usize = 1 << 20;

/// A value for every router in each of a row of windows of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Printed above; empty for none.
    pub title: String,
    /// What the values are, e.g. `Load`.
    pub label: String,
    /// Their unit, e.g. `flits/cycle`; empty for none.
    pub unit: String,
    /// Routers from left to right.
    pub columns: usize,
    /// Routers from bottom to top.
    pub rows: usize,
    /// First cycle of the first frame.
    pub from: f64,
    /// Cycles of a frame.
    pub every: f64,
    /// Values, `columns * rows` of them a frame; row 0 is at the bottom. At least one frame.
    pub frames: Vec<Vec<f64>>,
}

impl Film {
    /// The mean over all frames as a map; its `<metadata>` holds the frames, quantised to 255 steps of the largest value.
    ///
    /// # Errors
    /// Values that do not fit the network; no frames.
    pub fn svg(&self) -> Result<String, HeatMapError> {
        let routers = self.columns * self.rows;
        let bad = self.frames.iter().map(Vec::len).find(|&found| found != routers);
        if let Some(found) = bad.or(self.frames.is_empty().then_some(0)) {
            return Err(HeatMapError::Count { found, columns: self.columns, rows: self.rows });
        }
        let film = self.clone().shortened();
        let high = film.frames.iter().flatten().copied().fold(0.0, f64::max);
        let high = if high > 0.0 { high } else { 1.0 };
        let level = |value: &f64| (value / high * 255.0).round() as u8;
        let frame = |frame: &Vec<f64>| {
            base64::engine::general_purpose::STANDARD.encode(frame.iter().map(level).collect::<Vec<u8>>())
        };
        let numbers = json!({ "film": {
            "columns": film.columns, "rows": film.rows, "label": film.label, "unit": film.unit, "high": high,
            "from": film.from, "every": film.every, "palette": palette(),
            "frames": film.frames.iter().map(frame).collect::<Vec<_>>(),
        }});
        let mean = |router: usize| self.frames.iter().map(|f| f[router]).sum::<f64>() / self.frames.len() as f64;
        let map = HeatMap {
            title: self.title.clone(),
            label: self.label.clone(),
            unit: self.unit.clone(),
            columns: self.columns,
            rows: self.rows,
            values: Values::Routers((0..routers).map(mean).collect()),
            range: None,
        };
        map.with(&numbers)
    }

    fn shortened(mut self) -> Film {
        while self.frames.len() > 1 && self.frames.len() * self.frames[0].len() > MOST {
            let mean = |pair: &[Vec<f64>]| match pair {
                [one, two] => one.iter().zip(two).map(|(a, b)| (a + b) / 2.0).collect(),
                rest => rest[0].clone(),
            };
            self.frames = self.frames.chunks(2).map(mean).collect();
            self.every *= 2.0;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(frames: Vec<Vec<f64>>) -> Film {
        Film {
            title: "Load".into(),
            label: "Load".into(),
            unit: "flits/cycle".into(),
            columns: 2,
            rows: 1,
            from: 100.0,
            every: 10.0,
            frames,
        }
    }

    /// The numbers of a picture.
    fn numbers(svg: &str) -> serde_json::Value {
        let document = roxmltree::Document::parse(svg).unwrap();
        let metadata = document.descendants().find(|node| node.has_tag_name("metadata")).unwrap();
        serde_json::from_str(metadata.text().unwrap()).unwrap()
    }

    #[test]
    fn every_frame_is_there_as_steps_of_the_largest_value() {
        let found = numbers(&film(vec![vec![0.0, 0.5], vec![2.0, 1.0]]).svg().unwrap());
        let found = &found["film"];
        assert_eq!((found["high"].as_f64(), found["every"].as_f64()), (Some(2.0), Some(10.0)));
        let frame = |at: usize| {
            base64::engine::general_purpose::STANDARD.decode(found["frames"][at].as_str().unwrap()).unwrap()
        };
        assert_eq!((frame(0), frame(1)), (vec![0, 64], vec![255, 128]));
    }

    #[test]
    fn long_films_are_shortened_and_wrong_ones_refused() {
        let short = film(vec![vec![1.0, 3.0]; (MOST / 2) + 1]).shortened();
        assert_eq!((short.frames.len(), short.every), (MOST / 4 + 1, 20.0));
        assert!(film(vec![]).svg().is_err() && film(vec![vec![0.0; 2], vec![0.0]]).svg().is_err());
        assert!(film(vec![vec![0.0, 0.0]]).svg().is_ok(), "nothing moves");
    }
}
