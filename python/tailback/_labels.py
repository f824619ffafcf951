"""Labels at the right ends of lines, none above another."""

from __future__ import annotations


def spaced(wanted: list[float], gap: float) -> list[float]:
    """Return heights at least ``gap`` apart, in the order of what was wanted and as near as can be.

    Neighbours that are too close share their shift, so that the sum of its squares is least.
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    # Blocks of labels that move together: mean of where they would begin, and how many they are.
    blocks: list[tuple[float, int]] = []
    for rank, at in enumerate(order):
        block = (wanted[at] - rank * gap, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, count = blocks.pop()
            whole = count + block[1]
            block = ((mean * count + block[0] * block[1]) / whole, whole)
        blocks.append(block)
    placed = [0.0] * len(wanted)
    rank = 0
    for mean, count in blocks:
        for _ in range(count):
            placed[order[rank]] = mean + rank * gap
            rank += 1
    return placed
