// Manifests, RocksDB's too, yield the state they describe; a torn end is cut
// off, and any other damage is Corruption.
#include "db/manifest/manifest_replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "tests/db/manifest/manifest_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

VersionEdit Head() {
  VersionEdit edit;
  edit.comparator_name = "leveldb.BytewiseComparator";
  edit.log_number = 2;
  edit.next_file_number = 10;
  edit.last_sequence = 50;
  return edit;
}

VersionEdit AddFileEdit(uint64_t number, int level = 0) {
  VersionEdit edit;
  edit.AddFile(level, NewFileMeta(number, "a", "b"));
  return edit;
}

// The state after these edits, or the status.
std::string ReplayEdits(const std::vector<VersionEdit>& edits) {
  std::vector<std::string> records;
  for (const VersionEdit& edit : edits) records.push_back(Encode(edit));
  ManifestDirectory directory;
  directory.WriteRecords(records);
  ManifestReplay replay;
  const Status s = directory.Replay(&replay);
  return s.ok() ? StateText(&replay) : s.ToString();
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ManifestReplay, FilesOfRocksDb) {
  for (const std::string& name : ManifestVectors()) {
    SCOPED_TRACE(name);
    ManifestDirectory directory;
    directory.WriteManifest(ReadVector(name));
    ManifestReplay replay;
    const Status s = directory.Replay(&replay);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(replay.manifest_number(), ManifestDirectory::kNumber);
    EXPECT_EQ(replay.families()->begin()->second.comparator_name,
              Contains(name, "udt") ? "leveldb.BytewiseComparator.u64ts"
                                    : "leveldb.BytewiseComparator");
  }
}

TEST(ManifestReplay, WhatTheFilesOfRocksDbSay) {
  ManifestDirectory directory;
  {
    directory.WriteManifest(ReadVector("r119_two_cf.MANIFEST-000005"));
    ManifestReplay replay;
    ASSERT_TRUE(directory.Replay(&replay).ok());
    ASSERT_EQ(replay.families()->size(), 2u);
    EXPECT_EQ(replay.families()->at(1).name, "cf one");
    EXPECT_EQ(replay.families()->at(1).log_number, 4u);
    EXPECT_EQ(replay.db_id().size(), 36u);
    EXPECT_EQ(replay.max_column_family(), 1u);
  }
  {
    // Flushed, compacted to the bottom; family 1 dropped.
    directory.WriteManifest(ReadVector("r119_lsm.MANIFEST-000005"));
    ManifestReplay replay;
    ASSERT_TRUE(directory.Replay(&replay).ok());
    EXPECT_EQ(replay.families()->size(), 1u);
    EXPECT_EQ(replay.max_column_family(), 1u);
    EXPECT_EQ(replay.last_sequence(), 17u);
    EXPECT_EQ(replay.min_log_number_to_keep(), 11u);
    const std::string state = StateText(&replay);
    EXPECT_TRUE(Contains(state, "  L6 14 1378 [")) << state;
  }
  {
    directory.WriteManifest(ReadVector("r119_blobgc.MANIFEST-000005"));
    ManifestReplay replay;
    ASSERT_TRUE(directory.Replay(&replay).ok());
    std::vector<std::vector<FileRef>> levels;
    VersionBuilder* builder = replay.families()->at(0).builder.get();
    ASSERT_TRUE(builder->Finish(7, &levels).ok());
    const BlobFileList blobs = builder->FinishBlobs(levels);
    ASSERT_EQ(blobs.size(), 2u);
    EXPECT_EQ(blobs[0].number(), 10u);
    EXPECT_EQ(blobs[0].garbage_count, 1u);
    EXPECT_EQ(blobs[0].garbage_bytes, 48u);
    EXPECT_EQ(blobs[0].linked_table_count, 1u);
    EXPECT_EQ(blobs[1].number(), 13u);
    EXPECT_EQ(blobs[1].file->size_bytes(), 48u + 62u);
    EXPECT_EQ(blobs[1].linked_table_count, 0u);
  }
  {
    directory.WriteManifest(ReadVector("r119_wal_tracking.MANIFEST-000005"));
    ManifestReplay replay;
    ASSERT_TRUE(directory.Replay(&replay).ok());
    EXPECT_GT(replay.tracked_wals().min_number(), 0u);
  }
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

TEST(ManifestReplay, ZerosBehindTheLastRecordAreRoomSetAside) {
  const std::string bytes = ReadVector("r119_lsm.MANIFEST-000005");
  for (const size_t zeros : {1, 6, 7, 8, 4000, 70000}) {
    ManifestDirectory directory;
    directory.WriteManifest(bytes + std::string(zeros, '\0'));
    ManifestReplay replay;
    const Status s = directory.Replay(&replay);
    EXPECT_TRUE(s.ok()) << zeros << ": " << s.ToString();
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

TEST(ManifestReplay, CurrentDamagedInEachWay) {
  for (const std::string text :
       {"", "\n", "MANIFEST-000005", "MANIFEST-\n", "MANIFEST-00x005\n",
        "000005.log\n", "CURRENT\n", "MANIFEST-000005\n\n",
        " MANIFEST-000005\n"}) {
    ManifestDirectory directory;
    directory.WriteManifest(ReadVector("r119_lsm.MANIFEST-000005"));
    directory.WriteCurrent(text);
    ManifestReplay replay;
    const Status s = directory.Replay(&replay);
    EXPECT_TRUE(s.IsCorruption()) << "'" << text << "' " << s.ToString();
    EXPECT_TRUE(Contains(s.ToString(), "CURRENT")) << s.ToString();
  }
  ManifestDirectory directory;
  directory.WriteManifest(ReadVector("r119_lsm.MANIFEST-000005"));
  // Names a file that is not there.
  directory.WriteCurrent("MANIFEST-000006\n");
  ManifestReplay dangling;
  EXPECT_TRUE(directory.Replay(&dangling).IsPathNotFound());
  directory.WriteManifest(ReadVector("r119_lsm.MANIFEST-000005"));
  ASSERT_TRUE(
      directory.fs
          ->DeleteFile(CurrentFileName(directory.path), IOOptions(), nullptr)
          .ok());
  ManifestReplay missing;
  const Status s = directory.Replay(&missing);
  EXPECT_FALSE(s.ok());
  EXPECT_FALSE(s.IsCorruption());
}

TEST(ManifestReplay, AtomicGroups) {
  std::vector<VersionEdit> edits = {Head(), AddFileEdit(11), AddFileEdit(12, 1),
                                    AddFileEdit(13, 2)};
  for (size_t i = 1; i < 4; ++i) edits[i].remaining_in_group = 3 - i;
  EXPECT_TRUE(Contains(ReplayEdits(edits), "L2 13"));
  // Incomplete at the end: as if no edit of it were there.
  for (size_t n = 1; n <= 3; ++n) {
    const std::string state = ReplayEdits({edits.begin(), edits.begin() + n});
    EXPECT_TRUE(Contains(state, "next 10")) << state;
    EXPECT_FALSE(Contains(state, "L0 11")) << state;
  }
  // A stranger inside, a member missing, or twice the same.
  EXPECT_TRUE(Contains(
      ReplayEdits({edits[0], edits[1], AddFileEdit(20), edits[2], edits[3]}),
      "Corruption"));
  EXPECT_TRUE(
      Contains(ReplayEdits({edits[0], edits[1], edits[3]}), "Corruption"));
  EXPECT_TRUE(
      Contains(ReplayEdits({edits[0], edits[1], edits[1]}), "Corruption"));
  // A group of one, and an empty edit.
  edits[1].remaining_in_group = 0;
  EXPECT_TRUE(
      Contains(ReplayEdits({edits[0], VersionEdit(), edits[1]}), "L0 11"));
}

TEST(ManifestReplay, EditsThatDoNotFitAreCorruption) {
  VersionEdit foreign = AddFileEdit(11);
  foreign.column_family = 9;
  VersionEdit added;
  added.column_family = 1;
  added.column_family_added = "one";
  VersionEdit same_name = added;
  same_name.column_family = 2;
  VersionEdit drop_default;
  drop_default.column_family_dropped = true;
  VersionEdit gone;
  gone.DeleteFile(0, 99);
  VersionEdit wrong_level;
  wrong_level.DeleteFile(1, 11);
  VersionEdit wal;
  wal.wal_additions = {{4, std::nullopt}};
  const std::vector<std::vector<VersionEdit>> cases = {
      {Head(), foreign},
      {Head(), added, added},
      {Head(), added, same_name},
      {Head(), drop_default},
      {Head(), gone},
      {Head(), AddFileEdit(11), wrong_level},
      {Head(), AddFileEdit(11), AddFileEdit(11, 3)},
      {Head(), wal, wal},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string state = ReplayEdits(cases[i]);
    EXPECT_TRUE(Contains(state, "Corruption")) << i << ": " << state;
    EXPECT_TRUE(Contains(state, "at offset")) << i << ": " << state;
  }
}

TEST(ManifestReplay, EachCounterIsNeeded) {
  for (int missing = 0; missing < 3; ++missing) {
    VersionEdit edit = Head();
    if (missing == 0) edit.log_number.reset();
    if (missing == 1) edit.next_file_number.reset();
    if (missing == 2) edit.last_sequence.reset();
    EXPECT_TRUE(Contains(ReplayEdits({edit}), "Corruption")) << missing;
  }
  EXPECT_TRUE(Contains(ReplayEdits({}), "Corruption"));
}

TEST(ManifestReplay, CountersNeverGoBack) {
  VersionEdit back = Head();
  back.log_number = 1;
  back.next_file_number = 3;
  back.last_sequence = 7;
  const std::string state = ReplayEdits({Head(), back});
  EXPECT_TRUE(Contains(state, "next 10 seq 50")) << state;
  EXPECT_TRUE(Contains(state, "log 2")) << state;
}

TEST(ManifestReplay, TrackedLogs) {
  VersionEdit first, more, gone, late;
  first.wal_additions = {{4, 100}, {5, std::nullopt}};
  more.wal_additions = {{4, 60}, {5, 70}};  // Never smaller.
  gone.wals_deleted_before = 5;
  late.wal_additions = {{4, 200}};  // Deleted already.
  const std::string state = ReplayEdits({Head(), first, more, gone, late});
  EXPECT_TRUE(Contains(state, "wal 5:70")) << state;
  EXPECT_FALSE(Contains(state, "wal 4")) << state;
  EXPECT_TRUE(Contains(ReplayEdits({Head(), first, more}), "wal 4:100"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
