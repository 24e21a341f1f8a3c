// Random flips of one bit in every kind of file of a small database: each read
// answers rightly or with Corruption, and never with a wrong value.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/db/impl/damage.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/scale.h"
#include "util/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Together 20 000 flips, or one in each byte of each part's database where the
// scale is not one; in parts, which run side by side.
constexpr uint64_t kFlippedParts = 8;
constexpr uint64_t kFlipsPerPart = 2500;
constexpr int kTableKeys = 40;
constexpr int kLogKeys = 20;

class FlippedBits : public DbFixture,
                    public ::testing::WithParamInterface<uint64_t> {
 protected:
  void MakeDatabase() {
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    // Each open reads anew.
    table.no_block_cache = true;
    table.checksum = GetParam() % 2 == 0 ? kCRC32c : kXXH3;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    options_.compression = GetParam() % 4 < 2 ? kNoCompression : SomeCodec();
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    Open();
    for (int i = 0; i < kTableKeys; ++i) ASSERT_OK(PutBoth(i));
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "x", "y"));
    ASSERT_OK(Flush());
    for (int i = 0; i < kLogKeys; ++i) ASSERT_OK(PutBoth(kTableKeys + i));
    db_.reset();
  }
  static CompressionType SomeCodec() {
    return CompressionTypeSupported(kLZ4Compression) ? kLZ4Compression
                                                     : kNoCompression;
  }
  Status PutBoth(int i) {
    const std::string key = "key" + std::to_string(100 + i);
    model_[key] = "value of " + key + std::string(i % 30, 'x');
    return Put(key, model_[key]);
  }

  // What is wrong with the answers; empty if nothing. Of what a manifest or a
  // log says, a damaged end may be taken for one that was never written.
  std::string WrongAnswer(bool may_lack_logged) {
    const std::string first_logged = "key" + std::to_string(100 + kTableKeys);
    for (const auto& [key, expected] : model_) {
      std::string value;
      const Status s = db_->Get(ReadOptions(), key, &value);
      if (s.IsCorruption()) continue;
      const bool may_lack = may_lack_logged && key >= first_logged;
      if (s.IsNotFound() && may_lack) continue;
      if (!s.ok()) return key + ": " + s.ToString();
      if (value != expected) return key + " has the value " + value;
    }
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    size_t count = 0;
    for (it->SeekToFirst(); it->Valid(); it->Next(), ++count) {
      const auto at = model_.find(it->key().ToString());
      if (at == model_.end()) return "a key that never was";
      if (it->value() != at->second) return "a scan: " + at->first;
      if (count >= model_.size()) return "a scan that never ends";
    }
    if (it->status().IsCorruption()) return "";
    if (!it->status().ok()) return it->status().ToString();
    const size_t least = may_lack_logged ? kTableKeys : model_.size();
    return count >= least ? "" : "a scan lacks keys";
  }

  std::map<std::string, std::string> model_;
};

struct Target {
  FileType type;
  bool is_log;
};

struct Flip {
  size_t file = 0;
  uint64_t bit = 0;
};

std::vector<Flip> ChooseFlips(const std::vector<uint64_t>& sizes,
                              uint64_t seed) {
  Random64 random(seed);
  std::vector<Flip> flips;
  if (TestScale() == 1) {
    while (flips.size() < kFlipsPerPart / TestShare()) {
      const size_t file = random.Uniform(sizes.size());
      flips.push_back({file, random.Uniform(sizes[file] * 8)});
    }
  } else {
    for (size_t file = 0; file < sizes.size(); ++file) {
      for (uint64_t byte = 0; byte < sizes[file]; ++byte) {
        flips.push_back({file, byte * 8 + random.Uniform(8)});
      }
    }
  }
  return flips;
}

TEST_P(FlippedBits, AreNoticedOrDoNotMatter) {
  MakeDatabase();
  std::vector<std::pair<std::string, Target>> files;
  for (const Target& target :
       {Target{kTableFile, false}, Target{kWalFile, true},
        Target{kDescriptorFile, true}, Target{kCurrentFile, false},
        Target{kOptionsFile, false}, Target{kIdentityFile, false}}) {
    for (const std::string& path : FilesOf(path_, target.type)) {
      files.emplace_back(path, target);
    }
  }
  ASSERT_GE(files.size(), 6u);
  std::vector<uint64_t> sizes;
  for (const auto& file : files) sizes.push_back(ReadBytes(file.first).size());
  const std::vector<Flip> flips = ChooseFlips(sizes, GetParam() + 1);
  int failures = 0;
  size_t noticed = 0;
  for (const auto& [file, bit] : flips) {
    if (failures >= 5) break;
    const auto& [path, target] = files[file];
    const std::string bytes = ReadBytes(path);
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << bit % 8);
    WriteBytes(path, damaged);
    const Status s = DB::OpenForReadOnly(options_, path_, &db_);
    std::string wrong;
    if (s.ok()) {
      wrong = WrongAnswer(target.is_log);
    } else {
      ++noticed;
      // A name or a version that is another one is not there, or too new.
      if (target.type == kTableFile || target.is_log) {
        if (!s.IsCorruption() && !s.IsNotSupported()) wrong = s.ToString();
      }
    }
    EXPECT_EQ(wrong, "") << "bit " << bit << " of " << path;
    if (!wrong.empty()) ++failures;
    db_.reset();
    WriteBytes(path, bytes);
  }
  EXPECT_GT(noticed, flips.size() / 20);
}

INSTANTIATE_TEST_SUITE_P(Parts, FlippedBits,
                         ::testing::Range<uint64_t>(0, kFlippedParts));

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
