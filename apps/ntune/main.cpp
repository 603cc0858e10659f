#include "apps/ntune/cli.h"

int main(int argc, char** argv) { return ntune::cli::app_main(argc, argv, ntune::cli::run); }
