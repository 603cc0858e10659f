"""Means with normal 95 % intervals, for the tables of the scripts beside this one."""

import math


def mean_interval(values):
    """(n, mean, half the width of the interval: 0 of a single value)."""
    n = len(values)
    mean = sum(values) / n
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1)) if n > 1 else 0.0
    return n, mean, 1.96 * sd / math.sqrt(n)
