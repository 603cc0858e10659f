"""The cases of same_results.sh: all that it runs, and what it takes from the source.

A case is a name and lines of bash, each run by itself in the case's own folder; an indented line
continues the one before. What a line prints and what it leaves in the folder is kept. A line that
begins with `!` has to fail, any other has to end with exit code 0; `keep` says where that is not
so. `inputs` in the folder leads to
  inputs/studies/    every study of configs and benchmarks, by its name, shortened as SHORT says
  inputs/data/       the files of DATA, and those that studies name
  inputs/bao/, inputs/spaces/    the folders of FOLDERS
  inputs/configs/    studies that are not shortened, for `arcade reproduce`
  inputs/made/NAME/  what a case with makes=True or keep_only=True left when results were kept

Everything has to be the same each time: seeds are fixed, limits are of nodes and not of seconds,
and where a journal is kept there is one thread, as its order depends on them.
"""

import os
import re
import textwrap


class Case:
    """makes: others read what it has left. keep_only: it is an input for others, never compared."""

    def __init__(self, name, lines, files=None, makes=False, keep_only=False, ignored=(),
                 timeout=60):
        self.name = name
        self.files = {path: text.lstrip("\n") for path, text in (files or {}).items()}
        self.makes = makes
        self.keep_only = keep_only
        self.ignored = ignored  # names of files that are left out
        self.timeout = timeout  # seconds for each line
        self.commands = []      # each line, and whether it has to fail
        for line in re.sub(r"\n +", " ", textwrap.dedent(lines)).splitlines():
            if line and not line.startswith("#"):
                self.commands.append((line.removeprefix("! "), line.startswith("! ")))


CASES = []


def case(name, lines, **more):
    CASES.append(Case(name, lines, **more))


# --- What is taken from the source

NO_SOURCE = {"build", "results"}      # folders of the source's root that are not looked into
NOT_FROM = re.compile(r"(^|/)fuzz/")  # nothing is taken from these
DATA = ["agent.py", "worker.py", "ask_tell.py", "figure_5.txt", "sample_600.csv",
        "planet_wars_1.csv", "asteroids_1.csv", "solution.txt"]
FOLDERS = {"start_positions.csv": "bao", "mcts_old.json": "spaces"}  # the folder of a file
WHOLE = re.compile(r"^ntbea_table_[23]")

HALVING = "{method: sequential_halving, evaluations: 20}"
FEW_GAMES = dict(runs=2, iterations=6, hold_out=4, re_evaluation=4)
TABLE_3 = dict(splits="[{runs: 2, iterations: 3, re_evaluation: 4}, "
                      "{runs: 1, iterations: 6, re_evaluation: 0}]", hold_out=4, repeats=2)

# Top-level keys that make a study short.
SHORT = {
    "amazons_tds": dict(budget=130, runs=2, iterations=30, re_evaluation=HALVING, hold_out=20),
    "arena": dict(iterations="[20, 40]", runs=1),
    "arena_choice": dict(iterations="[30, 60]", runs=2),
    "arena_crossed": dict(iterations="[20, 40, 60]", runs=2),
    "arena_slide3": dict(optimiser="ntbea", runs=2, iterations=30, hold_out=20),
    "ask_tell": dict(runs=2, iterations=40, hold_out=20),
    "asteroids_1": FEW_GAMES,
    "asteroids_2": FEW_GAMES,
    "bao": dict(budget=250, runs=2, iterations=60, re_evaluation=HALVING, hold_out=40),
    "bayesian_models": dict(iterations=60, runs=2),
    "budget_split": dict(budget=600, repeats=5),
    "budget_splits": dict(repeats=1),
    "budget_splits_1000": dict(repeats=2),
    "budget_splits_300": dict(repeats=3),
    "command": dict(iterations=10, hold_out=6),
    "comparison": dict(runs=5),
    "hartmann6": dict(runs=3, iterations=150),
    "ntbea_table_2_asteroids": dict(runs=3),
    "ntbea_table_2_planet_wars": dict(runs=3),
    "ntbea_table_3_asteroids": dict(
        TABLE_3, objective="{game: asteroids, legacy_inert: true, agent: {legacy_discount: true, "
                           "tick_budget: 500}, rules: {ticks: 200}}"),
    "ntbea_table_3_planet_wars": TABLE_3,
    "ntbea_table_s1": dict(runs=2),
    "optimisers_bao": dict(iterations="[20, 40]", runs=2, hold_out=20),
    "optimisers_tds": dict(iterations="[20, 40]", runs=2, hold_out=20),
    "planet_wars_1": dict(runs=2, iterations=40, hold_out=20),
    "planet_wars_2": dict(runs=2, iterations=40, hold_out=20),
    "search_space": dict(runs=3, iterations=200),
    "slide3": dict(budget=300, runs=2, iterations=80, re_evaluation=HALVING, hold_out=60),
    "split_auto": dict(budget=400),
    "table_3_asteroids": dict(
        TABLE_3, objective="{game: asteroids, legacy_inert: true, agent: {legacy_discount: true, "
                           "tick_budget: 500}, rules: {ticks: 200}}"),
    "table_3_planet_wars": TABLE_3,
    "train_ntbea": dict(budget=250, runs=2, iterations=60, re_evaluation=HALVING, hold_out=40),
    "worker": dict(runs=2, iterations=40, hold_out=20),
}
SHORT_ELSE = dict(runs=2, iterations=30, hold_out=20)  # of a study that is not named
# Studies of programs that are not part of the project: they may be missing, or play by the clock.
OUTSIDE = {"glaurung", "minisat", "tag", "uci_engine", "xz"}
# One of so many objectives of a study is taken: landscapes take seconds to be drawn.
ONE_OBJECTIVE_OF = {"arena": 2, "arena_choice": 5, "arena_crossed": 16}

TIME = "[0-9]{4}-[0-9-]+T[0-9:.]+"


def study_cases(inputs):
    """A case for every study."""
    studies = os.path.join(inputs, "studies")
    for name in sorted(os.listdir(studies)):
        stem = name.removesuffix(".yaml")
        if stem == "ask_tell":  # runs in serve_python
            continue
        yield Case(f"study_{stem}", f"""
            ntune run inputs/studies/{name} --out out --threads 1
            ntune run inputs/studies/{name} --out out --resume --quiet --format json
            # Without times and seconds. A table is looked for beside the study in out.
            ln -s inputs/data .; ntune export out | sed -nE
              '1,40s/(,[0-9.e-]+,[0-9]+,{TIME})?,{TIME},/,TIME,/; 1,40p'
        """, ignored=("out/lock",))


# --- The source as it is now: nothing was lost when files moved

SHORT_PATHS = r"sed -E 's#([[:alnum:]_.-]+/)+([[:alnum:]_.-]+[.][a-z])#\2#g'"  # without folders
case("tree_studies", f"""
    # arena_choice and arena_crossed take a minute to be read.
    cd "$ROOT"; for study in $STUDIES; do [[ $study =~ arena_c ]] || ntune check $study; done |
      {SHORT_PATHS}
    cd "$ROOT"; for study in $STUDIES; do echo "== ${{study##*/}}";
      sed -E 's/(^|[[:space:]])#.*//; s/[[:space:]]+$//; /^$/d' $study; done | {SHORT_PATHS}
""")
case("tree_data", """
    cd "$ROOT"; find configs -name '*.csv' -o -name 'figure_5.txt' -o -path '*bao/*.yaml' |
      xargs sha256sum | sed -E 's# .*/# #' | LC_ALL=C sort -k 2
""")
case("tree_laboratories", """
    cd "$ROOT"; bao replay $(find configs -name figure_5.txt) --format csv
    cd "$ROOT"; bao match ga3:depth=1 ngnd6a:depth=1 --quiet
    cd "$ROOT"; amazons coverage --variants TDS_13 --nodes 50 --table 1 --quiet --format csv
    cd "$ROOT"; arcade reproduce 2 --runs 2 --quiet
""")

# --- ntune: help, lists, examples

NTUNE_COMMANDS = ("run check list describe eval tabulate serve ask tell recommend status export "
                  "merge import-space verify deviations report plot watch top schema completion")
case("help", f"""
    for program in ntune amazons arcade bao slide3; do $program --help; $program --version; done
    for c in {NTUNE_COMMANDS}; do ntune $c --help; done
    for c in value database tds coverage error conjecture match play compare reproduce; do
      amazons $c --help; done
    for c in play match score agents reproduce; do arcade $c --help; done
    for c in perft replay play match train reproduce; do bao $c --help; done
    for c in database sample solve verify moves autoplay play four reproduce; do slide3 $c --help;
      done
    for c in levels solve; do slide3 four $c --help; done
""")
case("list", """
    ntune list
    for t in objectives optimisers weightings explorations recommendations figures; do
      ntune list $t; ntune list $t --names; done
    ntune list --format json
    ntune list --format csv
    ntune schema
    ntune completion bash
""")
case("describe", """
    for n in $(ntune list objectives --names; ntune list optimisers --names); do ntune describe $n;
      done
""")
for kind in ("objectives", "optimisers"):
    # What is described is a study; asteroids takes too long, ask_tell is evaluated by others.
    case(f"describe_{kind}_run", f"""
        for n in $(ntune list {kind} --names | grep -vE 'asteroids|ask_tell'); do echo "== $n";
          ntune describe $n | sed -E 's/^runs: .*/runs: 2/; s/^iterations: .*/iterations: 40/'
          >$n.yaml; ntune check $n.yaml && ntune run $n.yaml --quiet || exit; done
    """)

# --- ntune run

case("run_formats", """
    ntune run inputs/studies/hartmann6.yaml
    ntune run inputs/studies/hartmann6.yaml --seed 7 --format text --quiet --threads 2
    ntune run inputs/studies/hartmann6.yaml --format json
    ntune run inputs/studies/hartmann6.yaml --format csv --threads 1
    ntune run inputs/studies/comparison.yaml --format csv
    ntune run inputs/studies/budget_split.yaml --format json --quiet
    ntune run inputs/studies/command.yaml --format csv --quiet
    ! ntune run inputs/studies/hartmann6.yaml --executor mpi
""")
case("run_threads", """
    # As many threads as there are: they do not change the results.
    ntune run inputs/studies/hartmann6.yaml --out out
    ntune run inputs/studies/budget_split.yaml --out split --threads 3
    ntune run inputs/studies/worker.yaml --out worker --threads 2
""", ignored=("*/journal.log", "*/lock"))
case("run_optimisers", """
    ntune run study.yaml --out out --threads 1
""", files={"study.yaml": """
{name: Options of optimisers, seed: 3, runs: 2, iterations: [30, 90], objectives: [
  {function: hartmann6, noise: win_loss}, {function: branin, noise: {gaussian: 0.1}},
  {function: nk, dimensions: 8, k: 2, values: 3, neighbours: random, seed: 4, noise: none},
  {function: trap, dimensions: 8, block: 4}, {function: one_max, dimensions: 6, values: 4},
  {function: gaussian_landscape, dimensions: 3, values: 6, kernel: gaussian, seed: 5},
  hartmann6_tag],
 optimisers: [
  ntbea, auto, {preset: paper, label: paper}, {weighting: linear, T: 5}, {weighting: inverse},
  {weighting: inverse_root}, {weighting: exponential}, {exploration: ratio, epsilon: 0.1},
  {exploration: square_root}, {recommend: most_sampled}, {recommend: best_lower_bound},
  {tuples: [1, all], k: 2}, {neighbours: 10, mutation_rate: 0.3, different: false},
  {cap: true}, {algorithm: gaussian_process, initial: 8},
  {algorithm: gaussian_process, kernel: product},
  {algorithm: gaussian_process, kernel: pairs, price: 0.1},
  {algorithm: gaussian_process, acquisition: thompson},
  {algorithm: gaussian_process, acquisition: knowledge_gradient},
  {algorithm: random}, {algorithm: grid},
  {algorithm: rmhc, resamples: 2}, {algorithm: compact_ga, window: 10}, {algorithm: tpe},
  {algorithm: tpe, multivariate: false}, {algorithm: spsa}, {algorithm: racing},
  {algorithm: racing, test: t}, {algorithm: multi_start, share: 0.3},
  {algorithm: multi_start, optimiser: gaussian_process, label: starts},
  {algorithm: pooled_starts, starts: 2}]}
"""}, ignored=("out/lock",))
case("run_long", """
    ntune run study.yaml --out out --threads 1
    ntune run many.yaml --out many --threads 1
    ntune run wide.yaml --out wide --threads 1
""", files={"study.yaml": """
{objective: hartmann6, iterations: 1000, runs: 1, seed: 7, optimisers: [auto, ntbea,
 gaussian_process,
 multi_start, pooled_starts, random, grid, rmhc, compact_ga,
 tpe, spsa, racing]}
""", "many.yaml": """
{objective: {function: nk, dimensions: 10, k: 2, values: 3, noise: {gaussian: 0.3}},
 iterations: 20000, runs: 2, seed: 7}
""", "wide.yaml": """
{objective: {function: nk, dimensions: 50, k: 3}, iterations: 300, runs: 1, seed: 7,
 optimisers: [auto, ntbea,
 tpe, racing, compact_ga]}
"""}, ignored=("*/lock",))
NOISY = "objective: {function: hartmann6, noise: {gaussian: 0.2}}"
PLANS = {
    "halving": NOISY + ", iterations: 80, re_evaluation: {method: sequential_halving, share: 0.3}",
    "repeats": NOISY + ", iterations: 80, re_evaluation: {method: repeats, share: 0.5, "
                       "common_random_numbers: false}",
    "number": NOISY + ", iterations: 80, re_evaluation: 50, hold_out: 25",
    "none": NOISY + ", iterations: 80, re_evaluation: none, hold_out: 0",
    "budget": NOISY + ", budget: 500",
    "budget_ntbea": NOISY + ", budget: 500, optimiser: ntbea, hold_out: 60",
    "parallel": NOISY + ", iterations: 80, parallel_evaluations: 4",
    "parallel_ntbea": NOISY + ", iterations: 80, parallel_evaluations: 4, optimiser: ntbea",
    "evaluations": NOISY + ", iterations: 80, record: evaluations",
    "nothing": NOISY + ", iterations: 80, record: none",
    "repeated": NOISY + ", iterations: 80, repeats: 4",
    "lists": NOISY + ", iterations: [50, 90], repeats: 2, optimisers: [ntbea, tpe]",
    "noiseless": "objective: {function: hartmann6, noise: none}, iterations: 80",
    "splits": NOISY + ", budget: 400, splits: [1 x 300, '4 x 70', adaptive, {runs: 3, "
                      "iterations: 50, re_evaluation: 60}], repeats: 3, optimiser: ntbea",
    "split_auto": NOISY + ", budget: 400, split: auto",
    "split_adaptive": NOISY + ", budget: 400, split: adaptive",
}
case("run_plans", "\n".join(f"ntune run {name}.yaml --out {name} --threads 1" for name in PLANS),
     files={f"{name}.yaml": "{" + keys + ("" if "split" in keys else ", runs: 3") + ", seed: 5}\n"
            for name, keys in PLANS.items()}, ignored=("*/lock", "parallel*/journal.log"))
case("run_spaces", """
    ntune run study.yaml --out out --threads 1
    ntune run names.yaml --out names --threads 1
    ntune run free.yaml --format json --quiet
""", files={"study.yaml": """
objective: {function: hartmann6, noise: win_loss}
space:
  x1: {choices: [0.5, 0, 1], default: 0.5}
  x2: {range: [0, 1], points: 4, ends: none}
  x3: {log_range: [0.01, 1], points: 5, default: 0.1, when: {x1: [0, 1]}}
  x4: {integers: [0, 1]}
  x5: {range: [0, 1], step: 0.2, when: {x4: 1}}
  x6: 0.3
  forbid:
    - {x1: 1, x2: 0.2}
    - {x3: 1, x5: [0.2, 0.4]}
record: evaluations
optimiser: ntbea
runs: 2
iterations: 150
""", "names.yaml": """
objective:
  command: [sh, -c, 'echo $(( ${{#1}} + $2 % 7 ))', sh, '{params:json}', '{seed}']
space:
  "odd,\\nname": [1, 10, 100]
  style: [calm, "wild \\"one\\"", 3, 4.5, true]
runs: 1
iterations: 8
hold_out: 3
""", "free.yaml": """
{objective: {function: one_max, dimensions: 12, values: 3, noise: none}, runs: 2, iterations: 400,
 optimiser: ntbea}
"""}, ignored=("*/lock",))
case("eval", """
    ntune eval inputs/studies/hartmann6.yaml --set x1=0.2 --set x2=0.2 --set x3=0.4 --set x4=0.2
      --set x5=0.4 --set x6=0.6
    ntune eval branin.yaml --set x1=3 --set x2=2 --times 400 --format json
    ntune eval branin.yaml --set x1=3 --set x2=10 --seed 5 --threads 2 --format csv
    ntune eval cost.yaml --set a=3
    ntune eval cost.yaml --set a=3 --times 9 --format json
    ntune eval cost.yaml --set a=1 --times 9 --format csv
    ntune eval exact.yaml --set x1=0.2 --set x2=0.4 --set x3=0.6 --times 2
    ntune eval slide3.yaml --set eu=1 --times 40
    ntune eval bao.yaml --set back1=1 --times 40
    ntune eval bao.yaml --set back1=4 --times 40 --format json
    ntune eval planet_wars.yaml --set resample=1 --times 20
    ntune eval asteroids.yaml --set resample=1 --times 5
    ntune eval tds.yaml --set e1=true --times 30
    ntune eval match.yaml --set e1=true --times 6
    ntune eval moves.yaml --set depth=2 --times 20
""", files={
    "branin.yaml": "{objective: branin, space: {x1: [0, 3], x2: [0, 2, 10]}}\n",
    "cost.yaml": "{objective: {command: [sh, -c, 'echo $(( $1 * $1 + $2 % 5 ))', sh, '{a}', "
                 "'{seed}'], "
                 "direction: minimise}, space: {a: {integers: [1, 6]}}}\n",
    "exact.yaml": "{objective: {function: hartmann3, noise: none}, space: {x1: [0.2], x2: [0.4], "
                  "x3: [0.6]}}\n",
    "slide3.yaml": "{objective: {game: slide3, dtw: 10, depth: 3, man: 0.2, randomisation: mult, "
                   "intensity: 0.1}, "
                   "space: {eu: [0, 1]}}\n",
    "bao.yaml": "{objective: {game: bao, opponent: inputs/bao/ga3.yaml, starts: "
                "inputs/bao/start_positions.csv, depth: 2, "
                "search: opponent_model, probe_depth: 2, material: 2}, space: {back1: [1, 4]}}\n",
    "planet_wars.yaml": "{objective: {game: planet_wars, opponent: 2019, agent: {variant: 2019}, "
                        "rules: {ticks: 60}}, "
                        "space: {resample: [1, 2]}}\n",
    "asteroids.yaml": "{objective: {game: asteroids, agent: {mutation_transducer: true, discount: "
                      "0.95}, rules: {ticks: 200}}, "
                      "space: {resample: [1, 2]}}\n",
    "tds.yaml": "{objective: {game: amazons_tds, nodes: 500, table_mb: 1, observation: mean, "
                "node_price: 0.1}, "
                "space: {e1: [false, true]}}\n",
    "match.yaml": "{objective: {game: amazons_tds, nodes: 300, table_mb: 1, observation: match, "
                  "opponent: arrow}, "
                  "space: {e1: [false, true]}}\n",
    "moves.yaml": "{objective: {game: slide3, dtw: 8, observation: moves, moves: 30}, space: "
                  "{depth: [1, 2]}}\n"})
case("check", """
    ntune check inputs/studies/hartmann6.yaml inputs/studies/budget_splits.yaml
      inputs/studies/slide3.yaml
    ! ntune check inputs/studies/hartmann6.yaml none.yaml inputs/studies/command.yaml
    for s in inputs/studies/*.yaml; do echo "== $s";
      ntune check $s --dry-run 2>&1; done
""", timeout=120)
case("tabulate", """
    ntune tabulate study.yaml --times 7 --out table.csv
    cp table.csv first.csv
    ntune tabulate study.yaml --times 12 --out table.csv --quiet --threads 2
    head -n 12 table.csv >part.csv; ntune tabulate study.yaml --times 12 --out part.csv
    ntune tabulate inputs/studies/arena_slide3.yaml --times 1 --seed 4 --out slide3.csv --quiet
    ntune run use.yaml --out out --threads 1
    ntune describe table
    ntune run costs.yaml --out costs --threads 1
    ntune run costs.yaml --format csv --quiet
    ntune eval costs.yaml --set depth=2 --set book=true --times 50
""", files={
    "study.yaml": "{objective: {function: hartmann3, noise: win_loss}, space: {x1: [0.1, 0.5], x2: "
                  "[0.5, 0.9], "
                  "x3: {range: [0, 1], points: 3}}, seed: 2}\n",
    "use.yaml": "{objective: {table: table.csv}, space: {x1: [0.1, 0.5]}, runs: 2, iterations: 40, "
                "seed: 2}\n",
    "games.csv": "# comments\ndepth,book,observations\n2,true,1*734 3*266\n2,false,1*590 4*410\n"
                 "4,true,2*500 1*500\n4,false,1 1 0.5 1\n",
    "costs.yaml": "{objective: {table: games.csv, direction: minimise}, optimisers: [ntbea, "
                  "random, "
                  "gaussian_process], runs: 4, iterations: 30, hold_out: 10, seed: 2}\n"},
    ignored=("*/lock",))

# --- ntune: programs

RESULTS = {  # script of a program, the keys of its study
    "json": ("""echo banner; echo '{"value": '$1'.5}'""", "result: json"),
    "json_values": ("""echo '{"values": ['$1', 1, 0]}'""", "result: json, observations: each"),
    "smac": ("echo 'Result: x'; echo \"cost=$1.25; runtime=0.1; status=SUCCESS\"", "result: smac"),
    "number": ("echo text; echo $1.75 12.3", "result: number"),
    "letters": ("echo W; echo DL; [ $1 = 1 ] || echo W", "result: letters, observations: each"),
    "cutechess": ("echo Score of A vs B: $1 - 1 - 2; echo Finished match", "result: cutechess"),
    "fastchess": ("echo Games: 9, Wins: $1, Losses: 2, Draws: $((7 - $1)), Points: "
                  "1", "result: fastchess"),
    "regex": ("echo score: 9; echo score: $1", "result: {regex: 'score: (.*)'}"),
    "auto": ("echo $(( $1 * 10 + $2 % 10 ))", "payoffs: [10, 40]"),
    "minimise": ("echo $(( $1 * $1 + $2 % 10 ))", "direction: minimise"),
}
case("command_results", "\n".join(f"""
    ntune check {name}.yaml --dry-run
    ntune run {name}.yaml --out {name} --threads 1
    ntune eval {name}.yaml --set a=2 --times 3
""" for name in RESULTS), files={
    **{f"{name}.sh": script + "\n" for name, (script, _) in RESULTS.items()},
    **{f"{name}.yaml": f"{{objective: {{command: [sh, {name}.sh, '{{a}}', '{{seed}}'], {keys}}}, "
                       f"space: {{a: "
                       "[1, 2, 3]}, runs: 2, iterations: 8, hold_out: 6, re_evaluation: 4, seed: "
                       "3}\n"
       for name, (_, keys) in RESULTS.items()}}, ignored=("*/lock",))
case("command_calls", """
    ntune check --dry-run shell.yaml stdin.yaml file.yaml worker.yaml
    ntune run shell.yaml --out shell --threads 1
    ntune run stdin.yaml --out stdin --threads 1
    ntune run file.yaml --out file --threads 1
    ntune run worker.yaml --out worker --threads 1
    ntune export shell --per point
""", files={"shell.yaml": r"""
name: "a \"study\""
objective:
  command: 'set -- {params:pairs}; test "$2" != 3 || exit 1; echo $(( $2 * 3 + {seed} % 5 )).5'
  shell: true
  direction: minimise
  directory: .
space:
  depth: {integers: [1, 9], step: 2}
  rate: {log_range: [0.001, 1], points: 4}
  book: {boolean: }
  style: [calm, "wild \"one\"", 3, 4.5, true]
  "odd,\nname": [1, 10, 100]
  only: 7
  c: {range: [0, 1], step: 0.25, when: {book: true}}
optimiser: {algorithm: random}
runs: 2
iterations: 12
re_evaluation: 6
hold_out: 5
fail: skip
max_failure_rate: 1
""", "stdin.yaml": r"""
objective:
  command: [python3, stdin.py]
  parameters: stdin
  environment: {LEVEL: "{depth}"}
space: {depth: [1, 2, 3], style: [a, b]}
runs: 1
iterations: 6
hold_out: 2
""", "file.yaml": r"""
objective:
  command: [python3, file.py, '{params:file}']
  parameters: file
  noisy: false
space: {depth: [1, 2, 3], style: [a, b]}
runs: 1
iterations: 6
hold_out: 1
""", "worker.yaml": r"""
objective:
  command: [python3, worker.py]
  protocol: worker
  observations: each
space: {a: [1, 2, 3, 4]}
fail: {value: -1}
max_failure_rate: 1
runs: 2
iterations: 10
hold_out: 4
""", "stdin.py": """
import json, os, sys
depth = json.load(sys.stdin)["depth"]
print(depth * int(os.environ["LEVEL"]) + int(os.environ["NTUNE_SEED"]) % 3)
""", "file.py": """
import json, sys
print(json.load(open(sys.argv[1]))["depth"])
""", "worker.py": """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked["id"], "values": [asked["params"]["a"], asked["seed"] % 3]}
    if asked["seed"] % 4 == 0:
        answer = {"id": asked["id"], "error": "no licence"}
    print(json.dumps(answer), flush=True)
"""}, ignored=("*/lock",))
case("command_failures", """
    ! ntune run abort.yaml --out abort --threads 1
    touch repaired
    ntune run abort.yaml --out abort --threads 1 --resume
    ntune run retry.yaml --out retry --threads 1
    ! ntune run rate.yaml --out rate --threads 1
    ! ntune eval missing.yaml --set a=1 --threads 1
    ! ntune check missing.yaml --dry-run
    ! ntune eval slow.yaml --set a=1 --times 1
    ! ntune eval words.yaml --set a=1 --times 1
    ! ntune eval long.yaml --set a=1 --times 1
""", files={
    "abort.yaml": "{objective: {command: '[ {a} != 3 ] || [ -e repaired ] || {{ echo out of order "
                  ">&2; exit 1; }}; "
                  "echo {a}', shell: true}, space: {a: [1, 2, 3, 4]}, optimiser: random, runs: 1, "
                  "iterations: 20, hold_out: 3}\n",
    "retry.yaml": "{objective: {command: 'if [ -e tried{evaluation} ]; then echo {a}; else touch "
                  "tried{evaluation}; exit 75; fi', "
                  "shell: true, backoff: 0.01}, space: {a: [1, 2, 3]}, runs: 1, iterations: 6, "
                  "hold_out: 0}\n",
    "rate.yaml": "{objective: {command: 'exit {a}', shell: true}, space: {a: [3, 4]}, fail: skip, "
                 "runs: 1, iterations: 60}\n",
    "missing.yaml": "{objective: {command: [no-such-program, '{a}']}, space: {a: [1, 2]}, "
                    "budget: 20}\n",
    "slow.yaml": "{objective: {command: 'sleep 1{a}', shell: true, timeout: 0.2, retries: 0}, "
                 "space: {a: [1, 2]}}\n",
    "words.yaml": "{objective: {command: [echo, 'hello {a}']}, space: {a: [1, 2]}}\n",
    "long.yaml": "{objective: {command: [seq, '{a}', '300'], max_output: 1000}, space: {a: [1, "
                 "2]}}\n"},
    ignored=("*/lock",))

# --- ntune: folders of studies that the other programs have made

case("made_evaluations", """
    ntune run study.yaml --out seed1 --threads 1
    ntune run study.yaml --out seed2 --threads 1 --seed 2
    ntune run study.yaml --out seed3 --threads 1 --seed 3
    ntune run normal.yaml --out normal --threads 1
""", makes=True, files={"study.yaml": """
objective: {function: hartmann6, noise: win_loss}
space: {x1: {choices: [0, 0.2, 0.4], default: 0}}
runs: 2
iterations: 150
record: evaluations
""", "normal.yaml": """
{objective: {function: branin, noise: {gaussian: 0.3}}, space: {x1: {range: [0, 10], points: 11,
 default: 4}},
 runs: 3, iterations: 60, optimiser: ntbea, record: evaluations, parallel_evaluations: 1}
"""}, ignored=("*/lock",))
case("made_runs", """
    ntune run study.yaml --out seed1 --threads 1
    ntune run study.yaml --out seed2 --threads 1 --seed 2
    ntune run table.yaml --out table1 --threads 1
    ntune run table.yaml --out table2 --threads 1 --seed 2
    ntune run splits.yaml --out splits --threads 1
    ntune run bao.yaml --out bao --threads 1
    ntune run slide3.yaml --out slide3 --threads 1
""", makes=True, files={
    "study.yaml": "{objective: hartmann3, runs: 4, iterations: 60, optimiser: ntbea}\n",
    "table.yaml": "{objectives: [hartmann3, branin], optimisers: [ntbea, random, tpe], runs: 3, "
                  "iterations: 30, name: A table}\n",
    "splits.yaml": "{objective: hartmann3, budget: 200, splits: [{runs: 1}, {runs: 4}], repeats: "
                   "4, optimiser: ntbea}\n",
    "bao.yaml": "{objective: {game: bao, depth: 1}, space: {material: [1, 4], house: [0, 20], "
                "back1: [-1, 0, 1]}, runs: 1, "
                "iterations: 30, hold_out: 10, optimiser: ntbea}\n",
    "slide3.yaml": "{objective: {game: slide3, dtw: 8, depth: 3}, space: {man: [0, 0.1, 1], "
                   "randomisation: [none, add], "
                   "intensity: {choices: [0.1, 1], when: {randomisation: add}}}, runs: 2, "
                   "iterations: 40, hold_out: 20}\n"},
    ignored=("*/lock",))
case("made_program", """
    ntune run study.yaml --out out --threads 1
    ntune run cost.yaml --out cost --threads 1
""", makes=True, files={"study.yaml": """
objective:
  command: '[ $(( {seed} % 9 )) != 0 ] || {{ echo no memory >&2; exit 1; }};
    echo $(( {a} * {a} + {seed} % 20 ))'
  shell: true
space: {a: {integers: [1, 6], default: 2}, b: {boolean: , default: true}}
runs: 2
iterations: 30
hold_out: 20
optimiser: ntbea
fail: skip
max_failure_rate: 1
""", "cost.yaml": """
objective:
  command: [sh, -c, 'echo $(( $1 * $1 + $2 % 50 ))', sh, '{a}', '{seed}']
  direction: minimise
space: {a: {integers: [1, 6]}}
optimisers: [ntbea, random]
runs: 3
iterations: 15
hold_out: 8
"""}, ignored=("*/lock",))

# --- ntune: journals written before go on

SEED1 = "inputs/made/made_evaluations"
case("resume_evaluations", "\n".join(f"""
    mkdir out{lines}; cp {SEED1}/seed1/study.yaml out{lines};
      head -n {lines} {SEED1}/seed1/journal.log >out{lines}/journal.log
    ntune run out{lines}/study.yaml --out out{lines} --resume --threads 1
    cmp out{lines}/result.json {SEED1}/seed1/result.json && cmp out{lines}/runs.csv
      {SEED1}/seed1/runs.csv
""" for lines in (1, 40, 220, 350)), ignored=("*/lock",))
case("resume_torn", f"""
    mkdir out; head -c 5000 {SEED1}/seed1/journal.log >out/journal.log
    ntune watch out --once | sed -E 's/last written .* ago/last written N s ago/'
    ntune run {SEED1}/seed1/study.yaml --out out --resume --threads 1
    ntune run {SEED1}/seed1/study.yaml --out out --resume
    ! ntune run {SEED1}/seed1/study.yaml --out out
    ! ntune run {SEED1}/seed2/study.yaml --out out --resume
    rm out/result.json; sed -i '3s/^/!/' out/journal.log
    ! ntune run {SEED1}/seed2/study.yaml --out out --resume
    ntune run {SEED1}/seed1/study.yaml --out out --resume
""", ignored=("*/lock",))
RUNS = "inputs/made/made_runs"
case("resume_runs", "\n".join(f"""
    mkdir {name}; head -n {lines} {RUNS}/{name}/journal.log >{name}/journal.log
    ntune run {RUNS}/{name}/study.yaml --out {name} --resume --threads 1
    cmp {name}/result.json {RUNS}/{name}/result.json && cmp {name}/runs.csv {RUNS}/{name}/runs.csv
""" for name, lines in (("seed1", 3), ("table1", 10), ("splits", 9), ("bao", 1), ("slide3", 2))),
     ignored=("*/lock",))
case("resume_program", """
    mkdir out; head -n 45 inputs/made/made_program/out/journal.log >out/journal.log
    ntune run inputs/made/made_program/study.yaml --out out --resume --threads 1
    cmp out/result.json inputs/made/made_program/out/result.json
    mkdir cost; head -n 45 inputs/made/made_program/cost/journal.log >cost/journal.log
    ntune run inputs/made/made_program/cost.yaml --out cost --resume --threads 1
    cmp cost/result.json inputs/made/made_program/cost/result.json
""", ignored=("*/lock",))
# A study that Ctrl-C has ended, at a place that differs each time.
case("made_interrupted", """
    ! timeout --foreground --preserve-status -s INT 0.6 ntune run study.yaml --out out
""", keep_only=True, files={"study.yaml": """
{objective: hartmann6, optimiser: {neighbours: 2000}, runs: 150, iterations: 100, hold_out: 100,
 record: evaluations}
"""})
case("resume_interrupted", """
    cp -r inputs/made/made_interrupted/out .
    ntune run inputs/made/made_interrupted/study.yaml --out out --resume --quiet
    ntune run inputs/made/made_interrupted/study.yaml --out out --resume --format csv --quiet
    ntune export inputs/made/made_interrupted/out --per point
    ntune watch inputs/made/made_interrupted/out --once
    ntune report inputs/made/made_interrupted/out
""", ignored=("*/lock", "*/journal.log"))

# --- ntune: what folders of studies are good for

case("export", f"""
    ntune export {SEED1}/seed1
    ntune export {SEED1}/seed1 --per point
    ntune export {SEED1}/seed1 --per point --at-least 5 -o points.csv
    for per in evaluation point; do for to in optuna-journal optuna-sqlite; do
      ntune export {SEED1}/seed1 --per $per --to $to -o $per.$to;
      ntune export inputs/made/made_program/out --per $per --to $to -o program.$per.$to; done; done
    ntune export {SEED1}/seed1 --to optuna-sqlite --optuna-schema 3.1 -o old.db
    ntune export inputs/made/made_program/out
    ntune export inputs/made/made_program/out --per point
    ntune export inputs/made/made_program/cost
    ntune export inputs/made/made_program/cost --per point
    ntune export inputs/made/made_program/cost --to optuna-journal
    ntune export {RUNS}/seed1
    ! ntune export {RUNS}/seed1 --per point
    ntune export {RUNS}/table1 --to csv
    ntune export {RUNS}/table1 --to optuna-sqlite -o table.db
    ntune export {RUNS}/splits --to optuna-journal
    # A journal of months ago, if the source has it.
    [ ! -d inputs/bao/ntbea27.yaml.study ] || ntune export inputs/bao/ntbea27.yaml.study
    ! ntune export {SEED1}/seed1 --to optuna-sqlite
    ! ntune export {SEED1}
""")
case("watch", f"""
    ntune watch {SEED1}/seed1 --once
    ntune watch {RUNS}/table1 --once
    ntune top {SEED1}/seed1 {RUNS}/seed1 {RUNS}/table1 {RUNS}/splits inputs/made/made_program/out
      inputs/made/made_program/cost --once
    ! ntune watch {SEED1} --once
""")
case("merge", f"""
    ntune merge {SEED1}/seed1 {SEED1}/seed2 {SEED1}/seed3 --out merged
    ntune merge {SEED1}/seed3 {SEED1}/seed1 --format json --quiet
    ntune merge {SEED1}/seed1 {SEED1}/seed2 --format csv
    ntune merge {SEED1}/seed1 {SEED1}/seed2 {SEED1}/seed3 --evaluate 400 --threads 2
    ntune merge {RUNS}/seed1 {RUNS}/seed2 --out runs
    ntune merge {RUNS}/table1 {RUNS}/table2 --out table
    cp -r {SEED1}/seed2 part; truncate -s -20 part/journal.log; rm part/result.json
    ! ntune merge {SEED1}/seed1 part
    ntune merge {SEED1}/seed1 part --partial
    ! ntune merge {SEED1}/seed1 {SEED1}/seed1
    ! ntune merge {SEED1}/seed1 {RUNS}/seed2
    ! ntune merge {RUNS}/table1 {RUNS}/table2 --evaluate 10
""", ignored=("*/lock",))
case("verify", f"""
    # It leaves its evaluations beside the study until it is decided.
    cp -r {SEED1} {RUNS} inputs/made/made_program .
    ntune verify made_evaluations/seed1 --against bad.yaml --out verify.json
    ntune verify made_evaluations/seed1 --against made_evaluations/seed2 --evaluations 2000 --format json --quiet
    ntune verify made_evaluations/seed1 --against bad.yaml --format csv --elo0 10 --elo1 60 --alpha 0.01
      --seed 8
    ntune verify made_evaluations/seed1 --against bad.yaml --test logistic
    ntune verify made_evaluations/seed1 --against made_evaluations/seed1
    ntune verify made_evaluations/normal --against normal.yaml
    ntune verify made_evaluations/normal --against normal.yaml --effect1 0.5 --format json --threads 2
    ntune verify made_runs/bao --evaluations 300
    ntune verify made_runs/bao --against bao.yaml --match --evaluations 400
    ntune verify made_runs/slide3 --against slide3.yaml --evaluations 200
    ntune verify made_program/out --study made_program/study.yaml
      --evaluations 60 --threads 1
    ! ntune verify made_evaluations/seed1
    ! ntune verify made_evaluations/seed1 --against wrong.yaml
    ! ntune verify made_evaluations/seed1 --against bad.yaml --match
    ! ntune verify made_evaluations/seed1 --elo0 5 --elo1 5
""", files={
    "bad.yaml": "{x1: 0, x2: 0, x3: 0, x4: 0, x5: 0, x6: 0}\n",
    "normal.yaml": '{x1: 0, x2: 3.75}\n',
    "bao.yaml": "{material: 4, house: 20, back1: -1}\n",
    "slide3.yaml": "{man: 0.1, randomisation: none, intensity: 0.1}\n",
    "wrong.yaml": "{x1: 7}\n"},
    ignored=("*/lock", "made_*"))
case("deviations", f"""
    # It leaves its evaluations beside the study until it is decided.
    cp -r {SEED1} {RUNS} inputs/made/made_program .
    ntune deviations made_evaluations/seed1 --evaluations 8000 --out deviations.csv
    ntune deviations made_evaluations/seed1 --evaluations 4000 --default bad.yaml --out deviations.json
      --quiet --format csv
    ntune deviations made_evaluations/normal --evaluations 3000 --format json --seed 3 --threads 2
    ntune deviations made_runs/bao --evaluations 400
    ntune deviations made_program/out --study made_program/study.yaml
      --evaluations 100 --threads 1
""", files={"bad.yaml": "{x1: 0, x2: 0, x3: 0, x4: 0, x5: 0, x6: 0}\n"},
    ignored=("*/lock", "made_*"))
case("recommend_data", f"""
    awk 'BEGIN {{ print "x,y,score"; for (i = 0; i < 90; i++) {{ x = i % 5; y = i % 3;
      print x "," y "," (-(x - 3) * (x - 3) + y + (i % 7) * 0.1) }} }}' >data.csv
    ntune recommend data.csv --payoff score
    ntune recommend data.csv --payoff score --top 20 --format csv
    ntune recommend data.csv --payoff score --minimise --space space.yaml --model gaussian_process
      --format json
    for m in ntbea gaussian_process tpe auto; do
      ntune recommend data.csv --payoff score --model $m; done
    ntune recommend data.csv --payoff score --model '{{weighting: linear, T: 3}}'
    ntune recommend frame.csv --points 4
    ntune export {SEED1}/seed1 --to optuna-journal -o trials.log
    ntune recommend trials.log
    ntune recommend trials.log --format json --model gaussian_process
    ntune export inputs/made/made_program/cost --to optuna-journal -o cost.log
    ntune recommend cost.log --top 3
    ! ntune recommend {SEED1}/seed1/journal.log
    ! ntune recommend data.csv
    ! ntune recommend data.csv --payoff score --model spsa
    ! ntune recommend nothing.csv
""", files={
    "space.yaml": "{x: {integers: [0, 4]}, y: [0, 1, 2]}\n",
    "frame.csv": """
number,value,datetime_start,params_x,params_y,state
0,1.5,2026-01-01,3,a,COMPLETE
1,,2026-01-01,4,b,FAIL
2,2.5,2026-01-01,3.5,b,COMPLETE
3,0.5,2026-01-01,9,b,COMPLETE
"""})
case("report", f"""
    ntune report {SEED1}/seed1 -o seed1.html --default x1=0 --default x2=0.4
    ntune report {RUNS}/seed1 -o runs.html --quiet
    ntune report {RUNS}/table1 {RUNS}/splits {SEED1}/normal -o several.html
      --threads 1
    ntune report inputs/made/made_program/out inputs/made/made_program/cost
    ! ntune report {SEED1} -o none.html
    ! ntune report {SEED1}/seed1 -o none.html --default x9=1
""")
FIGURES = "candidates convergence history main_effects pairs importance agreement sampling"
COMPARISON_FIGURES = "ranks scores distribution differences convergence"
case("plot", f"""
    for f in {FIGURES}; do ntune plot {SEED1}/seed1 --figure $f -o seed1.$f.svg;
      ntune plot {RUNS}/seed1 --figure $f -o runs.$f.svg --width 90;
      ntune plot inputs/made/made_program/out --figure $f -o program.$f.svg; done
    for f in {COMPARISON_FIGURES}; do ntune plot {RUNS}/table1 --figure $f -o table.$f.svg; done
    ntune plot {RUNS}/table1 --figure main_effects -o table.2.svg --objective 2
    ntune plot {RUNS}/splits --figure scores -o splits.svg
    ntune plot inputs/made/made_program/cost --figure scores -o cost.svg
    ntune plot {SEED1}/seed1 --figure importance -o importance.png
    ntune plot {SEED1}/seed1 --figure importance -o importance.pdf
    ! ntune plot {SEED1}/seed1 --figure scores -o none.svg
    ! ntune plot {SEED1}/seed1 --figure convergance -o none.svg
    ! ntune plot {SEED1}/seed1 --figure pairs -o none.gif
""")

# --- ntune: evaluations by other programs

ASK = """
{objective: {ask_tell: bot, direction: minimise}, space: {a: [1, 2, 3], b: [x, y]}, runs: 2,
 iterations: 6,
 hold_out: 3, re_evaluation: 2, parallel_evaluations: 3}
"""
case("serve", """
    printf '%s\\n' '{"op":"ask"}' '{"op":"ask"}' '{"op":"ask"}' '{"op":"ask"}' '{"op":"status"}'
      '{"op":"recommend"}' '{"op":"tell","id":1,"value":2.5}'
      '{"op":"tell","id":0,"values":[0.5, 1]}' '{"op":"tell","id":0,"value":1}'
      '{"op":"tell","id":2,"value":"x"}' '{"op":"tell"}' '{"op":"jump"}' '[1]' 'hello' ''
      '{"op":"recommend"}' '{"op":"fail","id":2,"reason":"no licence"}' '{"op":"ask"}'
      '{"op":"status"}' '{"op":"quit"}' | ntune serve skip.yaml --out out
    (cat; echo '{"op":"status"}') <again.txt | ntune serve skip.yaml --out out --resume
    printf '%s\\n' '{"op":"ask"}' '{"op":"ask"}' | ntune serve study.yaml
    ! printf '%s\\n' '{"op":"ask"}' '{"op":"fail","id":0}' | ntune serve study.yaml
    ! ntune serve study.yaml --resume
    for i in $(seq 0 99); do echo '{"op":"ask"}'; echo '{"op":"tell","id":'$i',"value":'$((i %
      7))'}'; done | ntune serve one.yaml --out one
""", files={"study.yaml": ASK, "skip.yaml": ASK.replace("runs: 2,", "runs: 2, fail: skip,"),
            "one.yaml": ASK.replace("parallel_evaluations: 3", "seed: 2"),
            "again.txt": '{"op":"ask"}\n{"op":"ask"}\n'}, ignored=("*/lock",))
case("serve_python", """
    python3 inputs/data/ask_tell.py ntune serve inputs/studies/ask_tell.yaml --out out
    ntune export out --per point
    ntune recommend out
    ! ntune run inputs/studies/ask_tell.yaml --threads 1
""", ignored=("*/lock",))
case("ask_tell", """
    ! ntune ask out
    ntune ask out --study study.yaml
    ntune ask out
    ntune ask out
    ntune ask out
    ntune tell out --id 2 --value 2.5
    ntune tell out --id 0 --value 0.5 1.5
    ! ntune tell out --id 0 --value 0.5
    ntune recommend out
    ntune status out --format json
    ntune tell out --id 1 --fail 'no licence'
    ntune status out --format json
    for i in $(seq 40); do work=$(ntune ask out --again); echo "$work"; case $work in *done*)
      break;; esac; id=${work#*:}; ntune tell out --id ${id%%,*} --value $((i % 5)) || exit; done
    ntune recommend out
    ntune status out --format json
""", files={"study.yaml": ASK.replace("runs: 2,", "runs: 2, fail: skip,")}, ignored=("*/lock",))
# The half of a study that was asked for and told by the other program.
case("made_asked", """
    for i in $(seq 0 9); do echo '{"op":"ask"}'; [ $i = 9 ] ||
      echo '{"op":"tell","id":'$i',"value":'$((i % 7))'}'; done | ntune serve study.yaml --out out
""", makes=True, files={"study.yaml": ASK.replace("parallel_evaluations: 3", "seed: 2")},
     ignored=("*/lock",))
case("resume_asked", """
    cp -r inputs/made/made_asked/out .
    ntune status out --format json
    ntune ask out --again
    for i in $(seq 9 99); do echo '{"op":"tell","id":'$i',"value":'$((i % 7))'}'; echo
      '{"op":"ask"}'; done | ntune serve out/study.yaml --out out --resume
    ntune recommend out
""", ignored=("*/lock",))

# --- ntune: spaces of other systems

case("import_space", """
    for f in inputs/spaces/*; do echo "== $f"; ntune import-space $f; done
    for f in inputs/spaces/*; do echo "== $f"; ntune import-space $f --points 4; done
    ntune import-space inputs/spaces/openbench.csv --format openbench
    ntune import-space inputs/spaces/mcts.yaml >>study.yaml; ntune run study.yaml --quiet
    ! ntune import-space inputs/spaces/mcts.yaml --format irace
    ! ntune import-space inputs/spaces/mcts.yaml --format optna
    ! ntune import-space study.yaml
""", files={"study.yaml": """
objective: {command: [echo, '{depth}']}
runs: 1
iterations: 12
hold_out: 2
"""})

# --- ntune: wrong input

H6 = "objective: hartmann6\n"
WRONG = [
    # Keys and types
    H6 + "iteration: 5\n", H6 + "xyzzy: 5\n", "objektive: hartmann6\n", H6 + "runs: many\n",
    H6 + "optimiser: {neighbour: 5}\n", "objective: {function: nk, dimension: 5}\n",
    H6 + "re_evaluation:\n  metod: repeats\n", H6 + "budget: 500\nsplits:\n  - {run: 5}\n",
    H6 + "space:\n  x1: {rang: [0, 1], points: 3}\n", H6 + "space: {x7: [0, 1]}\n",
    H6 + "runs: 2\nruns: 3\n", H6 + "runs: 2.5\n", H6 + "name: [a]\n", "objective: [hartmann6]\n",
    "objectives: hartmann6\n", H6 + "optimiser: [ntbea]\n", "- objective\n", "hartmann6\n",
    # Names
    "objective: hartman6\n", H6 + "optimiser: ntbae\n", H6 + "optimiser: {weighting: linaer}\n",
    H6 + "record: all\n", H6 + "fail: never\n", "objective: {game: slide4}\n",
    # Spaces and tuples
    H6 + "space: {x1: {range: [1, 0], points: 3}}\n", H6 + "space: {x1: []}\n",
    H6 + "space: {x1: [0.1, 0.2, 0.1]}\n", H6 + "space: {x1: [0, .nan]}\n",
    H6 + "space:\n  x1: [0, 1]\n  forbid:\n    - x1: [0, 1]\n", H6 + "space: none.yaml\n",
    H6 + "space: {x1: [0, 9]}\n", H6 + "optimiser:\n  tuples: [1, [x1, x9]]\n",
    # Numbers and combinations
    H6 + "runs: 0\n", H6 + "iterations: [10, 0]\n", H6 + "budget: 9\n", H6 + "seed: -1\n",
    H6 + "optimiser: {T: .inf}\n", "runs: 5\n", "", H6 + "objectives: [hartmann3]\n",
    H6 + "split: auto\n", H6 + "published: none.csv\n", H6 + "optimisers: [ntbea, ntbea]\n",
    # Games, programs, tables
    "objective: {game: bao, opponent: none.yaml}\n", "objective: {game: slide3, dtw: 27}\n",
    "objective: {game: planet_wars, rules: {planets: 99}}\n", "objective: {table: none.csv}\n",
    "objective: {game: asteroids}\nspace: {sequence_lenght: [1, 2]}\n",
    "objective: {command: [echo, '{b}']}\nspace: {a: [1, 2]}\n", "objective: {command: [echo]}\n",
    # YAML itself
    "objective: [hartmann6\n", "objective: hartmann6\n\truns: 5\n", H6 + "---\nruns: 5\n",
    "&a [*a]\n",
]
case("wrong_studies", """
    for i in ??.yaml; do ntune check $i; echo "$i $?"; done 2>&1
    ! ntune run 01.yaml --out out
    ! ntune eval 20.yaml
    ! ntune tabulate 09.yaml --out table.csv
    ! ntune serve 19.yaml
""", files={f"{number:02}.yaml": text for number, text in enumerate(WRONG, 1)})
case("wrong_lines", """
    ! ntune
    ! ntune fly
    ! ntune rnu study.yaml
    ! ntune run
    ! ntune run study.yaml --sed 5
    ! ntune run study.yaml --seed -1
    ! ntune run study.yaml --seed many
    ! ntune run study.yaml --threads 2000
    ! ntune run study.yaml --format xml
    ! ntune run study.yaml study.yaml
    ! ntune run study.yaml --resume
    ! ntune run study.yaml --out study.yaml
    ! ntune run study.yaml --quiet --verbose
    ! ntune run none.yaml
    ! ntune run .
    ! ntune list games
    ! ntune describe hartman6
    ! ntune completion zsh
    ! ntune schema x
    ! ntune eval study.yaml
    ! ntune eval study.yaml --times 0
    ! ntune eval study.yaml --set x1=0
    ! ntune eval study.yaml --set x1=0 --set x2=3
    ! ntune eval study.yaml --set x1=0 --set x3=3
    ! ntune eval study.yaml --set x1=0 --set x1=5
    ! ntune eval study.yaml --set x1
    ntune run study.yaml --out out --quiet
    ! ntune run other.yaml --out out
    ! ntune run study.yaml --out out --seed 2
    ! ntune tabulate study.yaml --times 2 --out /proc/none.csv
    ! ntune export out --at-least 3
    ! ntune merge
    ! ntune verify none
    ! ntune deviations out --evaluations 0
    ! ntune report none
    ! ntune plot out --figure pairs
    ! ntune tell out --value 3
    ! ntune ask out --study other.yaml
    ntune list > /dev/full; echo $?
""", files={
    "study.yaml": "{objective: branin, space: {x1: [0, 5], x2: {range: [0, 15], step: 5}}, "
                  "runs: 2, iterations: 20}\n",
    "other.yaml": "{objective: branin, runs: 2, iterations: 30}\n"},
    ignored=("*/lock", "*/journal.log"))

# --- slide3

SAMPLE = ("215\n125463789\n303\n123586749\n212\n423716859\n108\n124387569\n"
          "114\n123459768\n315\n531462897\n305\n526341978\n401\n136452789\n")
case("made_slide3", """
    slide3 database --out database
""", makes=True)
S3 = "inputs/made/made_slide3/database"
case("slide3_positions", f"""
    slide3 database --k 2
    slide3 database --k 2 --format csv --out two
    slide3 database --k 2 --database two --format json
    slide3 database --database {S3}
    slide3 sample --dtw 5 --count 20 --seed 3 --database {S3}
    slide3 sample --dtw all --count 50 --out sample --database {S3}
    slide3 sample
    slide3 solve
    slide3 solve 215/125463789 --format json
    slide3 solve win --k 2 --format csv
    slide3 solve --k 2 --database two >way; slide3 verify way; slide3 verify way --format csv
    slide3 verify inputs/data/solution.txt
    slide3 four levels --depth 8
    slide3 four levels --depth 6 --steps 2 --format csv
    slide3 four levels --depth 5 --folder levels; slide3 four levels --depth 7 --steps 1 --folder levels
    slide3 four solve --width 2000 --seed 1
    ! slide3 four solve --width 1
    ! slide3 solve 999/123456789
    ! slide3 sample --dtw 27 --database {S3}
    ! slide3 database --database way
""")
case("slide3_players", f"""
    slide3 moves --depth 1-5 --count 100 --database {S3}
    slide3 moves --depth 6-8 --count 20 --eval Nb --randomisation mult --intensity 0.1
      --database {S3} --quiet
    slide3 moves --depth 3 --dtw all --count 60 --eval random_play --format csv --database {S3}
    slide3 moves --sample sample --depth 2 --weight Eu=1 --weight Inv=0.2 --format json
    slide3 autoplay --count 60 --database {S3}
    for e in Eu Man Nb Perm Inv L2 random_play random tile_tab; do
      slide3 autoplay --count 20 --depth 4 --eval $e --database {S3} --quiet; done
    for r in add mult norm_plus norm_minus comb; do slide3 autoplay --count 20 --depth 4 --eval Man
      --randomisation $r --intensity 0.5 --seed 4 --database {S3} --format csv --quiet; done
    for t in all expanded off; do slide3 autoplay --count 20 --depth 4 --randomisation add
      --intensity 0.1 --table $t --win-value 0 --interval positive --rounded --database {S3}
      --quiet; done
    slide3 autoplay --sample sample --no-fat --moves 30 --format json
    slide3 autoplay --sample sample --search astar --evaluations 5000
    slide3 autoplay --count 15 --search astar --h-weight 2 --target total --database {S3} --quiet
    slide3 autoplay --count 15 --search idastar --eval Man --database {S3} --quiet --format json
    printf 'h\\nR9>\\nu\\nr1>\\nR1>\\n\\nu\\n?\\nq\\n' | slide3 play --database {S3}
    slide3 play 215/125463789 --moves 20 --database {S3} --replay game.html
    printf '\\n%.0s' $(seq 200) >blank; slide3 play 215/125463789 --eval Man --randomisation mult
      --intensity 0.2 --seed 5 --depth 3 --database {S3} <blank
    ! slide3 autoplay --sample sample --eval Euclid
    ! slide3 autoplay --sample sample --weight Eu
    ! slide3 autoplay --sample sample --randomisation add
    ! slide3 autoplay --sample sample --search astar --depth 3
    ! slide3 moves --depth=3-2
    ! slide3 autopaly
""", files={"sample": SAMPLE})
for experiment, options in (("a1-a3", "--games 6"), ("4.2", "--games 30"), ("4.3", "--games 30"),
                            ("6.1", "--games 10"), ("6.2", "--games 20"), ("b", "--games 4"),
                            ("d", "--games 6"), ("e1", "--games 20"),
                            ("ranking", "--games 4 --last-depth 3")):
    case(f"slide3_reproduce_{experiment}", f"""
        slide3 reproduce {experiment} {options} {'--plot plot.svg' * (experiment != 'ranking')}
          --database {S3}
        slide3 reproduce {experiment} {options} --seed 2 --table expanded --win-value 0
          --format json --quiet --database {S3}
        slide3 reproduce {experiment} --games 2 --last-depth 1 --format csv --quiet --database {S3}
    """)
case("slide3_reproduce_others", f"""
    slide3 reproduce --list
    slide3 reproduce --list --format csv
    slide3 reproduce 3.4 --database {S3}
    slide3 reproduce intensities --games 3 --depth 3 --format csv --quiet --database {S3}
    slide3 reproduce intensities --games 3 --depth 3 --dtw 16 --win-value 0 --quiet --database {S3}
    slide3 reproduce moves --games 4 --last-depth 2 --quiet --database {S3}
    for e in 6.4 c f reasons; do slide3 reproduce $e --games 3 --depth 3 --quiet --database {S3};
      done
    ! slide3 reproduce b --depth 4 --database {S3}
    ! slide3 reproduce
    ! slide3 reproduce b --list
""")

# --- bao

BAO = "--folder inputs/bao"
START = ("1 1 0 0 1 1 1 1/0 0 0 0 1 2 10 0/0 3 9 1 2 4 0 0/0 0 0 0 0 0 1 1 "
         "st 12,12 h -- South tk -")
case("bao_rules", f"""
    bao perft --depth 10
    bao perft --depth 5 --divide --format json
    bao perft --depth 4 --position '{START}' --divide
    bao perft --depth 3 --format csv --threads 2
    bao replay inputs/data/figure_5.txt
    bao replay inputs/data/figure_5.txt --format json
    bao replay inputs/data/figure_5.txt --format csv
    ! bao replay wrong.txt
    ! bao perft --position 'hello'
    ! bao perft --position '2{START[1:]}'
    printf 'A9L\\nx\\nu\\n?\\np\\n7R*\\nu\\n\\nq\\n' | bao play --north material:depth=2 {BAO}
    bao play --south default:depth=3 --north ga3:depth=3 --seed 4 {BAO} --replay game.html
    bao play --south ngnd6a:search=opponent_model,depth=3,probe_depth=2 --north tdl2b:depth=2 {BAO}
    printf '\\n%.0s' $(seq 200) >blank; bao play --position '{START}' --seed 3 {BAO} <blank
""", files={"wrong.txt": "South: A\n1: 7L* 5R;\n2: 6R* 1L;\n"})
case("bao_match", f"""
    bao match default material {BAO}
    bao match default:depth=3 material:depth=2 {BAO}
    bao match default:depth=4 material:depth=3,compared_depth=2 --random 20 --seed 4 --format json
      {BAO}
    bao match ga3:depth=2 ngnd6a:depth=2 --repeats 2 --one-side --format csv {BAO}
    bao match tdl2b:depth=3 ntbea27:depth=3 --random 10 --threads 2 --quiet {BAO}
    bao match mine.yaml:depth=2 default:depth=2 --random 10 --quiet {BAO}
    for o in own_ties=first own_ties=compared,compared_depth=2,deviation=not_chosen
      probe_horizon=probe probe_roles=kept probe_roles=on_turn opponent_ties=first
      opponent_ties=random speculation=2 own_extension=1 risk_avoidance=advice,compared_depth=3
      risk_avoidance=best_tie,compared_depth=3 'models=default*0.7+material*0.3' table_bits=6
      table_depth=1 order_depth=1 iterative_deepening=true window_reduction=false; do echo "== $o";
      bao match "material:search=opponent_model,depth=3,probe_depth=3,$o" default:depth=3
      --random 12 --quiet {BAO}; done
    ! bao match defalt material {BAO}
    ! bao match default default:dept=3 {BAO}
    ! bao match short.yaml default {BAO}
    ! bao match default default --starts short.yaml
    ! bao match GA3 default --folder .
""", files={"mine.yaml": "evaluation: linear\nmaterial: 1\nback: 2\ncapture: 1\n",
            "short.yaml": "evaluation: linear\nback: [1, 2]\n"})
case("bao_reproduce", "\n".join(f"""
    bao reproduce {table} --players MATERIAL,default,GA3 --random 2 --out results.csv --threads 1
      --plot {table}.svg {BAO}
    bao reproduce {table} --players MATERIAL,default,GA3 --random 2 --out results.csv --format json
      --quiet {BAO}
""" if table < 9 else f"""
    bao reproduce {table} --players MATERIAL,default --random 2 --format csv --quiet {BAO}
    bao reproduce {table} --players MATERIAL,default --random 2 {BAO}
""" for table in range(1, 11)) + f"""
    bao reproduce 1 --random 1 --repeats 2 --quiet {BAO}
    bao reproduce 8 --random 1 --quiet {BAO}
    bao reproduce 4 --players MATERIAL --random 3 --reading own_ties=compared,deviation=not_chosen
      --seed 3 {BAO}
    bao reproduce readings --players MATERIAL --random 1 --tournaments 3,8 {BAO}
    bao reproduce readings --players MATERIAL --random 1 --tournaments 3 --reading own_ties=first
      --format csv {BAO}
    for e in prediction orderings size; do
      bao reproduce $e --players MATERIAL,default,GA3 --random 2 --quiet {BAO}; done
    bao reproduce --list
    echo damaged,1 >>results.csv
    ! bao reproduce 3 --players MATERIAL --random 2 --out results.csv {BAO}
    ! bao reproduce 3 --reading depth=3 {BAO}
    ! bao reproduce 11
""", timeout=120)
TRAININGS = {
    "ga": "depth: 2\nrounds: 2\npopulation: 10\nparents: 3\nfitness_games: 10\npatience: "
          "2\nmost_generations: 4\n"
          "validation_games: 20\n",
    "td-leaf": "depth: 2\nopponent: inputs/bao/ga3.yaml\ninitial: mine.yaml\nlearning_rate: "
               "0.5\nbatches: 6\nbatch_games: 8\n"
               "update_games: 4\ncalibration_games: 20\nvalidate_every: 2\nvalidation_games: 20\n",
    "ngn": "depth: 2\nopponent: material\ninitial: mine.yaml\nlearning_rate: 0.1\nbatches: "
           "4\nbatch_games: 8\n"
           "update_games: 1\ncalibration_games: 20\nvalidate_every: 2\nvalidation_games: "
           "20\nnuclei: 6\n",
}
TRAINING_FILES = {
    **{f"{name}.yaml": text for name, text in TRAININGS.items()},
    "mine.yaml": "evaluation: linear\nmaterial: 1\nback: 2\ncapture: 1\n",
    "ntbea.yaml": "objective: {game: bao, depth: 1}\nspace: {back1: [0, 1], front3: [0, "
                  "2]}\nbudget: 90\nruns: 2\n"
                  "iterations: 30\nhold_out: 10\n"}
case("made_training", "\n".join(f"""
    bao train {name} {name}.yaml --out {name}.out --threads 1
    bao match ./{name}.out:depth=2 material:depth=2 --random 4 --quiet {BAO}
""" for name in (*TRAININGS, "ntbea")) + """
    ! bao train ga ga.yaml --out ga.out
    ! bao train ntbea ga.yaml --out none
""", makes=True, files=TRAINING_FILES, ignored=("*/lock",))
case("bao_train_again", "\n".join(f"""
    cp inputs/made/made_training/{name}.out.checkpoint .; cp inputs/made/made_training/*.yaml .
    bao train {name} {name}.yaml --out {name}.out --resume
    cmp {name}.out inputs/made/made_training/{name}.out
""" for name in TRAININGS) + """
    mkdir ntbea.out.study; head -n 2 inputs/made/made_training/ntbea.out.study/journal.log
      >ntbea.out.study/journal.log
    bao train ntbea ntbea.yaml --out ntbea.out --resume --threads 1
    cmp ntbea.out inputs/made/made_training/ntbea.out
""", ignored=("*/lock", "*.yaml"))
# Trainings that Ctrl-C has ended, at a place that differs each time.
LONG = {"ga": TRAININGS["ga"].replace("fitness_games: 10", "fitness_games: 60"),
        "ngn": TRAININGS["ngn"].replace("batches: 4", "batches: 300")}
LONG = {f"{name}.yaml": text.replace("depth: 2", "depth: 4") for name, text in LONG.items()}
case("made_interrupted_training", "\n".join(f"""
    ! timeout --foreground --preserve-status -s INT 0.7 bao train {name} {name}.yaml
      --out {name}.out
    ls {name}.out.checkpoint
""" for name in ("ga", "ngn")), keep_only=True, files={**TRAINING_FILES, **LONG})
case("bao_train_interrupted", "\n".join(f"""
    cp inputs/made/made_interrupted_training/{name}.out.checkpoint
      inputs/made/made_interrupted_training/*.yaml .
    bao train {name} {name}.yaml --out {name}.out --resume --quiet
""" for name in ("ga", "ngn")), ignored=("*.yaml",))

# --- amazons

FIGURE_2 = "'####/#.##/.#B#/W.##'"
case("made_amazons", """
    amazons database --out database
""", makes=True)
AM = "--database inputs/made/made_amazons/database"
case("amazons_values", f"""
    amazons value {FIGURE_2} --plot value.svg
    amazons value {FIGURE_2} --format json
    amazons value 'B.W/.B#' --format csv
    printf '####/#.##/.#B#/W.##\\r\\n\\n..../..../.#.#/B..W\\n..B/W..' | amazons value -
    sed -nE '/^[0-9]/s/^[0-9]+,([^,]+),.*/\\1/p' inputs/data/sample_600.csv | amazons value -
      --format json {AM}
    amazons database {AM}
    amazons database --format csv --quiet
    amazons database --format json --quiet --threads 1
    ! printf '####/#.##/.#B#/W.##\\nB..\\n' | amazons value -
    ! amazons value 'B.'
    ! amazons value BW --plot none/x.svg
    ! amazons value BW --database inputs/data/sample_600.csv
    amazons conjecture --delta 1/2 --least 3 --most 5 --failures 5
    amazons conjecture --delta 1,1/4 --most 6 --format csv --quiet
    amazons conjecture --delta 1/2 --most 5 --failures 0 --format json
    amazons conjecture --size 4x5 --delta 1,1/2 --most 4 --format csv
""")
case("amazons_tds", f"""
    amazons tds {FIGURE_2} --variant TDS --ties board --reading top
    for v in 0 TDS TDS_1 TDS_13 TDS_134 TDS+ all 123456 3567 3890; do amazons tds {FIGURE_2}
      --variant $v --format json; done
    for p in '####/####/.###/WB.#' '####/.###/#.#./W.B#' '.##./W###/.###/#B##' 'B...W/##.##'
      '...#/.B.#/#..W/##..'; do
      for v in TDS_23 134 TDS_3 TDS+ all; do amazons tds $p --variant $v --table 1 --nodes 200000;
      amazons tds $p --variant $v --literal --table 1 --nodes 200000 --format csv; done; done
    for r in rounded prior top; do amazons tds {FIGURE_2} --reading $r --delta 1/2 --t-max 4
      --margin 4 --format csv; done
    for n in half_smallest smallest half_largest largest minus_one; do
      amazons tds '..../..../.#.#/B..W' --nodes 1000 --no-board-move $n --table 1; done
    amazons tds '....../.B..../....../...#../....W./......' --nodes 5000 --variant all --table 1
    amazons tds {FIGURE_2} --literal-e2 --literal-e4 --literal-key
    ! amazons tds {FIGURE_2} --delta 1/3
    ! amazons tds {FIGURE_2} --variant 14
    ! amazons tds 'B..'
""")
case("amazons_samples", f"""
    # Speeds are left out: the last column of the first table.
    amazons coverage --cases inputs/data/sample_600.csv --variants TDS_13,TDS+,all --nodes 100,1000
      --table 1 --out coverage.csv --plot coverage.svg --threads 1 | sed -E
      '/nodes[/]s$/,/^$/ s/ +[^ ]+$//'
    amazons coverage --cases inputs/data/sample_600.csv --variants TDS_13,TDS+ --nodes 100,1000
      --table 1 --out coverage.csv --threads 1 --format csv
    amazons coverage --cases inputs/data/sample_600.csv --variants all --nodes 2000 --table 1
      --until-none --format json
    amazons coverage --cases inputs/data/sample_600.csv --variants TDS --nodes 500 --table 1
      --delta 1/2 --format csv --quiet
    amazons error --cases inputs/data/sample_600.csv --variants TDS,TDS+,all --nodes 50,500
      --table 1 --plot error.svg
    amazons error --cases inputs/data/sample_600.csv --variants TDS+ --nodes 300 --table 1
      --format json --quiet
    ! amazons coverage --cases inputs/data/sample_600.csv
    ! amazons coverage --cases inputs/data/sample_600.csv --nodes 1 --variants TDS,x
    ! amazons error --cases inputs/data/figure_5.txt --nodes 1
""")
case("amazons_matches", f"""
    amazons match hotstrat-TDS+ arrow --sums 8 --nodes 400
    amazons match sentestrat-all hotstrat-TDS+:nodes=300,no_board_move=half_largest --sums 4
      --boards 3 --size 5 --format json
    amazons match hotstrat-database random --sums 10 --format csv {AM}
    amazons match sentestrat-database:strategy=hotstrat arrow:depth=2,mobility=3 --sums 6 --burnt 5
      --seed 9 --quiet {AM}
    amazons match random arrow --sums 5 --size 6 --boards 2 --nodes 200 --threads 2 --format csv
    amazons compare all --baseline TDS_13 --positions 200 --nodes 300 {AM}
    amazons compare TDS+:delta_exponent=2,margin=4 --positions 100 --least-empties 4
      --most-empties 9 --format json {AM}
    amazons compare all --positions 100 --seed 5 --format csv --quiet
    amazons reproduce 3 --games 4 --nodes 100
    amazons reproduce 4 --games 4 --nodes 100 --sizes 4,5 --boards 2,4 --format json --quiet
    amazons reproduce 4 --games 2 --nodes 60 --player sentestrat-all --opponent random --sizes 4
      --format csv --seed 3
    printf 'hello\\n3:A1-A2xA3\\n1:A1-A2xA3\\n2:b2-b3xb2\\nm 1\\nm\\nu\\np\\n?\\n\\nm 2\\nq\\n'
      | amazons play --white hotstrat-all --position {FIGURE_2} --position '..#/.B#/##W' --nodes 500
    amazons play --black hotstrat-all --white arrow --nodes 200 --boards 2 --seed 2 --replay sum.html
    printf '\\n%.0s' $(seq 200) >blank; amazons play --white random --nodes 100 --boards 2 --size 5
      <blank
    ! amazons match hotstat arrow
    ! amazons match arrow hotstrat-database --size 5
    ! amazons play --position '..../.W../..../....'
    ! amazons reproduce 3 --sizes 7
""")
case("amazons_reproduce", """
    # Positions that are solved at once, with much time: nothing depends on the speed.
    awk -F, '/^#/ || /^id/ || $3 <= 3' inputs/data/sample_600.csv >easy.csv
    amazons reproduce 1 --cases easy.csv --time-scale 30 --table 1 --plot 1.svg --out 1.csv
      --threads 1
    amazons reproduce 1 --cases easy.csv --time-scale 30 --table 1 --longest 2.5 --all-cases
      --format json --quiet
    amazons reproduce 2 --cases easy.csv --time-scale 30 --table 1 --plot 2.svg --format csv
    amazons reproduce fig5 --cases easy.csv --time-scale 30 --table 1 --plot fig5.svg
    amazons reproduce fig5 --cases easy.csv --time-scale 30 --table 1 --format json --quiet
    for e in fig3 fig4 e5 rules; do
      amazons reproduce $e --cases easy.csv --time-scale 0.002 --table 1 --quiet; done
    amazons reproduce --list
    amazons coverage --cases easy.csv --seconds 30,60 --variants TDS+,all --table 1 --format csv
    ! amazons reproduce 7
    ! amazons reproduce 3 --plot x.svg
""")

# --- arcade

WAR = "--agent rhea:tick_budget=60 --opponent 2019:tick_budget=60 --rules ticks=40"
FLIGHT = "--agent rhea:sequence_length=20,tick_budget=200 --rules ticks=150"
case("arcade_play", f"""
    arcade play planet_wars --agent mcts:tick_budget=60 --opponent random --rules ticks=40
      --replay war.html
    arcade play planet_wars --seed 3 --every 40 --quiet
    arcade play planet_wars {WAR} --every 10 --format json
    arcade play planet_wars {WAR} --every 10 --format csv
    arcade play asteroids {FLIGHT} --every 50 --replay new/flight.html
    arcade play asteroids {FLIGHT} --every 30 --format csv --seed 4
    arcade play asteroids --seed 2
    arcade play asteroids --agent one_step --rules ticks=300,lives=2 --format json
    arcade agents
    arcade agents mcts
    arcade agents --format json
    arcade agents --format csv
    ! arcade play planet_war
    ! arcade play asteroids --opponent 2020
    ! arcade play asteroids --replay war.html/x.html
    ! arcade agents mtcs
""")
case("arcade_games", f"""
    arcade score planet_wars {WAR} --games 30
    arcade score planet_wars --games 10 --seed 4 --format json
    arcade score asteroids {FLIGHT} --games 12 --format csv
    arcade score asteroids --games 3 --quiet
    for a in rhea:tick_budget=100,variant=2019 mcts:tick_budget=100,horizon=15 one_step random idle
      2020 2020_faithful 2019
      rhea:sequence_length=7,mutated_points=2,resample=2,flip_one=false,tick_budget=100
      rhea:mutation_transducer=true,repeat_probability=0.6,discount=0.95,tick_budget=100
      rhea:legacy_discount=true,discount=0.9,macro_length=3,tick_budget=100,shift_buffer=false
      rhea:opponent_model=idle,tick_budget=100 rhea:opponent_model=first,tick_budget=100; do
      arcade match --agent $a --rules ticks=60 --games 10 --quiet;
      arcade score asteroids --agent $a --rules ticks=100 --games 4 --quiet; done
    arcade match --games 10 --agent mcts --format json
    arcade match --games 10 --agent one_step --opponent random --one-side --threads 2 --format csv
    arcade match --games 6 --rules planets=6,growth_high=0.3 --seed 8
    ! arcade match --games 7
    ! arcade match --agent rhea:sequence_lenght=5
    ! arcade match --rules planets=99
    ! arcade score asteroids --agent rhae
""")
case("arcade_reproduce", """
    arcade reproduce 2 --configs inputs/configs --runs 10 --plot 2.svg
    arcade reproduce 2 --configs inputs/configs --runs 5 --game asteroids --seed 4 --format json
      --quiet
    arcade reproduce 2 --configs inputs/configs --runs 5 --game planet_wars --format csv --threads 1
    for f in 1 3 4; do
      arcade reproduce fig$f --configs inputs/configs --quiet --plot fig$f.svg; done
    arcade reproduce --list
    # Table 3 as it is takes too long: short games, and a folder of a shortened study.
    mkdir -p short/papers; for g in planet_wars asteroids; do sed -E
      's/legacy_discount: true\\}/legacy_discount: true, tick_budget: 100}, rules: {ticks: 40}/'
      inputs/configs/papers/ntbea_table_3_$g.yaml >short/papers/ntbea_table_3_$g.yaml; done
    arcade reproduce 3 --configs short --scale 0.002 --repeats 2 --plot 3.svg
    arcade reproduce 3 --configs short --scale 0.002 --repeats 1 --game asteroids --seed 3
      --format json --quiet
    ntune run inputs/studies/table_3_planet_wars.yaml --out out --threads 1 --quiet
    arcade reproduce 3 --from out
    arcade reproduce 3 --from out --format csv
    ! arcade reproduce 3 --from out --game asteroids
    ! arcade reproduce 2 --configs none
    ! arcade reproduce 4
""", ignored=("*/lock", "out/journal.log", "short/*"))


def all_cases(inputs):
    """Every case, those of the studies too."""
    return CASES + list(study_cases(inputs))
