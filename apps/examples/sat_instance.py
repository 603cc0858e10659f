#!/usr/bin/env python3
"""Writes a problem for a SAT solver in DIMACS format; its name says which.

sat_instance.py NAME, such as
  3sat-180-7       random 3-SAT with 180 variables and 4.26 clauses for each, seed 7
  colour-150-7     can a random graph of 150 nodes and 345 edges be coloured by 3 colours?
  factor-22-7      a factor of the product of two primes of 11 bits each
  pigeon-8-7       8 pigeons in 7 holes; the seed shuffles names and clauses
"""

import itertools
import random
import sys


def random_sat(size, rng, ratio=4.26):
    clauses = []
    for _ in range(round(ratio * size)):
        chosen = rng.sample(range(1, size + 1), 3)
        clauses.append([x if rng.random() < 0.5 else -x for x in chosen])
    return size, clauses


def colouring(nodes, rng, colours=3, degree=4.6):
    def variable(node, colour):
        return node * colours + colour + 1

    clauses = [[variable(node, c) for c in range(colours)] for node in range(nodes)]
    edges = set()
    while len(edges) < round(degree * nodes / 2):
        edges.add(tuple(sorted(rng.sample(range(nodes), 2))))
    for (a, b), c in itertools.product(sorted(edges), range(colours)):
        clauses.append([-variable(a, c), -variable(b, c)])
    return nodes * colours, clauses


def pigeons(count, rng):
    holes = count - 1
    names = list(range(1, count * holes + 1))
    rng.shuffle(names)
    place = [names[pigeon * holes:(pigeon + 1) * holes] for pigeon in range(count)]
    clauses = [list(row) for row in place]
    for hole, (a, b) in itertools.product(range(holes), itertools.combinations(range(count), 2)):
        clauses.append([-place[a][hole], -place[b][hole]])
    rng.shuffle(clauses)
    return count * holes, clauses


class Circuit:
    """Gates as clauses (Tseitin)."""

    def __init__(self):
        self.variables = 0
        self.clauses = []

    def new(self):
        self.variables += 1
        return self.variables

    def both(self, a, b):
        out = self.new()
        self.clauses += [[-out, a], [-out, b], [out, -a, -b]]
        return out

    def parity(self, inputs):
        out = self.new()
        for signs in itertools.product((1, -1), repeat=len(inputs)):
            odd = sum(sign > 0 for sign in signs) % 2 == 1
            self.clauses.append([-sign * x for sign, x in zip(signs, inputs)] + [out if odd else -out])
        return out

    def carry(self, inputs):
        if len(inputs) == 2:
            return self.both(*inputs)
        out = self.new()
        for a, b in itertools.combinations(inputs, 2):
            self.clauses += [[-a, -b, out], [a, b, -out]]
        return out


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def factoring(bits, rng):
    half = bits // 2
    primes = [n for n in range(2 ** (half - 1), 2**half) if is_prime(n)]
    product = rng.choice(primes) * rng.choice(primes)
    circuit = Circuit()
    a = [circuit.new() for _ in range(half)]
    b = [circuit.new() for _ in range(half)]
    columns = [[] for _ in range(2 * half)]
    for i, j in itertools.product(range(half), repeat=2):
        columns[i + j].append(circuit.both(a[i], b[j]))
    for place, column in enumerate(columns):
        while len(column) > 1:
            inputs, column = column[:3], column[3:]
            column.append(circuit.parity(inputs))
            if place + 1 < len(columns):
                columns[place + 1].append(circuit.carry(inputs))
        for bit in column:
            circuit.clauses.append([bit if product >> place & 1 else -bit])
    circuit.clauses += [[a[0]], [b[0]], [a[-1]], [b[-1]]]  # odd, and of that many bits
    return circuit.variables, circuit.clauses


KINDS = {"3sat": random_sat, "colour": colouring, "factor": factoring, "pigeon": pigeons}


def main():
    try:
        kind, size, seed = sys.argv[1].split("-")
        variables, clauses = KINDS[kind](int(size), random.Random(f"{kind} {size} {int(seed)}"))
    except (IndexError, KeyError, ValueError):
        sys.exit(f"{__doc__}\nsat_instance.py: no such name: {' '.join(sys.argv[1:])}")
    print("p cnf", variables, len(clauses))
    for clause in clauses:
        print(*clause, 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--help"]:
        print(__doc__.strip())
    else:
        main()
