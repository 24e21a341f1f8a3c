// What is read from a manifest: whole, cut, damaged, or followed by zeros. The
// cases of tests/testdata/manifests are
//
//   replay OPTIONS     the state that a manifest of these edits yields
//   EDIT               as in edit_text.h, one a record; "head ..": an edit that
//                      has a comparator and each counter, and what follows
//   stock FILE OPTIONS the same for a file of tests/testdata/manifest
//
// with OPTIONS zeros:BYTES (follow the last record), current:"TEXT" (what
// CURRENT has), without_current.
#include "db/manifest/manifest_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"
#include "tests/db/version/edit_text.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A family, and each counter.
constexpr char kHead[] =
    "comparator:leveldb.BytewiseComparator log:2 next:10 sequence:50";

VersionEdit Head() { return ParseEdit(kHead); }

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The states after each record; what a cut file may yield. An atomic group
// counts as one step.
std::vector<std::string> Steps(const std::vector<std::string>& records) {
  std::vector<std::string> steps;
  for (size_t n = 1; n <= records.size(); ++n) {
    ManifestDirectory directory;
    directory.WriteRecords({records.begin(), records.begin() + n});
    ManifestReplay replay;
    if (directory.Replay(&replay).ok()) {
      steps.push_back(StateText(&replay));
    }
  }
  return steps;
}

TEST(ManifestReplay, ACutFileYieldsTheStateOfItsWholeRecords) {
  for (const std::string& name : ManifestVectors()) {
    SCOPED_TRACE(name);
    const std::string bytes = ReadVector(name);
    const std::vector<std::string> steps =
        Steps(ManifestDirectory::RecordsOf(bytes));
    size_t reached = 0;
    for (size_t n = 0; n <= bytes.size(); ++n) {
      ManifestDirectory directory;
      directory.WriteManifest(bytes.substr(0, n));
      ManifestReplay replay;
      const Status s = directory.Replay(&replay);
      if (!s.ok()) {
        ASSERT_TRUE(s.IsCorruption()) << s.ToString();
        ASSERT_EQ(reached, 0u) << "cut at " << n << ": " << s.ToString();
        continue;
      }
      const std::string state = StateText(&replay);
      while (reached < steps.size() && steps[reached] != state) ++reached;
      ASSERT_LT(reached, steps.size()) << "cut at " << n;
    }
    ASSERT_EQ(steps[reached], steps.back());
  }
}

TEST(ManifestReplay, AnyFlippedBitIsCorruption) {
  for (const std::string& name : ManifestVectors()) {
    SCOPED_TRACE(name);
    const std::string bytes = ReadVector(name);
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        ManifestDirectory directory;
        directory.WriteManifest(damaged);
        ManifestReplay replay;
        const Status s = directory.Replay(&replay);
        ASSERT_TRUE(s.IsCorruption())
            << "byte " << i << " bit " << bit << ": " << s.ToString();
        ASSERT_TRUE(Contains(s.ToString(), "MANIFEST-000005"));
      }
    }
  }
}

// In a file of several blocks, where records are in pieces.
TEST(ManifestReplay, FlippedBitsAroundTheEndOfABlock) {
  std::vector<std::string> records = {Encode(Head())};
  for (uint64_t n = 100; n < 800; ++n) {
    VersionEdit edit;
    edit.AddFile(0,
                 NewFileMeta(n, std::string(50, 'a'), std::string(60, 'b'), n));
    records.push_back(Encode(edit));
  }
  const std::string bytes = ManifestDirectory::LogOf(records);
  ASSERT_GT(bytes.size(), 2 * 32768u);
  for (const size_t begin : {size_t{32768}, size_t{65536}, bytes.size()}) {
    for (size_t i = begin - 230; i < std::min(begin + 230, bytes.size()); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
      ManifestDirectory directory;
      directory.WriteManifest(damaged);
      ManifestReplay replay;
      ASSERT_TRUE(directory.Replay(&replay).IsCorruption()) << i;
    }
  }
}

// The length of the file was with the device before the last sectors were.
TEST(ManifestReplay, ARecordThatLostItsLastSectorsIsNotThere) {
  std::vector<std::string> records = {Encode(Head())};
  for (uint64_t n = 100; n < 250; ++n) {
    VersionEdit edit;
    edit.AddFile(0, NewFileMeta(n, std::string(n % 100, 'a'),
                                std::string(n % 170, 'b'), n));
    records.push_back(Encode(edit));
  }
  const std::vector<std::string> steps = Steps(records);
  int torn = 0;
  for (size_t n = 2; n <= records.size(); ++n) {
    const std::vector<std::string> written(records.begin(),
                                           records.begin() + n);
    std::string bytes = ManifestDirectory::LogOf(written);
    const size_t begin =
        ManifestDirectory::LogOf({records.begin(), records.begin() + n - 1})
            .size();
    const size_t cut = (begin / 512 + 1) * 512;
    if (cut >= bytes.size()) continue;
    // If it lost one bit, that may as well have been damaged.
    int lost_bits = 0;
    for (size_t i = cut; i < bytes.size(); ++i) {
      lost_bits += std::popcount(static_cast<unsigned char>(bytes[i]));
    }
    if (lost_bits < 2) continue;
    ++torn;
    std::fill(bytes.begin() + cut, bytes.end(), '\0');
    ManifestDirectory directory;
    directory.WriteManifest(bytes);
    ManifestReplay replay;
    const Status s = directory.Replay(&replay);
    ASSERT_TRUE(s.ok()) << "cut at " << cut << ": " << s.ToString();
    ASSERT_EQ(StateText(&replay), steps[n - 2]) << "cut at " << cut;
  }
  EXPECT_GT(torn, 20);
}

// So few of its bytes are left that they may be one.
TEST(ManifestReplay, ARecordThatLostAllButItsFirstBytesIsNotThere) {
  std::set<size_t> lefts;
  for (size_t length = 1; length <= 512; ++length) {
    VersionEdit first;
    first.AddFile(0, NewFileMeta(100, std::string(length, 'a'), "b", 1));
    VersionEdit second;
    second.AddFile(0, NewFileMeta(101, "c", std::string(600, 'd'), 2));
    const std::vector<std::string> records = {Encode(Head()), Encode(first),
                                              Encode(second)};
    const size_t begin =
        ManifestDirectory::LogOf({records[0], records[1]}).size();
    const size_t left = 512 - begin % 512;
    if (left > 8 || !lefts.insert(left).second) continue;
    std::string bytes = ManifestDirectory::LogOf(records);
    std::fill(bytes.begin() + begin + left, bytes.end(), '\0');
    ManifestDirectory directory;
    directory.WriteManifest(bytes);
    ManifestReplay replay;
    const Status s = directory.Replay(&replay);
    ASSERT_TRUE(s.ok()) << left << " left: " << s.ToString();
    EXPECT_EQ(StateText(&replay), Steps(records)[1]) << left;
  }
  EXPECT_EQ(lefts.size(), 8u);
}

// A last record that ends in zeros is no torn one.
TEST(ManifestReplay, AFlippedBitInFrontOfZerosIsCorruption) {
  const std::string bytes = ManifestDirectory::LogOf(
      {Encode(Head()), std::string(200, 'x') + std::string(600, '\0')});
  const size_t begin = ManifestDirectory::LogOf({Encode(Head())}).size();
  for (size_t i = begin; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    ManifestDirectory directory;
    directory.WriteManifest(damaged);
    ManifestReplay replay;
    ASSERT_TRUE(directory.Replay(&replay).IsCorruption()) << i;
  }
}

// --- the script

// "head" is an edit that says all that has to be said once.
std::string RecordOfLine(const std::string& line) {
  const std::string head = "head";
  if (!line.starts_with(head)) return Encode(ParseEdit(line));
  return Encode(ParseEdit(kHead + line.substr(head.size())));
}

std::string RunReplayCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  std::string bytes;
  if (command.verb() == "stock") {
    bytes = ReadVector(command.Word(0));
    EXPECT_FALSE(bytes.empty()) << c.command;
  } else {
    EXPECT_EQ(command.verb(), "replay");
    std::vector<std::string> records;
    for (const std::string& line : LinesOf(c.body)) {
      records.push_back(RecordOfLine(line));
    }
    bytes = ManifestDirectory::LogOf(records);
  }
  bytes.append(command.Number("zeros", 0), '\0');
  ManifestDirectory directory;
  directory.WriteManifest(bytes);
  const std::string current = CurrentFileName(directory.path);
  if (command.Has("current")) {
    directory.WriteCurrent(BytesOfText(command.Text("current", "")));
  } else if (command.HasWord("without_current")) {
    EXPECT_TRUE(directory.fs->DeleteFile(current, IOOptions(), nullptr).ok());
  }
  ManifestReplay replay;
  const Status s = directory.Replay(&replay);
  if (!s.ok()) return s.ToString() + "\n";
  EXPECT_EQ(replay.manifest_number(), ManifestDirectory::kNumber);
  return StateText(&replay);
}

TEST(ManifestReplay, EveryCaseOfTheScripts) {
  EXPECT_GE(RunScripts("manifests", RunReplayCase), 84u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
