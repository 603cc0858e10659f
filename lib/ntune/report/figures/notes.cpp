#include "ntune/report/figures/notes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"

namespace ntune {

namespace {

constexpr double kLetter = 6.0;
constexpr double kAbove = 9.0;  ///< from the base line of a text to its upper edge
constexpr double kBelow = 2.0;

struct Spot {
  double x = 0.0;
  double y = 0.0;
};

struct Box {
  double left = 0.0;
  double right = 0.0;
  double top = 0.0;
  double bottom = 0.0;

  [[nodiscard]] bool holds(const Spot& spot) const {
    return spot.x >= left && spot.x <= right && spot.y >= top && spot.y <= bottom;
  }
  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// A share of an axis; the middle of one that has no length.
double share_of(const Axis& axis, double value) {
  const double share = position(axis, value);
  return std::isfinite(share) ? share : 0.5;
}

Spot spot_of(const Panel& panel, const NoteArea& size, const Place& place) {
  return {size.width * share_of(panel.x, place.x),
          size.height * (1.0 - share_of(panel.y, place.y))};
}

Box box_of(const Panel& panel, const NoteArea& size, const Note& note) {
  const Spot at = spot_of(panel, size, note.at);
  const double width = kLetter * static_cast<double>(text_columns(note.text));
  double left = at.x + note.dx;
  if (note.anchor == Note::Anchor::kMiddle) left -= 0.5 * width;
  if (note.anchor == Note::Anchor::kEnd) left -= width;
  const double base = at.y + note.dy;
  return {left, left + width, base - kAbove, base + kBelow};
}

/// Places along a piece of a line, two pixels apart.
void add_piece(const Spot& from, const Spot& to, std::vector<Spot>& spots) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const int steps = std::max(1, static_cast<int>(0.5 * length));
  for (int step = 0; step <= steps; ++step) {
    const double share = static_cast<double>(step) / steps;
    spots.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
}

/// What a note is not to cover.
struct Obstacles {
  std::vector<Spot> spots = {};  ///< of lines and whiskers
  std::vector<Box> notes = {};
};

Obstacles obstacles_of(const Panel& panel, const NoteArea& size) {
  Obstacles found;
  for (const Mark& mark : panel.marks) {
    if (const auto* line = std::get_if<Line>(&mark)) {
      for (std::size_t i = 1; i < line->points.size(); ++i) {
        add_piece(spot_of(panel, size, line->points[i - 1]), spot_of(panel, size, line->points[i]),
                  found.spots);
      }
    } else if (const auto* whisker = std::get_if<Whisker>(&mark)) {
      add_piece(spot_of(panel, size, whisker->from), spot_of(panel, size, whisker->to),
                found.spots);
    } else if (const auto* note = std::get_if<Note>(&mark)) {
      found.notes.push_back(box_of(panel, size, *note));
    }
  }
  return found;
}

/// How much a box covers, and how far it leaves the panel.
double cost_of(const Box& box, const Obstacles& obstacles, const NoteArea& size) {
  constexpr double kNote = 100.0;
  constexpr double kSlack = 3.0;  // pixels that a text may stand out
  auto cost = static_cast<double>(
      std::ranges::count_if(obstacles.spots, [&](const Spot& spot) { return box.holds(spot); }));
  for (const Box& note : obstacles.notes) cost += box.meets(note) ? kNote : 0.0;
  return cost + std::max(0.0, -box.left - kSlack) + std::max(0.0, box.right - size.width - kSlack) +
         std::max(0.0, -box.top - kSlack) + std::max(0.0, box.bottom - size.height);
}

}  // namespace

void place_note(Panel& panel, Note note, bool above_first, const NoteArea& size) {
  using Anchor = Note::Anchor;
  constexpr double kUp = -10.0;
  constexpr double kDown = 18.0;
  constexpr double kBeside = 11.0;
  const double share = share_of(panel.x, note.at.x);
  const Anchor usual = share < 0.3 ? Anchor::kStart : share > 0.7 ? Anchor::kEnd : Anchor::kMiddle;
  const double first = above_first ? kUp : kDown;
  const double second = above_first ? kDown : kUp;
  struct Way {
    Anchor anchor;
    double dx;
    double dy;
  };
  std::vector<Way> ways;
  for (const double dy : {first, second}) {
    ways.push_back({usual, 0.0, dy});
    for (const Anchor anchor : {Anchor::kStart, Anchor::kEnd, Anchor::kMiddle}) {
      ways.push_back({anchor, 0.0, dy});
    }
  }
  ways.push_back({Anchor::kStart, kBeside, 4.0});
  ways.push_back({Anchor::kEnd, -kBeside, 4.0});
  // Between the arms of a cross.
  for (const double dy : {-8.0, 16.0}) {
    ways.push_back({Anchor::kStart, 7.0, dy});
    ways.push_back({Anchor::kEnd, -7.0, dy});
  }
  // Of ways that cover as little the first is taken.
  const Obstacles obstacles = obstacles_of(panel, size);
  double least = std::numeric_limits<double>::infinity();
  Note best = note;
  for (const Way& way : ways) {
    note.anchor = way.anchor;
    note.dx = way.dx;
    note.dy = way.dy;
    const double cost = cost_of(box_of(panel, size, note), obstacles, size);
    if (cost >= least) continue;
    least = cost;
    best = note;
  }
  panel.marks.emplace_back(std::move(best));
}

}  // namespace ntune
