"""Means and shares with 95 % intervals, for the tables of the scripts beside this one."""

import math


def mean_interval(values):
    """(n, mean, half the width of the normal interval: 0 of a single value)."""
    n = len(values)
    mean = sum(values) / n
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) if n > 1 else 0.0
    return n, mean, 1.96 * sd / math.sqrt(n)


def wilson_interval(hits, n):
    """(share, low, high) of `hits` in `n`, n > 0 (Wilson 1927)."""
    z = 1.96
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return hits / n, centre - half, centre + half
