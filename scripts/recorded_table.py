"""Reads tables of recorded observations (`ntune tabulate`), for the scripts that compare optimisers on them."""

import csv


def read_table(file):
    """The header and the rows."""
    header, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return header, rows


def observations(text):
    """"-1*2 1" -> ["-1", "-1", "1"]."""
    parts = [part.partition("*") for part in text.split()]
    return [value for value, _, count in parts for _ in range(int(count or 1))]
