#include "apps/arcade/arcade.h"

int main(int argc, char** argv) { return ntune::cli::app_main(argc, argv, ntune::arcade::run); }
