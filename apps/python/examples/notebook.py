# %% [markdown]
# # Tuning a dice game with ntune
# A player of Pig holds at some number of points. Which?

# %%
import ntune


def play(hold, rng):
    """The mean number of points of a turn."""
    turn = 0
    while turn < hold:
        throw = rng.randrange(1, 7)
        if throw == 1:
            return 0
        turn += throw
    return turn


# %% [markdown]
# 600 turns in all. The theory says 20, and that its neighbours are nearly as good.

# %%
result = ntune.maximise(play, {"hold": ntune.integers(2, 40, 2)}, evaluations=600, payoffs=(0, 46), seed=1)
result

# %% [markdown]
# What was tried, and how often:

# %%
counts = {}
for row in result.trials():
    counts[row["hold"]] = counts.get(row["hold"], 0) + 1
sorted(counts.items())

# %% [markdown]
# The whole page of the study:

# %%
result.report("pig.html")
