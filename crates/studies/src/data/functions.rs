//! Functions of runs: means over seeds, peaks and ends of curves, and what the paper prints.

use super::of_run;
use super::scope::Scope;
use crate::formula::{Expr, Names as _, Value, eval, list_of};
use crate::seeds;
use tailback_results::statistics::{Summary, summarise};

/// Functions of runs: name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 19] = [
    ("mean", 1),
    ("seeds", 1),
    ("half_width", 1),
    ("most", 1),
    ("least", 1),
    ("of_first", 1),
    ("of_each", 1),
    ("runs", 0),
    ("peak", 1),
    ("peak_at", 1),
    ("at_peak", 2),
    ("crossing", 3),
    ("start", 1),
    ("start_at", 0),
    ("end", 1),
    ("end_at", 0),
    ("printed", 1),
    ("router_cost", 4),
    ("vcinfo_delays", 2),
];

/// Whether there is a function of runs of this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().chain(of_run::functions()).any(|(other, _)| *other == name)
}

impl Scope<'_> {
    /// The points of a curve: value of the label along which it runs, and its runs.
    ///
    /// # Errors
    /// A study without such a label.
    pub fn points(&self) -> Result<Vec<(f64, Self)>, String> {
        let along = self.study.along.as_ref().ok_or("the study has no `along`, the label along which curves run")?;
        let values = self.values(along)?;
        values.into_iter().map(|value| Ok((value.number()?, self.given(along, value)?))).collect()
    }

    /// A value of each run here, in the order of the spec.
    fn values_of_each(&self, quantity: &Expr) -> Result<Vec<Value>, String> {
        self.here().into_iter().map(|run| eval(quantity, &self.of_run(run))).collect()
    }

    /// A quantity of each run here, in the order of the spec; NaN where it was not measured.
    fn of_each(&self, quantity: &Expr) -> Result<Vec<f64>, String> {
        self.values_of_each(quantity)?.iter().map(Value::number).collect()
    }

    /// Mean over seeds and its interval; none where one run has no value.
    ///
    /// # Errors
    /// Runs that differ in more than the seed, whose mean would be of different things.
    pub fn summary(&self, quantity: &Expr) -> Result<Option<Summary>, String> {
        let mut seeds: Vec<u64> = self.here().into_iter().map(|run| self.runs.run(run).point.seed).collect();
        seeds.sort_unstable();
        if seeds.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "the runs here differ in more than the seed: give values to more labels, with `for` or `|`".to_owned()
            );
        }
        Ok(summarise(&self.of_each(quantity)?))
    }

    fn mean(&self, quantity: &Expr) -> Result<f64, String> {
        Ok(self.summary(quantity)?.map_or(f64::NAN, |summary| summary.mean))
    }

    /// Where along the curve the mean is highest, how high it is, and the runs there.
    fn peak(&self, quantity: &Expr) -> Result<(f64, f64, Option<Self>), String> {
        let mut peak = (f64::NAN, f64::NAN, None);
        for (x, point) in self.points()? {
            let mean = point.mean(quantity)?;
            if mean >= peak.1 || peak.1.is_nan() && !mean.is_nan() {
                peak = (x, mean, Some(point));
            }
        }
        Ok(peak)
    }

    /// The value of `y` where `x` first reaches `level` along the curve, on the line between the points around it.
    fn crossing(&self, y: &Expr, x: &Expr, level: f64) -> Result<f64, String> {
        let mut before: Option<(f64, f64)> = None;
        for (_, point) in self.points()? {
            let (x1, y1) = (eval(x, &point)?.number()?, eval(y, &point)?.number()?);
            match before {
                Some((x0, y0)) if x1 >= level => return Ok(y0 + (level - x0) * (y1 - y0) / (x1 - x0)),
                None if x1 >= level => return Ok(f64::NAN),
                _ => before = Some((x1, y1)),
            }
        }
        Ok(f64::NAN)
    }

    /// The first or last point of the curve.
    fn end(&self, last: bool) -> Result<Option<(f64, Self)>, String> {
        let mut points = self.points()?;
        Ok(if last { points.pop() } else { points.into_iter().next() })
    }

    /// The value of a function of runs, which takes as many arguments as [`FUNCTIONS`] says.
    ///
    /// # Errors
    /// Arguments of the wrong kind.
    pub fn function(&self, name: &str, arguments: &[Expr]) -> Result<Value, String> {
        let number = |number: f64| Ok(Value::Number(number));
        let quantity = arguments.first().unwrap_or(&Expr::Number(f64::NAN));
        match name {
            "runs" => number(self.here().len() as f64),
            "of_each" => self.values_of_each(quantity).map(Value::List),
            "mean" => number(self.mean(quantity)?),
            "seeds" => Ok(Value::Text(seeds::seeds(self.summary(quantity)?))),
            "half_width" => number(self.summary(quantity)?.and_then(|summary| summary.half_width).unwrap_or(f64::NAN)),
            "most" => number(self.of_each(quantity)?.into_iter().fold(f64::NAN, f64::max)),
            "least" => number(self.of_each(quantity)?.into_iter().fold(f64::NAN, f64::min)),
            "of_first" => self.here().first().map_or(number(f64::NAN), |run| eval(quantity, &self.of_run(*run))),
            "peak" => number(self.peak(quantity)?.1),
            "peak_at" => number(self.peak(quantity)?.0),
            "at_peak" => match self.peak(quantity)?.2 {
                Some(point) => eval(&arguments[1], &point),
                None => number(f64::NAN),
            },
            "crossing" => number(self.crossing(quantity, &arguments[1], eval(&arguments[2], self)?.number()?)?),
            "vcinfo_delays" => self.vcinfo_delays(quantity, &arguments[1]),
            "router_cost" => {
                let values = arguments.iter().map(|argument| eval(argument, self)).collect::<Result<Vec<_>, _>>()?;
                number(super::cost::router_cost(&values)?)
            }
            "start_at" | "end_at" => number(self.end(name == "end_at")?.map_or(f64::NAN, |(x, _)| x)),
            "start" | "end" => match self.end(name == "end")? {
                Some((_, point)) => eval(quantity, &point),
                None => number(f64::NAN),
            },
            _ => {
                let Value::Text(path) = eval(quantity, self)? else {
                    return Err("`printed` takes a path of targets.toml in quotation marks".to_owned());
                };
                number(self.lab.targets().at(&path).unwrap_or(f64::NAN))
            }
        }
    }

    /// How many changes of VCinfo took 1, 2 and more cycles for a hop, in the networks of a spec with a way of propagation.
    fn vcinfo_delays(&self, spec: &Expr, way: &Expr) -> Result<Value, String> {
        let (spec, way) = (eval(spec, self)?.told(None), eval(way, self)?.told(None));
        let dataset = self.study.datasets.get(&spec).ok_or_else(|| format!("there is no spec `{spec}`"))?;
        let delays = self.lab.vcinfo_delays(dataset).map_err(|error| error.to_string())?;
        let found = delays.iter().find(|(other, _)| *other == way);
        let counts = found.map_or(Vec::new(), |(_, delays)| delays.counts.to_vec());
        Ok(list_of(counts.into_iter().map(|count| count as f64)))
    }
}
