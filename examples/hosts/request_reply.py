"""Eight clients ask eight servers across a network.

Each server thinks before it replies, and each client before it asks again.

    python request_reply.py mesh.toml
"""

import sys

import tailback

NODES, ROUNDS, THINK = 16, 20, 7


def main(spec: str) -> int:
    due = dict.fromkeys(range(NODES // 2), 0)  # when each node sends next
    done = [0] * NODES
    last = 0
    with tailback.Network(spec) as network:
        while due or not network.idle:
            for node in sorted(node for node, cycle in due.items() if cycle == network.cycle):
                network.send(node, NODES - 1 - node, 2 if node < NODES // 2 else 8, tag=node)
                del due[node]
            network.advance_until_delivery(min(due.values(), default=network.cycle + 1000))
            for delivery in network.receive():
                node, last = delivery.destination, delivery.cycle
                done[node] += 1
                if node >= NODES // 2 or done[node] < ROUNDS:
                    due[node] = delivery.cycle + THINK
    return last


if __name__ == "__main__":
    print(f"completed in cycle {main(sys.argv[1] if len(sys.argv) > 1 else 'mesh.toml')}")
