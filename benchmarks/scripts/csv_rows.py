"""Reads the CSV files that programs of ntune write, for the scripts beside this one."""

import csv
import sys


def rows_of(path, columns):
    """Rows as dictionaries, without comments. Ends the program with one line and exit code 2 where the file
    cannot be read or lacks one of the columns."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = csv.DictReader(line for line in file if not line.startswith("#"))
            missing = [name for name in columns if name not in (rows.fieldnames or ())]
            if not missing:
                return list(rows)
            reason = f"has no column '{missing[0]}'; needed are {', '.join(columns)}"
    except OSError as error:
        reason = error.strerror
    except UnicodeDecodeError:
        reason = "is not text"
    print(f"{path}: {reason}", file=sys.stderr)
    sys.exit(2)
