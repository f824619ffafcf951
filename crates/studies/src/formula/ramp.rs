//! The critical load of a ramp: where the gradient of throughput over load has fallen by a tenth.

use super::Value;
use tailback_results::statistics::{CriticalOptions, Window, critical_load, moving_average};

/// Name and number of arguments. All take the load and the throughput of each window, the windows of the moving average, and the first and
/// last load at which nothing is congested.
pub const FUNCTIONS: [(&str, usize); 4] =
    [("critical_load", 4), ("trailing_critical_load", 4), ("critical_scatter", 4), ("no_critical_load", 4)];

/// The critical load; the load at which it is known to be past, where no window ahead is looked at; how much the gradient scatters at low load, relative to its mean; or why there is no critical load, an empty text
/// where there is one. Gradients are fitted to half of the average's windows on either side, and have to stay low for a quarter of them.
///
/// # Errors
/// Arguments of the wrong kind.
pub fn call(name: &str, values: &[Value]) -> Result<Value, String> {
    let windows = values[2].number()? as usize;
    let &[from, to] = values[3].numbers()?.as_slice() else {
        return Err(format!("`{name}` takes two loads, between which nothing is congested"));
    };
    let options = CriticalOptions {
        smoothing_windows: windows,
        slope_reach_windows: windows / 2,
        hold_windows: (windows / 4).max(1),
        baseline_loads: (from, to),
        ..CriticalOptions::default()
    };
    let loads = values[0].numbers()?;
    let found = critical_load(&loads, &values[1].numbers()?, &options);
    Ok(match name {
        "trailing_critical_load" => {
            Value::Number(found.map_or(f64::NAN, |critical| known(&loads, critical.window, &options)))
        }
        "critical_load" => Value::Number(found.map_or(f64::NAN, |critical| critical.load)),
        "critical_scatter" => Value::Number(found.map_or(f64::NAN, |critical| critical.baseline_spread)),
        _ => Value::Text(found.err().map_or(String::new(), |reason| reason.to_string())),
    })
}

/// The load of the last window that the average, the gradient and the hold of a critical window look at, averaged over the windows before.
fn known(loads: &[f64], window: usize, options: &CriticalOptions) -> f64 {
    let ahead = options.smoothing_windows / 2 + options.slope_reach_windows + options.hold_windows - 1;
    let loads = moving_average(loads, options.smoothing_windows, Window::Trailing);
    loads.get(window + ahead).or(loads.last()).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::call;
    use crate::formula::{Value, list_of};

    #[test]
    fn throughput_that_stops_to_rise_has_a_critical_load() {
        let loads = || (0..1000).map(|window| f64::from(window) * 0.0002);
        let of = |name: &str, throughput: Value| {
            call(name, &[list_of(loads()), throughput, Value::Number(40.0), list_of([0.01, 0.04])])
        };
        let bent = || list_of(loads().map(|load| load.min(0.1)));
        let critical = of("critical_load", bent()).and_then(|value| value.number()).expect("a number");
        assert!((0.095..0.105).contains(&critical), "{critical}");
        let known = of("trailing_critical_load", bent()).and_then(|value| value.number()).expect("a number");
        assert!(known > 0.1 && known < 0.11, "it is known later: {known}");
        assert_eq!(of("no_critical_load", bent()), Ok(Value::Text(String::new())));
        let straight = || list_of(loads());
        assert!(of("critical_load", straight()).and_then(|value| value.number()).is_ok_and(f64::is_nan));
        let reason = of("no_critical_load", straight()).map(|value| value.told(None));
        assert!(reason.is_ok_and(|reason| reason.starts_with("the gradient never stays low up to a load of 0.1")));
    }

    #[test]
    fn loads_without_congestion_are_two() {
        let lists = [list_of([1.0]), list_of([1.0]), Value::Number(4.0), list_of([0.01])];
        assert_eq!(
            call("critical_load", &lists),
            Err("`critical_load` takes two loads, between which nothing is congested".into())
        );
    }
}
