#include "apps/slide3/slide3.h"

int main(int argc, char** argv) { return ntune::cli::app_main(argc, argv, ntune::slide3::run); }
