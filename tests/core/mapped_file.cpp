#include <cstdint>
#include <filesystem>
#include <string>

#include "catch.h"
#include "ntune/core/files.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

TEST_CASE("a mapped file has the content of the file") {
  const test::TemporaryFolder folder;
  std::string large;
  for (std::int64_t i = 0; i < 100'000; ++i) large += static_cast<char>(i * i % 251);
  for (const std::string& content :
       {std::string(), std::string("x"), std::string("zero \0 byte\n", 12), std::string(4096, 'p'),
        large}) {
    const MappedFile file(folder.file("file", content));
    CHECK((file.text() == content));
  }
}

TEST_CASE("a mapped file outlives its name") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", "content");
  const MappedFile file(path);
  std::filesystem::remove(path);
  CHECK(file.text() == "content");
}

TEST_CASE("files that cannot be mapped") {
  const test::TemporaryFolder folder;
  const auto error = [](const std::string& path) {
    return test::input_error([&] { const MappedFile file(path); });
  };
  const std::string none = (folder / "none").string();
  CHECK(error(none) == none + ": cannot read it: No such file or directory");
  CHECK(error(folder.path().string()) ==
        folder.path().string() + ": cannot read it: Invalid argument");
  CHECK(error("/dev/zero") == "/dev/zero: cannot read it: Invalid argument");
}

}  // namespace ntune
