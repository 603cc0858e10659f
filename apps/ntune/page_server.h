#pragma once

#include "apps/ntune/show_commands.h"

namespace ntune::cli {

/// Serves on the loopback address until Ctrl-C. Of a study's folder, `/` is its page as it is by
/// then and `/state` a line on it; the page loads itself again when the study has gone on. Of
/// another folder, `/` is the board of all studies below it, `/rows` what it shows, `/study` a
/// study's page, `/compare` that of two, and `/note` keeps a note in a study's folder. Nothing else
/// is served or written, and a request that names another host is refused. Throws InputError where
/// the port cannot be used.
int serve_page(const WatchArguments& arguments, const Terminal& terminal);

}  // namespace ntune::cli
