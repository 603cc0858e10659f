#include "apps/amazons/amazons.h"

int main(int argc, char** argv) { return ntune::cli::app_main(argc, argv, ntune::amazons::run); }
