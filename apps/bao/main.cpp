#include "apps/bao/bao.h"

int main(int argc, char** argv) { return ntune::cli::app_main(argc, argv, ntune::bao::run); }
