#include <string_view>

#include "ntune/version.h"

int main() { return std::string_view(ntune::kVersion) == EXPECTED_VERSION ? 0 : 1; }
