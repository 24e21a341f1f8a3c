// Which parts of a block were read, each counted once.
//
// Runs tests/testdata/sst/read_bits.txt:
//
//   block BYTES per_bit:BYTES
//   BEGIN-END ..       one line of reads; how many bytes each counts for
#include "table/read_bits.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(ReadBits, SumsUpToTheBlock) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random64 random(seed);
    const size_t size = 1 + random.Uniform(5000);
    ReadBits bits(size, static_cast<uint32_t>(1 + random.Uniform(70)));
    size_t sum = 0;
    for (int i = 0; i < 20; ++i) {
      const size_t begin = random.Uniform(size);
      sum += bits.Mark(begin, begin + 1 + random.Uniform(size - begin));
    }
    EXPECT_LE(sum, size);
    sum += bits.Mark(0, size);
    EXPECT_EQ(sum, size);
    EXPECT_GT(bits.memory_bytes(), size / 8 / 64);
  }
}

std::string ReadBitsAnswers(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "block");
  ReadBits bits(std::stoull(command.Word(0)),
                static_cast<uint32_t>(command.Number("per_bit", 1)));
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    std::istringstream words(line);
    std::string counts;
    for (std::string word; words >> word;) {
      JoinItem(&counts, std::to_string(bits.Mark(
                            std::stoull(word),
                            std::stoull(word.substr(word.find('-') + 1)))));
    }
    text += counts + "\n";
  }
  return text;
}

TEST(ReadBits, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/read_bits.txt", ReadBitsAnswers), 9u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
