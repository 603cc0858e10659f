"""Means and shares with 95 % intervals, for the tables of the scripts beside this one."""

import math


def student_quantile(freedom):
    """The 0.975 quantile of Student's distribution (Abramowitz and Stegun 1964, 26.7.5), within 0.003."""
    if freedom < 5:
        return (12.706, 4.303, 3.182, 2.776)[freedom - 1]
    z = 1.959964
    return (z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3))


def mean_interval(values):
    """(n, mean, half the width of Student's interval: 0 of a single value)."""
    n = len(values)
    mean = sum(values) / n
    if n == 1:
        return n, mean, 0.0
    sd = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    return n, mean, student_quantile(n - 1) * sd / math.sqrt(n)


def wilson_interval(hits, n):
    """(share, low, high) of `hits` in `n`, n > 0 (Wilson 1927)."""
    z = 1.96
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(hits * (n - hits) / n + z * z / 4)
    return hits / n, centre - half, centre + half
