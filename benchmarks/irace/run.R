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
invisible(capture.output(best <- irace(scenario, readParameters(scenario$parameterFile)), file = stderr()))
load(log)
best <- removeConfigurationsMetaData(best[1, ])
best$experiments <- nrow(iraceResults$experimentLog)
write.csv(best, row.names = FALSE, quote = FALSE)
