#include "apps/ntune/fleet/fleet_secret.h"

#include <fcntl.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "apps/ntune/fleet/openssl_objects.h"
#include "ntune/core/descriptor.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/text.h"

namespace ntune::cli {

namespace fs = std::filesystem;

namespace {

using openssl::Certificate;
using openssl::Key;
using openssl::Memory;

void require(bool good) {
  if (!good) throw InputError("--token: OpenSSL could not make a certificate");
}

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

/// A certificate that vouches for itself, at any time: it is known by its bytes, not by its name.
Certificate certificate_of(EVP_PKEY* key) {
  Certificate certificate(X509_new());
  X509* made = certificate.get();
  require(made != nullptr && X509_set_version(made, X509_VERSION_3) == 1);
  require(ASN1_INTEGER_set(X509_get_serialNumber(made), 1) == 1);
  require(ASN1_TIME_set_string(X509_getm_notBefore(made), "20000101000000Z") == 1);
  require(ASN1_TIME_set_string(X509_getm_notAfter(made), "99991231235959Z") == 1);
  X509_NAME* name = X509_get_subject_name(made);
  const std::string_view own = "ntune";
  require(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                     reinterpret_cast<const unsigned char*>(own.data()),
                                     static_cast<int>(own.size()), -1, 0) == 1);
  require(X509_set_issuer_name(made, name) == 1 && X509_set_pubkey(made, key) == 1);
  require(X509_sign(made, key, EVP_sha256()) > 0);
  return certificate;
}

FleetSecret make_secret() {
  FleetSecret secret;
  std::array<unsigned char, 32> bytes{};
  require(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  for (const unsigned char byte : bytes) secret.token += fmt::format("{:02x}", byte);
  const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  require(key != nullptr);
  const Certificate certificate = certificate_of(key.get());
  const Memory text(BIO_new(BIO_s_mem()));
  require(text != nullptr && PEM_write_bio_X509(text.get(), certificate.get()) == 1);
  secret.certificate = text_of(text.get());
  const Memory key_text(BIO_new(BIO_s_mem()));
  require(key_text != nullptr && PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr,
                                                          nullptr, 0, nullptr, nullptr) == 1);
  secret.key = text_of(key_text.get());
  return secret;
}

/// A new file that this user alone can read.
void write_secretly(const fs::path& file, const std::string& text) {
  const Descriptor open = open_file(file.string(), O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  const int error = open.is_open() ? write_all(open, text) : errno;
  if (error != 0) throw InputError(file_fault(file, "write", error));
}

constexpr std::uintmax_t kLargest = 100'000;

fs::path key_file(const fs::path& file) { return file.string() + ".key"; }

}  // namespace

FleetSecret read_fleet_secret(const fs::path& file) {
  const std::string text = read_file(file, kLargest);
  const std::size_t end = std::min(text.find('\n'), text.size());
  FleetSecret secret{.token = std::string(trimmed(std::string_view(text).substr(0, end))),
                     .certificate = std::string(trimmed(std::string_view(text).substr(end)))};
  constexpr std::size_t kShortest = 16;
  if (secret.token.size() < kShortest) {
    throw InputError(fmt::format(
        "{}: its first line is no token of at least {} characters; ntune serve makes the file",
        path_text(file), kShortest));
  }
  return secret;
}

FleetSecret fleet_secret_of_server(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) {
    if (fs::exists(key_file(file), error)) {
      throw InputError(
          fmt::format("--token: {} is there without {}; bring that back, or take the "
                      "key away and a new pair is made",
                      path_text(key_file(file)), path_text(file)));
    }
    const FleetSecret made = make_secret();
    write_secretly(key_file(file), made.key);
    write_secretly(file, made.token + '\n' + made.certificate);
  }
  FleetSecret secret = read_fleet_secret(file);
  if (fs::exists(key_file(file), error)) secret.key = read_file(key_file(file), kLargest);
  return secret;
}

}  // namespace ntune::cli
