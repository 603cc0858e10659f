#pragma once

#include "ntune/plot/figure.h"

namespace ntune {

/// Puts a note beside its mark and into the panel: above, below, at a side or a corner, where it
/// covers least of the lines, whiskers and other notes that the panel has already.
void place_note(Panel& panel, Note note, bool above_first);

}  // namespace ntune
