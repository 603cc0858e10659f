#!/usr/bin/env python3
"""Prints what a game at a table tells of two settings that share its seats, in games of two.

All orders of the seats are gone through, which are equally likely for level settings. A statistic
tells (its covariance with the slope of the log likelihood of Plackett and Luce)^2 / its variance of
their difference, which is 1/4 for a game of two.
"""

from itertools import combinations


def covariance(one, other):
    means = [sum(values) / len(values) for values in (one, other)]
    return sum((a - means[0]) * (b - means[1]) for a, b in zip(one, other)) / len(one)


def information(players):
    """Of the whole ranks, and of win, draw and loss."""
    own = players // 2
    ranks, results, slopes = [], [], []
    for places in combinations(range(players), own):
        left, others, slope, ahead = own, players - own, 0.0, 0
        for place in range(players):
            first = place in places
            slope += first - left / (left + others)
            ahead += others if first else 0
            left, others = (left - 1, others) if first else (left, others - 1)
        pairs = own * (players - own)
        ranks.append(ahead / pairs)
        results.append(0.5 + 0.5 * ((2 * ahead > pairs) - (2 * ahead < pairs)))
        slopes.append(slope)
    return [4 * covariance(each, slopes) ** 2 / covariance(each, each) for each in (ranks, results)]


if __name__ == "__main__":
    for players in range(2, 9):
        print(players, *(f"{value:.2f}" for value in information(players)))
