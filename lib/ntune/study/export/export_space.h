#pragma once

#include <string>

#include "ntune/study/model/study.h"

namespace ntune {

/// The space of a study for irace: a line for each parameter with its condition, and the section
/// [forbidden]. Reals have no grid there.
std::string irace_parameters(const Study& study);
/// The default as irace's table of configurations; empty where there is none.
std::string irace_configurations(const Study& study);
/// A scenario that names the files parameters.txt, configurations.txt, instances.txt and
/// test_instances.txt, as far as there are such.
std::string irace_scenario(const Study& study);
/// A line for each instance.
std::string instance_lines(const InstanceList& instances);

/// The space with its defaults in the PCS format of SMAC and AClib, as SMAC 2.08 has it.
std::string pcs_text(const Study& study);

}  // namespace ntune
