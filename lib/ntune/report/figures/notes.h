#pragma once

#include "ntune/plot/figure.h"

namespace ntune {

/// Pixels of the part of a panel that shows the marks; of one among others on a phone unless given.
struct NoteArea {
  double width = 118.0;
  double height = 93.0;
};

/// Puts a note beside its mark and into the panel: above, below, at a side or a corner, where it
/// covers least of the lines, whiskers and other notes that the panel has already.
void place_note(Panel& panel, Note note, bool above_first, const NoteArea& size = {});

}  // namespace ntune
