#include "ntune/core/text.h"

#include <limits>
#include <string>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("decimal texts are numbers, however small or large") {
  CHECK(decimal_number("0.25") == 0.25);
  CHECK(decimal_number("-3e2") == -300.0);
  CHECK(decimal_number("+3") == 3.0);
  CHECK(decimal_number("+inf") == std::numeric_limits<double>::infinity());
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string zeros(500, '0');
  for (const std::string& tiny :
       {std::string("1e-400"), std::string("0.5E-330"), "0." + zeros + "7", "1" + zeros + "e-999",
        std::string("9.9e-99999999999999999999"), std::string(".1e-400")}) {
    CAPTURE(tiny);
    CHECK(decimal_number(tiny) == 0.0);
    CHECK(decimal_number('-' + tiny) == 0.0);
  }
  for (const std::string& huge :
       {std::string("1e400"), "1" + zeros, "0.01e" + std::string("311"), std::string("1e+999"),
        "0." + zeros + "7e999", std::string("1e99999999999999999999")}) {
    CAPTURE(huge);
    CHECK(decimal_number(huge) == infinite);
    CHECK(decimal_number('+' + huge) == infinite);
    CHECK(decimal_number('-' + huge) == -infinite);
  }
  CHECK(decimal_number("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(decimal_number("0e-400") == 0.0);
  for (const char* text :
       {"", "x", "1x", "1e-400x", " 1", "1 ", "+", "+-1", "-+1", "++1", "--1", "1e", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(decimal_number(text));
  }
}

TEST_CASE("numbers are written as briefly as they read back") {
  CHECK(number_text(0.0) == "0");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(3.0) == "3");
  CHECK(number_text(-17.0) == "-17");
  CHECK(number_text(0.1) == "0.1");
  CHECK(number_text(1.0 / 3.0) == "0.3333333333333333");
  CHECK(number_text(1e-7) == "1e-07");
  CHECK(number_text(1e14) == "100000000000000");
  CHECK(number_text(1e300) == "1e+300");
}

TEST_CASE("counts have commas") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1000) == "1,000");
  CHECK(count_text(15625) == "15,625");
  CHECK(count_text(1234567) == "1,234,567");
  CHECK(counted(0, "run") == "0 runs");
  CHECK(counted(1, "run") == "1 run");
  CHECK(counted(1200, "run") == "1,200 runs");
  CHECK(count_text(-1234) == "-1,234");
  CHECK(count_text(-123) == "-123");
  CHECK(count_text(0x1p53) == "9,007,199,254,740,992");
  CHECK(count_text(1.234e30) == "about 1.2e+30");
  CHECK(count_text(std::numeric_limits<double>::infinity()) == "more than 10^308");
}

TEST_CASE("letters are made small, and nothing else is changed") {
  CHECK(lower_case("") == "");
  CHECK(lower_case("Warning: GA3 [Z]") == "warning: ga3 [z]");
  CHECK(lower_case("ÄÖ") == "ÄÖ");
}

TEST_CASE("lists are joined") {
  const std::vector<std::string> words = {"a", "b", "c"};
  CHECK(list_text({}) == "");
  CHECK(list_text(std::span(words).first(1)) == "a");
  CHECK(list_text(std::span(words).first(2)) == "a or b");
  CHECK(list_text(words) == "a, b or c");
  CHECK(list_text(words, "and") == "a, b and c");
}

TEST_CASE("the closest word is a slip of the keyboard away") {
  const std::vector<std::string> words = {"iterations", "runs", "repeats", "re_evaluation", "seed"};
  CHECK(closest_word("iteration", words) == "iterations");
  CHECK(closest_word("itreations", words) == "iterations");
  CHECK(closest_word("run", words) == "runs");
  CHECK(closest_word("repeat", words) == "repeats");
  CHECK(closest_word("reevaluation", words) == "re_evaluation");
  CHECK(closest_word("sead", words) == "seed");
  CHECK(closest_word("rnus", words) == "runs");
  CHECK(closest_word("esed", words) == "seed");
  CHECK(closest_word("snru", words) == "");
  CHECK(closest_word("seed", words) == "seed");
  CHECK(closest_word("threads", words) == "");
  CHECK(closest_word("xyz", words) == "");
  CHECK(closest_word("", words) == "");
  CHECK(closest_word("seed", {}) == "");
  CHECK(closest_word(std::string(1000, 'x'), words) == "");
}

TEST_CASE("of two words equally close the earlier one is taken") {
  const std::vector<std::string> words = {"bat", "cat"};
  CHECK(closest_word("aat", words) == "bat");
}

TEST_CASE("the length of UTF-8 characters") {
  CHECK(utf8_length("a", 0) == 1);
  CHECK(utf8_length("", 0) == 0);
  CHECK(utf8_length("é", 0) == 2);
  CHECK(utf8_length("€", 0) == 3);
  CHECK(utf8_length("\xf0\x9f\x8e\xb2", 0) == 4);
  CHECK(utf8_length("é", 1) == 0);
  CHECK(utf8_length("\xc3", 0) == 0);
  CHECK(utf8_length("\xe2\x82", 0) == 0);
  CHECK(utf8_length("\xc0\xaf", 0) == 0);          // overlong
  CHECK(utf8_length("\xed\xa0\x80", 0) == 0);      // surrogate
  CHECK(utf8_length("\xf4\x90\x80\x80", 0) == 0);  // beyond U+10FFFF
  CHECK(utf8_length("\xff", 0) == 0);
  CHECK(utf8_length("\xf8\x88\x80\x80\x80", 0) == 0);
}

TEST_CASE("printable text is one line and safe on a terminal") {
  CHECK(printable("plain") == "plain");
  CHECK(printable("a\nb\tc") == "a\\nb\\tc");
  CHECK(printable("\x1b[31mred\r") == "\\x1b[31mred\\x0d");
  CHECK(printable(std::string("nul\0byte", 8)) == "nul\\x00byte");
  CHECK(printable("\x7f") == "\\x7f");
  CHECK(printable("naïve – 3 €") == "naïve – 3 €");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");  // the one-byte form of ESC [
  CHECK(printable("caf\xe9") == "caf\\xe9");
  CHECK(printable("") == "");
}

TEST_CASE("long printable text is cut between characters") {
  CHECK(printable("abcdef", 6) == "abcdef");
  CHECK(printable("abcdef", 5) == "abcde…");
  CHECK(printable("ééé", 3) == "éé…");
  CHECK(printable(std::string(1000, 'x')).size() == 200 + std::string("…").size());
  CHECK(printable(std::string(100'000, '\x80')).size() < 220);
}

TEST_CASE("UTF-8 is told from other bytes") {
  for (const char* text : {"", "abc", "caf\u00e9", "\u20ac", "\U0001F600"}) CHECK(is_utf8(text));
  for (const char* text : {"caf\xe9", "\xff", "\xc3", "a\x80", "\xed\xa0\x80", "\xc0\xaf"}) {
    CHECK_FALSE(is_utf8(text));
  }
}

TEST_CASE("stars of a pattern stand for any characters, in time") {
  for (const auto& [pattern, name] : {std::pair("", ""),
                                      {"*", ""},
                                      {"*", "king"},
                                      {"king", "king"},
                                      {"k*", "king"},
                                      {"*g", "king"},
                                      {"k*g", "kg"},
                                      {"*n*", "king"},
                                      {"**", "king"},
                                      {"a*b*c", "abbc"},
                                      {"*ab", "aab"},
                                      {"*a*ba", "aba.ba"}}) {
    CAPTURE(pattern, name);
    CHECK(fits(pattern, name));
  }
  for (const auto& [pattern, name] : {std::pair("", "k"),
                                      {"king", "kings"},
                                      {"k*g", "g"},
                                      {"a*a", "a"},
                                      {"*n*n*", "king"},
                                      {"*ab*b", "ab"},
                                      {"*b", "ba"}}) {
    CAPTURE(pattern, name);
    CHECK_FALSE(fits(pattern, name));
  }
  std::string stars;
  for (int i = 0; i < 40; ++i) stars += "*x";
  CHECK_FALSE(fits(stars + "y", std::string(10'000, 'x')));
}

}  // namespace ntune
