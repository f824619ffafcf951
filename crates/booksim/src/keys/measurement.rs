//! Keys of what is measured, for how long, and what is printed.

use super::Fate::{Becomes, NoEffect, Refused};
use super::Kind::{FloatOrText, Integer, IntegerOrText, Text};
use super::{Fate, Key, key};

const WATCHES: Fate = Refused("`tailback trace` follows packets; leave it out");
const POWER: Fate = NoEffect("sim_power = 0 prices nothing");

pub(super) const KEYS: &[Key] = &[
    key(
        "sim_type",
        Text,
        "latency",
        "latency: measured packets are waited for, and latency_thres ends a run; throughput: neither.",
        Becomes("workload.measures"),
    ),
    key(
        "warmup_periods",
        Integer,
        "3",
        "Periods of warm-up; 0: until nothing changes.",
        Becomes("workload.warmup_periods"),
    ),
    key("sample_period", Integer, "1000", "Length of a period [cycles].", Becomes("workload.period_cycles")),
    key("max_samples", Integer, "10", "Most periods, warm-up included.", Becomes("workload.max_periods")),
    key(
        "measure_stats",
        IntegerOrText,
        "1",
        "1: packets of the class are measured.",
        Becomes("every packet is measured"),
    ),
    key("pair_stats", Integer, "0", "1: latency of every pair of nodes.", Becomes("workload.pairs")),
    key(
        "latency_thres",
        FloatOrText,
        "500.0",
        "Mean latency above which a run is unstable [cycles]; negative: none.",
        Becomes("workload.latency_limit_cycles"),
    ),
    key(
        "warmup_thres",
        FloatOrText,
        "0.05",
        "Change of latency that ends the warm-up.",
        Becomes("workload.warmup_latency_change"),
    ),
    key(
        "acc_warmup_thres",
        FloatOrText,
        "0.05",
        "Change of accepted rate that ends the warm-up.",
        Becomes("workload.warmup_accepted_change"),
    ),
    key(
        "stopping_thres",
        FloatOrText,
        "0.05",
        "Change of latency that ends the run.",
        Becomes("workload.latency_change"),
    ),
    key(
        "acc_stopping_thres",
        FloatOrText,
        "0.05",
        "Change of accepted rate that ends the run.",
        Becomes("workload.accepted_change"),
    ),
    key("sim_count", Integer, "1", "Runs, whose means are printed.", Becomes("run.replicas")),
    key(
        "include_queuing",
        Integer,
        "1",
        "1: latency begins with the birth; 0: when a packet comes to the front of its source.",
        Becomes("workload.latency_from"),
    ),
    key("seed", IntegerOrText, "0", "Seed of the random numbers.", Becomes("run.seed")),
    key(
        "print_activity",
        Integer,
        "0",
        "1: activity of routers is printed.",
        Refused("`probes.link_load` counts what links carry; leave it at 0"),
    ),
    key(
        "print_csv_results",
        Integer,
        "0",
        "1: a line `results:` is printed.",
        Becomes("the line `results:` of --classic"),
    ),
    key(
        "deadlock_warn_timeout",
        Integer,
        "256",
        "Cycles without a delivery after which a warning is printed.",
        NoEffect("deadlock is proved, not guessed from a time-out"),
    ),
    key(
        "viewer_trace",
        Integer,
        "0",
        "1: a trace for a viewer is printed.",
        Refused("the trace of that viewer is not written; leave it at 0"),
    ),
    key("watch_file", Text, "", "File of packets and flits to follow.", WATCHES),
    key("watch_flits", Text, "", "Flits to follow.", WATCHES),
    key("watch_packets", Text, "", "Packets to follow.", WATCHES),
    key("watch_transactions", Text, "", "Transactions to follow.", WATCHES),
    key("watch_out", Text, "", "Where to print what is followed.", NoEffect("nothing is followed")),
    key(
        "stats_out",
        Text,
        "",
        "File of means and histograms.",
        Becomes("no file: a folder of results (--out) holds them"),
    ),
    key(
        "sent_packets_out",
        Text,
        "",
        "File of the packets that were sent.",
        Refused("`tailback trace` follows packets; leave it out"),
    ),
    key(
        "sim_power",
        Integer,
        "0",
        "1: area and power are calculated after the run.",
        Refused("sim_power = 0 runs the performance part; `tailback cost` prices routers"),
    ),
    key("power_output_file", Text, "pwr_tmp", "File of area and power.", POWER),
    key("tech_file", Text, "", "File of a technology.", POWER),
    key("channel_width", Integer, "128", "Bits of a link.", POWER),
    key("channel_sweep", Integer, "0", "Bits of links to try.", POWER),
];
