#!/usr/bin/env python3
"""Run FSIN, the public form of the simulator of injection-2005, for cells of that study.

    FSIN=path/to/insee verify/external/fsin_cells.py [below] [fig5] [fig6] [fig10] [fig11] [dor]

What FSIN says is printed as TOML. FSIN is a built program, or a folder with its sources, which
gcc builds first; README.md beside this file says which one, and what its options mean. SEED is
the seed of all runs, 13 where it is not set. Without
arguments all groups run, about an hour of one core, on all cores. Exit 0: measured; 1: the
program is missing, failed, or printed something unexpected.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

PHITS = 16
DIRECTIONS = ["x+", "x-", "y+", "y-"]
CHANNELS = 3
SEED = int(os.environ.get("SEED", "13"))

# Queues of a node, and which one a packet takes.
POLICIES = {
    "1_inj": (1, "shortest"),
    "4_inj_sh": (4, "shortest"),
    "4_inj_shp": (4, "shp"),
    "4_inj_lpath": (4, "lpath"),
    "4_inj_dor": (4, "dor"),
}
# Packets that have to fit at an entry into an escape channel, and for a new packet into any.
BUBBLES = {"2-Esc": (2, 0), "2-All": (2, 2), "4-All (b)": (4, 4), "6-All (b)": (6, 6)}


@dataclass(frozen=True)
class Case:
    """A run."""

    radix: int = 16
    policy: str = "1_inj"
    bubble: str = "2-Esc"
    rule: str = "smart"
    pattern: str = "uniform"
    load: float = 1.0
    warmup: int = 20_000
    batches: int = 10
    batch: int = 1000


@dataclass(frozen=True)
class Result:
    """What FSIN says of a run.

    Loads are in phits/node/cycle, latency in cycles, levels in phits by direction and channel.
    """

    accepted: float
    deviation: float
    latency: float
    levels: dict


class Fsin:
    """The program. Each run has a folder of its own: it reads and writes files where it is started."""

    def __init__(self, path, folder):
        self.path, self.folder = path, Path(folder)
        self.pool = ThreadPoolExecutor(os.cpu_count())

    def run_all(self, cases):
        """Run some cases, on all cores."""
        return list(self.pool.map(self.run, cases))

    def run(self, case):
        """Run a case."""
        queues, mode = POLICIES[case.policy]
        escape, new = BUBBLES[case.bubble]
        options = {
            "topo": f"torus_{case.radix}_{case.radix}",
            "bsize": escape,
            "bub_to_adap": new,
            "nways": 2,
            "nchan": CHANNELS,
            "ninj": queues,
            "imode": mode,
            "vc": "bubble",
            "rmode": case.rule,
            "routing": "dim",
            "amode": "random",
            "cmode": "multiple",
            "plength": f"{PHITS}_4",
            "tql": 8,
            "iql": 16,
            "tpattern": case.pattern,
            "load": case.load,
            "longmessages": 1,
            "lng_msg_ratio": 0.0,
            "rseed": SEED,
            "warm_up_period": case.warmup,
            "conv_period": 1000,
            "conv_thres": 0,
            "max_conv_time": 1,
            "sample_size": case.batch,
            "nsamples": case.batches,
            "plevel": 8,
            "pheaders": 0,
            "output": "cell",
        }
        arguments = [f"{key}={value}" for key, value in options.items()]
        command = [self.path, *arguments]
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        rows = {name: self.numbers(name, done.stdout) for name in ("AVG", "STD")}
        if done.returncode != 0 or not all(rows.values()):
            sys.exit(f"fsin_cells: FSIN printed no summary for {case}: {done.stderr[-300:]}")
        # BatchTime AvDistance InjLoad AccLoad Sent Rcvd Drop AvgDelay ...
        means, deviations = rows["AVG"], rows["STD"]
        return Result(means[3], deviations[3], means[7], self.levels(folder))

    @staticmethod
    def numbers(name, text):
        """Return the numbers of a row of the summary."""
        found = re.search(rf"^{name},(.*)$", text, re.M)
        return [float(field) for field in found.group(1).split(",")] if found else []

    @staticmethod
    def levels(folder):
        """Return the mean phits of a queue, by direction and channel.

        FSIN counts packets, and one that has begun to leave counts as a whole.
        """
        sums, ports = {}, len(DIRECTIONS) * CHANNELS
        for line in (folder / "cell.hst").read_text().splitlines():
            fields = [field.strip() for field in line.split(",")]
            if len(fields) < 4 or not fields[0].isdigit() or int(fields[1]) >= ports:
                continue
            counts = [int(field) for field in fields[2:]]
            packets = sum(level * count for level, count in enumerate(counts)) / max(sum(counts), 1)
            sums.setdefault(int(fields[1]), []).append(PHITS * packets)
        mean = {port: sum(levels) / len(levels) for port, levels in sums.items()}
        of = {d: range(n * CHANNELS, (n + 1) * CHANNELS) for n, d in enumerate(DIRECTIONS)}
        return {direction: [mean[port] for port in ports] for direction, ports in of.items()}


def adaptive(result):
    """Return the mean phits of an adaptive queue, by direction."""
    return {d: (levels[1] + levels[2]) / 2 for d, levels in result.levels.items()}


def print_table(name, values):
    """Print a table of TOML."""
    print(f"[fsin.{name}]")
    for key, value in values.items():
        many = isinstance(value, list)
        text = ", ".join(f"{v:.4g}" for v in (value if many else [value]))
        print(f"{key} = [{text}]" if many else f"{key} = {text}")
    print(flush=True)


def below(fsin):
    """Measure accepted load, its deviation over batches, and latency below saturation."""
    loads = {16: [0.1, 0.2, 0.3, 0.35], 32: [0.05, 0.1, 0.15]}
    rules = ["smart", "random", "shortest", "oblivious"]
    for radix, rule, policy in product(loads, rules, ["1_inj", "4_inj_sh"]):
        for bubble in ["2-Esc", "2-All"]:
            case = Case(radix=radix, rule=rule, policy=policy, bubble=bubble, warmup=3000)
            runs = fsin.run_all(replace(case, load=load) for load in loads[radix])
            print_table(
                f'below.{radix}x{radix}.{rule}.{policy}."{bubble}"',
                {
                    "load": loads[radix],
                    "accepted": [run.accepted for run in runs],
                    "deviation": [run.deviation for run in runs],
                    "latency": [run.latency for run in runs],
                },
            )


def occupation(result):
    """Return what figures 5 and 10 show of queues."""
    levels = adaptive(result)
    inorder = sorted(levels.values(), reverse=True)
    everything = [level for all_levels in result.levels.values() for level in all_levels]
    return {
        "accepted": result.accepted,
        "fullest": inorder[0],
        "third": inorder[2],
        "emptiest": inorder[3],
        "adaptive": sum(inorder) / 4,
        "escape": sum(levels[0] for levels in result.levels.values()) / 4,
        "all": sum(everything) / len(everything),
    }


def fig5(fsin):
    """Measure transit queues at load 1.0, 16x16: claim c3."""
    policies = ["1_inj", "4_inj_sh", "4_inj_lpath"]
    for policy, result in zip(policies, fsin.run_all(Case(policy=p) for p in policies)):
        print_table(f"fig5.smart.{policy}", occupation(result))


def fig6(fsin):
    """Measure transit queues over time from an empty network on, 16x16: claim c4.

    Runs with the same seed are the same up to their ends. FSIN sums up two batches or more.
    """
    times = [2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 48_000]
    cases = [Case(policy="4_inj_sh", warmup=t, batches=2, batch=500) for t in times]
    runs = [adaptive(result) for result in fsin.run_all(cases)]
    over_time = {d: [run[d] for run in runs] for d in DIRECTIONS}
    empty = min(DIRECTIONS, key=lambda d: over_time[d][-1])
    other = DIRECTIONS[DIRECTIONS.index(empty) ^ 1]
    values = {
        "cycle": [t + 2_000 for t in times],
        "opposite": over_time[empty],
        "saturated": over_time[other],
        "other_end": over_time[other][-1],
        "empty_end": over_time[empty][-1],
        "left": 100 * over_time[empty][-1] / max(over_time[empty]),
    }
    print_table("fig6.smart.4_inj_sh", values)


def fig10(fsin):
    """Measure restrictive injection with four queues and the longest path, 32x32: claim c7."""
    bubbles = ["2-All", "4-All (b)", "6-All (b)"]
    cases = [Case(radix=32, policy="4_inj_lpath", bubble=bubble) for bubble in bubbles]
    for bubble, result in zip(bubbles, fsin.run_all(cases)):
        print_table(f'fig10.smart."{bubble}"', occupation(result))


def fig11(fsin):
    """Measure a hot region, 32x32: claim c8."""
    hot = Case(radix=32, pattern="hotregion")
    loads = [0.125, 0.15, 1.0]
    # The paper does not have the policy `dor`.
    policies = [policy for policy in POLICIES if policy != "4_inj_dor"]
    cases = [replace(hot, policy=policy, load=load) for policy in policies for load in loads]
    restricted = [policy for policy in policies if policy != "4_inj_shp"]
    cases += [replace(hot, policy=policy, bubble="4-All (b)") for policy in restricted]
    found = dict(zip(cases, fsin.run_all(cases)))
    for policy in policies:
        accepted = [found[replace(hot, policy=policy, load=load)].accepted for load in loads]
        values = {"load": loads, "accepted": accepted}
        values |= {"highest": max(accepted), "sustained": accepted[-1], '"2-Esc"': accepted[-1]}
        if policy in restricted:
            four = found[replace(hot, policy=policy, bubble="4-All (b)")]
            values['"4-All (b)"'] = four.accepted
        print_table(f"fig11.smart.{policy}", values)


def dor(fsin):
    """Measure four queues by the dimension of a packet at load 1.0, 16x16."""
    rules = ["smart", "random"]
    runs = fsin.run_all(Case(policy="4_inj_dor", rule=rule) for rule in rules)
    print_table("dor", {rule: run.accepted for rule, run in zip(rules, runs)})


GROUPS = {
    "below": below,
    "fig5": fig5,
    "fig6": fig6,
    "fig10": fig10,
    "fig11": fig11,
    "dor": dor,
}


def built(source, folder):
    """Build the program from its sources, outside their folder."""
    program = os.path.join(folder, "insee")
    files = sorted(str(path) for path in Path(source).glob("*.c"))
    command = ["gcc", "-O3", "-w", "-fcommon", "-o", program, *files, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"fsin_cells: FSIN in {source} could not be built: {done.stderr[-300:]}")
    return program


def main():
    """Run the groups that were asked for."""
    path = os.environ.get("FSIN", "")
    if not (os.path.isdir(path) or os.path.isfile(path) and os.access(path, os.X_OK)):
        sys.exit(
            "fsin_cells: set FSIN to a folder with FSIN's sources, "
            "or to a built FSIN (its program is called insee)"
        )
    unknown = [name for name in sys.argv[1:] if name not in GROUPS]
    if unknown:
        sys.exit(f"fsin_cells: there is no group {unknown[0]!r}; take {', '.join(GROUPS)}")
    with tempfile.TemporaryDirectory() as folder:
        program = built(path, folder) if os.path.isdir(path) else os.path.realpath(path)
        fsin = Fsin(program, folder)
        for name in sys.argv[1:] or GROUPS:
            GROUPS[name](fsin)


if __name__ == "__main__":
    main()
