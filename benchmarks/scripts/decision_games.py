#!/usr/bin/env python3
"""decision_games.py [--elo1 X] [--alpha X] [--beta X]

Prints how many games `ntune verify` needs on average, and how often it says `better`, by the true Elo and the share
of draws, by Wald's approximation (1947) of the sequential probability ratio test of normalised Elo, 0 against X."""
import argparse
import math

ELO = [0, 5, 10, 20, 40, 80]
DRAWS = [0.0, 0.3, 0.6]
PER_NORMALISED_ELO = math.log(10) / 800  # of a game: (score - 1/2) / standard deviation


def per_pair(elo, draws):
    """Mean over standard deviation of a pair of independent games."""
    score = 1 / (1 + 10 ** (-elo / 400))
    wins = score - draws / 2
    variance = wins + draws / 4 - score * score
    return math.sqrt(2) * (score - 0.5) / math.sqrt(variance)


def expected(effect, effect1, alpha, beta):
    """Pairs on average, and the probability that H1 is accepted."""
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    drift = effect1 * (effect - effect1 / 2)
    variance = effect1 * effect1
    if abs(drift) < 1e-9 * variance:
        return -low * high / variance, -low / (high - low)
    power = -2 * drift / variance
    accepts = (1 - math.exp(power * low)) / (math.exp(power * high) - math.exp(power * low))
    return (accepts * high + (1 - accepts) * low) / drift, accepts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    parser.add_argument("--elo1", type=float, default=20, help="normalised Elo of H1 (20)")
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    args = parser.parse_args()
    effect1 = math.sqrt(2) * args.elo1 * PER_NORMALISED_ELO
    print("| true Elo | " + " | ".join(f"{100 * d:.0f} % draws" for d in DRAWS) + " |")
    print("|---" * (len(DRAWS) + 1) + "|")
    for elo in ELO:
        cells = []
        for draws in DRAWS:
            pairs, accepts = expected(per_pair(elo, draws), effect1, args.alpha, args.beta)
            cells.append(f"{float(f'{2 * pairs:.2g}'):,.0f}, {100 * accepts:.0f} %")
        print(f"| {elo} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
