"""What a type checker must refuse: each line that says so, and no other."""

from __future__ import annotations

import tailback
from tailback import build

build.topology.torus()  # wrong: radix is required
build.topology.torus(radix="8x8")  # wrong: a list of integers
build.topology.torus(radix=[8, 8], nodes=2)  # wrong: no such parameter
build.router.cut_through(ejection_channels="many")  # wrong: "infinite" or an integer
build.spec(topology=build.admission.off())  # wrong: another section
build.spec(preset="no such preset")  # wrong: a preset has its name
build.documented  # wrong: nothing private  # noqa: B018


def ask(run: tailback.Run) -> bool:
    return run.status == "stedy"  # wrong: no such status


tailback.run("a.toml", pattern="uniform")  # wrong: a function
tailback.trace("a.toml", packet="first")  # wrong: a number
