#pragma once

namespace ntune::cli {

class Program;

/// Adds the commands that work on a study's folder, and those of tables and of other systems'
/// files.
void add_folder_commands(Program& program);

/// Adds the commands that show studies: reports, figures and what is going on.
void add_show_commands(Program& program);

}  // namespace ntune::cli
