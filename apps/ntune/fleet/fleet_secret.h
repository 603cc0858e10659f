#pragma once

#include <filesystem>
#include <string>

namespace ntune::cli {

/// What a server of workers and its workers know: a secret word, and the server's certificate.
struct FleetSecret {
  std::string token;
  std::string certificate = {};  ///< as PEM; empty: for connections within one machine alone
  std::string key = {};          ///< of the certificate, as PEM; the server's alone
};

/// The secret of a file: a line with the word, then the certificate. Throws InputError.
FleetSecret read_fleet_secret(const std::filesystem::path& file);

/// The server's, with the key from `file`.key. Makes both files where there are none, readable by
/// this user alone. Throws InputError.
FleetSecret fleet_secret_of_server(const std::filesystem::path& file);

}  // namespace ntune::cli
