# instance_effects.R TABLES CSV [RUNS]: irace (r-cran-irace) on the landscapes of up to 2,000 points and
# the instances that `instance_effects --tables TABLES` has written, 300 experiments each. It adds the
# rows that CSV lacks.
suppressPackageStartupMessages(library(irace))
arguments <- commandArgs(trailingOnly = TRUE)
tables <- strsplit(readLines(arguments[1]), " ")
csv <- arguments[2]
runs <- if (length(arguments) > 2) as.integer(arguments[3]) else Inf
budget <- 300L
sigma <- as.numeric(tables[[2]])

landscapes <- list()
effects <- list()
at <- 3
while (at <= length(tables)) {
  if (tables[[at]][1] == "landscape") {
    landscapes[[length(landscapes) + 1]] <- list(name = paste(tables[[at + 1]], collapse = " "),
                                                 axes = tables[[at + 2]],
                                                 truth = as.numeric(tables[[at + 3]]))
    at <- at + 4
  } else {
    key <- tables[[at + 1]]
    effects[[length(effects) + 1]] <- list(size = key[1], instances = as.integer(key[2]),
                                           run = as.integer(key[3]),
                                           values = as.numeric(tables[[at + 2]]))
    at <- at + 3
  }
}

# The regret of the best elite of one call of irace.
regret_of <- function(landscape, effect) {
  axes <- landscape$axes
  cardinality <- as.integer(sub("u", "", axes))
  names <- paste0("x", seq_along(axes))
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
  calls <- 0L
  runner <- function(experiment, scenario) {
    calls <<- calls + 1L
    index <- index_of(experiment$configuration)
    # irace fixes R's random numbers around this call, and has one seed for all configurations on an
    # instance: their noise is to be their own.
    set.seed((experiment$seed %% 1000003) * 1009 + (index * 7919) %% 1000033)
    payoff <- landscape$truth[index + 1] + effect$values[as.integer(experiment$instance)] + sigma * rnorm(1)
    list(cost = -payoff, call = "ntune")
  }
  scenario <- list(targetRunner = runner, instances = as.character(seq_len(effect$instances)),
                   maxExperiments = budget, logFile = "", seed = 25000L + effect$run,
                   deterministic = FALSE, debugLevel = 0)
  elites <- NULL
  invisible(capture.output(elites <- irace(scenario = scenario, parameters = parameters)))
  stopifnot(calls <= budget)
  max(landscape$truth) - landscape$truth[index_of(elites[1, ]) + 1]
}

landscapes <- Filter(function(landscape) length(landscape$truth) <= 2000, landscapes)
known <- if (file.exists(csv)) readLines(csv) else character()
if (length(known) == 0) {
  cat("landscape,optimiser,effect,interaction,instances,evaluations,method,run,regret,seconds\n",
      file = csv)
}
for (effect in effects) {
  if (effect$run >= runs) next
  for (landscape in landscapes) {
    row <- sprintf('"%s",irace,%s,0,%d,%d,removed,%d', landscape$name, effect$size, effect$instances,
                   budget, effect$run)
    if (any(startsWith(known, paste0(row, ",")))) next
    begin <- proc.time()[["elapsed"]]
    regret <- regret_of(landscape, effect)
    cat(sprintf("%s,%s,%.3f\n", row, format(regret, digits = 15), proc.time()[["elapsed"]] - begin),
        file = csv, append = TRUE)
  }
}
