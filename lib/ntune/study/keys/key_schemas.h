#pragma once

#include "ntune/core/json.h"

namespace ntune {

// JSON Schemas that several keys of a study are made of.

/// The schema that is written so.
inline Json schema_of(const char* text) { return Json::parse(text); }
/// A list with at least one such item.
inline Json list_schema(const Json& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 1}};
}

}  // namespace ntune
