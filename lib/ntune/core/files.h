#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ntune {

/// The whole content of a file of at most `limit` bytes. Throws InputError "path: reason".
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

/// The path for a message: on one line, safe on a terminal, at most 1,000 bytes.
std::string path_text(const std::filesystem::path& path);

/// Makes the folder (with parents) if need be and proves that a file can be made in it.
/// Throws InputError "path: reason".
void ensure_writable_folder(const std::filesystem::path& folder);

/// Replaces or creates a file whole or not at all: temporary file beside it, sync, rename, sync of
/// the folder. Throws InputError "path: reason"; the temporary file is removed then.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

}  // namespace ntune
