# run.R SEED: irace on the scenario of the working directory; prints the best configuration as a CSV row
# with the number of experiments.
suppressPackageStartupMessages(library(irace))
seed <- as.integer(commandArgs(trailingOnly = TRUE)[1])
log <- tempfile(fileext = ".Rdata")
scenario <- readScenario("scenario.txt")
scenario$seed <- seed
scenario$logFile <- log
scenario$testInstancesFile <- ""
scenario$testNbElites <- 0L
# irace 4 reads the parameters by itself, and keeps its log elsewhere.
before_4 <- packageVersion("irace") < "4.0"
tune <- function() if (before_4) irace(scenario, readParameters(scenario$parameterFile)) else irace(scenario)
invisible(capture.output(best <- tune(), file = stderr()))
load(log)
best <- removeConfigurationsMetaData(best[1, ])
best$experiments <- nrow(if (before_4) iraceResults$experimentLog else iraceResults$state$experiment_log)
write.csv(best, row.names = FALSE)
