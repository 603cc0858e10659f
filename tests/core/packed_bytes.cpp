#include "ntune/core/packed_bytes.h"

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {

TEST_CASE("Packed bytes are the same when they are unpacked, and need no escapes") {
  Rng rng(1);
  for (const std::size_t size : std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 100, 70'000}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(rng());
    const std::string text = pack_bytes(bytes);
    CHECK(text.size() % 4 == 0);
    CHECK(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
                                 "") == std::string::npos);
    CHECK(unpack_bytes(text, size) == bytes);
    if (size > 0) CHECK_FALSE(unpack_bytes(text, size - 1));
  }
  CHECK(pack_bytes(std::string(100'000, 'x')).size() < 400);
}

TEST_CASE("What is not packed is not unpacked") {
  const std::string text = pack_bytes("a text of some length, and some more of it");
  for (const std::string& damaged :
       {std::string("x"), text.substr(4), text.substr(0, text.size() - 4), "!" + text.substr(1),
        text + "AAAA====", std::string("====")}) {
    CAPTURE(damaged);
    CHECK_FALSE(unpack_bytes(damaged, 1000));
  }
}

}  // namespace ntune
