"""Draw a curve: accepted load and latency of a 16 x 16 torus over the offered load.

python curve.py [SPEC] [PICTURE]
"""

import sys

import tailback

spec = sys.argv[1] if len(sys.argv) > 1 else "examples/first.toml"
picture = sys.argv[2] if len(sys.argv) > 2 else "curve.svg"
result = tailback.run(spec)
result.plot.curve().savefig(picture)
