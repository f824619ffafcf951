//! The network's map over time: a heat map of the mean, which carries every frame for a page to play.

use crate::heat_map::{HeatMap, HeatMapError, Values};
use crate::network_map::{NetworkMap, NetworkMapError, Plan, Show};
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
    /// Where routers stand that are in no columns and rows; `columns` is then their number, and there is one row.
    pub plan: Option<Plan>,
}

/// The mean over all frames is no picture.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// In columns and rows.
    #[error(transparent)]
    HeatMap(#[from] HeatMapError),
    /// In a network of any shape.
    #[error(transparent)]
    NetworkMap(#[from] NetworkMapError),
}

impl Film {
    /// The mean over all frames as a map; its `<metadata>` holds the frames, quantised to 255 steps of the largest value.
    ///
    /// # Errors
    /// Values that do not fit the network; no frames.
    pub fn svg(&self) -> Result<String, FilmError> {
        let routers = self.columns * self.rows;
        let bad = self.frames.iter().map(Vec::len).find(|&found| found != routers);
        if let Some(found) = bad.or(self.frames.is_empty().then_some(0)) {
            return Err(HeatMapError::Count { found, columns: self.columns, rows: self.rows }.into());
        }
        let film = self.clone().shortened();
        let high = film.frames.iter().flatten().copied().fold(0.0, f64::max);
        let high = if high > 0.0 { high } else { 1.0 };
        let level = |value: &f64| (value / high * 255.0).round() as u8;
        let frame = |frame: &Vec<f64>| {
            base64::engine::general_purpose::STANDARD.encode(frame.iter().map(level).collect::<Vec<u8>>())
        };
        let mut numbers = json!({ "film": {
            "columns": film.columns, "rows": film.rows, "label": film.label, "unit": film.unit, "high": high,
            "from": film.from, "every": film.every, "palette": palette(),
            "frames": film.frames.iter().map(frame).collect::<Vec<_>>(),
        }});
        if let Some(plan) = &self.plan {
            numbers["film"]["places"] = json!(plan.places.iter().map(rounded).collect::<Vec<_>>());
            numbers["film"]["aspect"] = json!(plan.aspect);
            numbers["film"]["radius"] = json!(plan.radius);
        }
        let mean = |router: usize| self.frames.iter().map(|f| f[router]).sum::<f64>() / self.frames.len() as f64;
        let mean = (0..routers).map(mean).collect();
        if let Some(plan) = &self.plan {
            return Ok(NetworkMap {
                title: self.title.clone(),
                label: self.label.clone(),
                unit: self.unit.clone(),
                plan: plan.clone(),
                show: Show::Routers(mean),
                notes: Vec::new(),
            }
            .with(&numbers)?);
        }
        let map = HeatMap {
            title: self.title.clone(),
            label: self.label.clone(),
            unit: self.unit.clone(),
            columns: self.columns,
            rows: self.rows,
            values: Values::Routers(mean),
            range: None,
        };
        Ok(map.with(&numbers)?)
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

/// A place with as many digits as anybody sees.
fn rounded(&(x, y): &(f64, f64)) -> [f64; 2] {
    [x, y].map(|value| (value * 1e4).round() / 1e4)
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
            plan: None,
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

    #[test]
    fn routers_of_a_network_of_any_shape_stand_where_its_plan_says() {
        let plan = Plan { places: vec![(0.25, 0.5), (0.75, 0.5)], aspect: 1.0, radius: 0.2, ..Plan::default() };
        let film = Film { plan: Some(plan), ..film(vec![vec![0.0, 0.5], vec![2.0, 1.0]]) };
        let svg = film.svg().unwrap();
        assert_eq!(numbers(&svg)["film"]["places"], json!([[0.25, 0.5], [0.75, 0.5]]));
        assert!(crate::raster::png(&svg).is_ok());
    }
}
