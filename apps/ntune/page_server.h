#pragma once

#include "apps/ntune/show_commands.h"

namespace ntune::cli {

/// Serves the page of a study on the loopback address until Ctrl-C: `/` is the page of what is
/// there by then, `/state` a line on the study and what the page was made from, as JSON. Nothing
/// else is served, nothing is written, and a request that names another host is refused. The page
/// loads itself again when the study has gone on. Throws InputError where the port cannot be used.
int serve_page(const WatchArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
