#pragma once

// What most tests include, see CMakeLists.txt.
#include "../lib/precompiled.h"
#include "catch.h"
