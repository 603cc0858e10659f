# irace.R TABLE TRIALS SEED RUNS REPEATS: irace on a landscape of compare_peers.py, a trial is the mean
# of REPEATS evaluations. Writes a line a run: the best elite, then every point and its payoff.
suppressPackageStartupMessages(library(irace))
arguments <- commandArgs(trailingOnly = TRUE)
lines <- readLines(arguments[1])
budget <- as.integer(arguments[2])
seed <- as.integer(arguments[3])
runs <- as.integer(arguments[4])
repeats <- as.integer(arguments[5])
axes <- strsplit(lines[1], " ")[[1]]
cardinality <- as.integer(sub("u", "", axes))
noise <- lines[2]
values <- lapply(strsplit(lines[-(1:2)], " "), as.numeric)
names <- paste0("x", seq_along(axes))
# An axis with a u is unordered. irace asks for a range of two values or more.
type <- ifelse(grepl("u", axes), "c", "i")
range <- ifelse(type == "c",
                sapply(cardinality, function(r) paste0('"', 0:(r - 1), '"', collapse = ", ")),
                paste0("0, ", cardinality - 1))
parameters <- readParameters(text = paste0(names, ' "" ', type, " (", range, ")", collapse = "\n"))

index_of <- function(configuration) {
  index <- 0
  for (i in seq_along(axes)) {
    index <- index * cardinality[i] + as.integer(as.character(configuration[[names[i]]]))
  }
  index
}

# irace evaluates all candidates of an instance with one seed. A landscape's noise is independent from
# evaluation to evaluation, so that it comes from a stream of its own. With irace's seed all candidates
# would meet the same quantile of their payoffs, and hardly any noise would be left between them.
set.seed(seed)
noise_stream <- .Random.seed
with_noise <- function(draw) {
  iraces <- get(".Random.seed", globalenv())
  assign(".Random.seed", noise_stream, globalenv())
  payoff <- draw()
  noise_stream <<- get(".Random.seed", globalenv())
  assign(".Random.seed", iraces, globalenv())
  payoff
}

for (run in seq_len(runs)) {
  trials <- character()
  runner <- function(experiment, scenario) {
    index <- index_of(experiment$configuration)
    value <- values[[index + 1]]
    payoff <- with_noise(function() {
      if (noise == "recorded") mean(value[sample.int(length(value), repeats, replace = TRUE)])
      else if (noise != "0") value + as.numeric(noise) * mean(rnorm(repeats))
      else 2 * mean(runif(repeats) < value) - 1
    })
    trials <<- c(trials, paste(index, format(payoff, digits = 10)))
    list(cost = -payoff, call = "ntune")
  }
  scenario <- list(targetRunner = runner, instances = 1, maxExperiments = budget, logFile = "",
                   seed = seed * 1000L + run, deterministic = FALSE, debugLevel = 0)
  elites <- NULL
  failure <- NULL
  invisible(capture.output(
    elites <- tryCatch(irace(scenario = scenario, parameters = parameters),
                       error = function(e) { failure <<- conditionMessage(e); NULL })))
  if (is.null(elites)) {
    message(gsub("\n", " ", failure))
    quit(status = 3)
  }
  cat(index_of(elites[1, ]), trials, "\n")
}
