// Every decoder takes any bytes and answers OK or Corruption, without crash or
// excess of memory.
#include "tests/fuzz/decoders.h"

#include <gtest/gtest.h>

#include "tests/testing/scale.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::fuzz {
namespace {

std::string Mutated(std::string bytes, const std::vector<std::string>& seeds,
                    Random64* random) {
  for (uint64_t n = 1 + random->Uniform(4); n > 0 && !bytes.empty(); --n) {
    const size_t at = random->Uniform(bytes.size());
    switch (random->Uniform(6)) {
      case 0:
        bytes[at] = static_cast<char>(random->Next());
        break;
      case 1:
        bytes[at] ^= static_cast<char>(1 << random->Uniform(8));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, bytes.substr(random->Uniform(bytes.size()), 16));
        break;
      case 4:
        // Lengths and counts at their limits.
        bytes.replace(
            at, 4,
            random->OneIn(2) ? std::string(4, '\xff') : std::string(4, '\0'));
        break;
      default: {
        const std::string& other = seeds[random->Uniform(seeds.size())];
        bytes = bytes.substr(0, at) +
                other.substr(other.empty() ? 0 : random->Uniform(other.size()));
      }
    }
  }
  return bytes;
}

class DecodersTest : public ::testing::TestWithParam<Decoder> {};

TEST_P(DecodersTest, TakeAnyBytes) {
  const Decoder& decoder = GetParam();
  const std::vector<std::string> seeds = decoder.seeds();
  ASSERT_FALSE(seeds.empty());
  size_t good = 0;
  for (const std::string& seed : seeds) {
    if (decoder.run(seed) > 0) ++good;
  }
  // Some vectors are records of other kinds, or damaged on purpose.
  EXPECT_GE(3 * good, seeds.size()) << "the seeds are not good";
  Random64 random(1);
  size_t taken = 0;
  const uint64_t count = 2000 * TestScale();
  for (uint64_t i = 0; i < count; ++i) {
    const std::string& seed = seeds[random.Uniform(seeds.size())];
    if (decoder.run(Mutated(seed, seeds, &random)) > 0) ++taken;
  }
  decoder.run("");
  RecordProperty("taken", static_cast<int>(taken));
}

INSTANTIATE_TEST_SUITE_P(All, DecodersTest,
                         ::testing::ValuesIn(Decoders().begin(),
                                             Decoders().end()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::fuzz
