//! From the wormhole reference's configuration to the engine's parts, so that both simulate the same network.

use crate::bridge::{self, kind, resolved, site};
use crate::wormhole::own_outputs::THROTTLES;
use crate::wormhole::{
    Admission, Arbiter, Asks, Band, ChannelAllocator, Config, CrossbarInputs, Escape, Estimate, OwnRouter, Passing,
    Recovery, Routing, Rule, Selection, Sharing, SwitchAllocator, Tied, TokenWay, Tuning,
};
use tailback_engine::Buffers;
use tailback_engine::Wormhole;
use tailback_engine::wormhole::{self as engine, Parts};
use tailback_mechanisms::routing::Conditions;
use tailback_mechanisms::{Bundle, admission, arbiter, recovery, routing, selection};
use tailback_network::Grid;
use tailback_spec::{Section, View};
use tailback_traffic::Traffic;
use toml::{Table, Value};

/// The engine of a configuration, before cycle 0.
///
/// # Errors
/// Why the routing is impossible there.
pub fn engine<'a>(config: &Config, grid: &'a Grid, traffic: &'a Traffic) -> Result<Wormhole<'a, Bundle>, String> {
    Ok(Wormhole::new(grid, traffic, router(config), parts(config, grid)?, Buffers::Watched))
}

/// Whether a wormhole network of this configuration is claimed to be free of deadlock, as the catalogue tells a user.
pub fn is_deadlock_free(config: &Config, grid: &Grid) -> bool {
    let table = resolved(&[routing::section()], "routing", &routing_table(config));
    let view = View::new(&table);
    let sharing = match config.sharing {
        Sharing::Owned => "owned",
        Sharing::Shared => "shared",
        Sharing::SharedWhole => "shared_whole",
    };
    let when = Conditions { channels: config.base.virtual_channels, candidates: true, bubbles: false };
    let safe = routing::deadlock_freedom(view, grid, when).is_ok();
    (safe || config.recovery != Recovery::Off) && routing::safe_sharing(view).contains(&sharing)
}

/// The numbers of its routers.
pub fn router(config: &Config) -> engine::Router {
    engine::Router {
        channels: config.base.virtual_channels,
        buffer_flits: config.base.buffer_flits,
        channel_buffers: (!config.channel_buffers.is_empty())
            .then(|| std::array::from_fn(|c| config.channel_buffers.get(c).map_or(0, |&flits| flits as u16))),
        routing_cycles: config.routing_cycles,
        vc_allocation_cycles: config.vc_allocation_cycles,
        switch_allocation_cycles: config.switch_allocation_cycles,
        crossbar_cycles: config.crossbar_cycles,
        credit_cycles: config.base.credit_cycles,
        injection_channels: config.injection_channels,
        injection: local(config.shares_injection),
        ejection_channels: config.base.ejection_channels,
        ejection: local(config.shares_ejection),
        source_queue_packets: config.base.source_queue_packets,
        packet_flits: config.packet_flits,
        sharing: match config.sharing {
            Sharing::Owned => engine::Sharing::Owned,
            Sharing::Shared => engine::Sharing::Shared,
            Sharing::SharedWhole => engine::Sharing::SharedWhole,
        },
        channel_allocator: match config.channel_allocator {
            ChannelAllocator::Central => engine::ChannelAllocator::Central,
            ChannelAllocator::InputFirst => engine::ChannelAllocator::InputFirst,
            ChannelAllocator::OutputFirst => engine::ChannelAllocator::OutputFirst,
        },
        switch_allocator: match config.switch_allocator {
            SwitchAllocator::InputFirst => engine::SwitchAllocator::InputFirst,
            SwitchAllocator::OutputFirst => engine::SwitchAllocator::OutputFirst,
        },
        crossbar_inputs: match config.crossbar_inputs {
            CrossbarInputs::Port => engine::CrossbarInputs::Port,
            CrossbarInputs::Channel => engine::CrossbarInputs::Channel,
        },
        speculative: config.speculative,
        seed: config.base.seed,
    }
}

fn local(shares: bool) -> engine::Local {
    if shares { engine::Local::Shared } else { engine::Local::Channels }
}

/// The mechanisms of a configuration.
///
/// # Errors
/// Why they are impossible there.
pub fn parts(config: &Config, grid: &Grid) -> Result<Parts<Bundle>, String> {
    let base = &config.base;
    let build = |section: Section, given: Table| {
        let path = section.path;
        resolved(&[section], path, &given)
    };
    let routing_table = build(routing::section(), routing_table(config));
    let recovery_table = build(recovery::section(), recovery_table(config.recovery));
    let admission_table = build(admission::section(), admission_table(config));
    let [channel_arbiter, input_arbiter, output_arbiter] = config.arbiter_seeds().map(|seed| arbiter(config, seed));
    Ok(Parts {
        routing: routing::build(View::new(&routing_table), grid, base.virtual_channels).map_err(|no| no.message)?,
        selection: selection(config),
        channel_arbiter,
        input_arbiter,
        output_arbiter,
        admission: admission::build(View::new(&admission_table), site(grid, base)),
        recovery: recovery::build(View::new(&recovery_table), grid),
    })
}

/// How its heads choose among free channels.
pub fn selection(config: &Config) -> selection::Any {
    let table = resolved(&[selection::section()], "selection", &kind(selection_word(config.selection)));
    selection::build(View::new(&table), config.base.seed)
}

/// Its arbiters, which draw from a seed.
pub fn arbiter(config: &Config, seed: u64) -> arbiter::Any {
    let table = resolved(&[arbiter::section()], "arbiter", &kind(arbiter_word(config.arbiter)));
    arbiter::build(View::new(&table), seed, bridge::inputs(&config.base, 64 * config.base.routers()))
}

/// A table of an entry and its parameters.
pub(crate) fn entry(name: &str, parameters: &[(&str, Value)]) -> Table {
    let mut table = kind(name);
    table.extend(parameters.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    table
}

pub(crate) fn number(value: u64) -> Value {
    Value::Integer(value as i64)
}

fn number_or(value: Option<u64>, word: &str) -> Value {
    value.map_or(word.into(), number)
}

pub(crate) fn routing_table(config: &Config) -> Table {
    let tie = || ("tie", bridge::tie_word(config.base.tie).into());
    let middle = || ("middle_channel", bridge::middle_word(config.has_shared_middle()).into());
    match config.routing {
        Routing::DimensionOrder => bridge::routing_table(&config.base),
        Routing::Valiant(own, passing) => {
            let own = if own == OwnRouter::Stays { "stays" } else { "travels" };
            let passing = if passing == Passing::OfPhase { "phase" } else { "all" };
            entry("valiant", &[tie(), middle(), ("own_router", own.into()), ("passing", passing.into())])
        }
        Routing::O1Turn => entry("o1turn", &[tie(), middle()]),
        Routing::EscapeOrder(Asks::Thirds) => entry("escape_order", &[tie(), ("channels", "thirds".into())]),
        Routing::EscapeOrder(Asks::Escape(tied)) => {
            let word = if tied == Tied::Same { "same" } else { "random" };
            entry("escape_order", &[tie(), ("escape_tie", word.into())])
        }
        Routing::Adaptive(escape) => {
            let word = match escape {
                Escape::Dateline => "dateline",
                Escape::Mesh => "mesh",
                Escape::Ring => "ring",
                Escape::None => "none",
            };
            entry("adaptive", &[tie(), ("escape", word.into())])
        }
        Routing::TurnModel(rule) => {
            let word = match rule {
                Rule::WestFirst => "west_first",
                Rule::NorthLast => "north_last",
                Rule::NegativeFirst => "negative_first",
                Rule::OddEven => "odd_even",
            };
            entry("turn_model", &[("rule", word.into())])
        }
    }
}

pub(crate) fn selection_word(selection: Selection) -> &'static str {
    match selection {
        Selection::First => "first",
        Selection::Random => "random",
        Selection::MostCredits => "most_credits",
        Selection::Straight => "straight",
        Selection::Turn => "turn",
    }
}

/// What a spec calls an arbiter.
pub fn arbiter_word(arbiter: Arbiter) -> &'static str {
    match arbiter {
        Arbiter::RoundRobin => "round_robin",
        Arbiter::Random => "random",
        Arbiter::OldestFirst => "oldest_first",
        Arbiter::Matrix => "matrix",
    }
}

fn recovery_table(recovery: Recovery) -> Table {
    let Recovery::Disha { timeout, token, lane_flits } = recovery else { return kind("off") };
    let token = if token == TokenWay::Walk { "walk" } else { "instant" };
    entry(
        "disha",
        &[
            ("timeout_cycles", number(timeout.into())),
            ("token", token.into()),
            ("lane_flits", number(lane_flits.into())),
        ],
    )
}

/// The throttle of a configuration, as a spec says it.
pub fn admission_table(config: &Config) -> Table {
    match config.admission {
        Admission::Off => kind("off"),
        Admission::Spth => bridge::admission_table(&config.base.admission),
        Admission::OwnOutputs { twin, drawn } => {
            let twin = &THROTTLES[twin];
            entry(twin.name, &(twin.parameters)(drawn))
        }
        Admission::GlobalThreshold { threshold, band } => {
            let mut table = entry("global_threshold", &[("threshold_buffers", number_or(threshold, "auto"))]);
            table.extend(band_table(band));
            table
        }
        Admission::SelfTuned { tuning, band } => {
            let mut table = tuning_table(&tuning, crate::wormhole::throttle::gather_cycles(config, band.hop_cycles));
            table.extend(band_table(band));
            table
        }
        Admission::Entropy { min_mobility_percent, hop_cycles } => {
            let share = f64::from(min_mobility_percent) / 100.0;
            entry("entropy", &[("min_mobility", share.into()), ("hop_cycles", number(hop_cycles))])
        }
        Admission::Inc(inc) => entry(
            "inc",
            &[
                ("interval_cycles", number(inc.interval_cycles)),
                ("fall_fraction", inc.fall_fraction.into()),
                ("hold_cycles", number(inc.hold_cycles)),
                ("max_hold_cycles", number(inc.max_hold_cycles)),
            ],
        ),
    }
}

fn band_table(band: Band) -> Table {
    let estimate = match band.estimate {
        Estimate::Extrapolate => "extrapolate",
        Estimate::Arrival => "arrival",
        Estimate::Last => "last",
    };
    Table::from_iter([("hop_cycles".to_owned(), number(band.hop_cycles)), ("estimate".to_owned(), estimate.into())])
}

fn tuning_table(tuning: &Tuning, gather: u64) -> Table {
    entry(
        "self_tuned",
        &[
            ("tuning_period_cycles", number(tuning.period_gathers * gather)),
            ("increment_percent", tuning.increment_percent.into()),
            ("decrement_percent", tuning.decrement_percent.into()),
            ("initial_percent", tuning.initial_percent.into()),
            ("drop_fraction", tuning.drop_fraction.into()),
            ("hill_climbing", tuning.climbs.into()),
            ("throttling_sampled", if tuning.any_cycle { "any" } else { "at_decision" }.into()),
            ("avoid_local_maxima", tuning.avoids_maxima.into()),
            ("max_fraction", tuning.max_fraction.into()),
            ("refresh_periods", number_or(tuning.refresh_periods, "infinite")),
        ],
    )
}
