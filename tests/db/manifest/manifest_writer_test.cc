// The manifest is appended to and renewed such that no failure loses the last
// good state.
#include "db/manifest/manifest_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/statistics.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// The state that the tests write: a head of one family, then one file each.
std::string HeadRecord() {
  VersionEdit edit;
  edit.comparator_name = "leveldb.BytewiseComparator";
  edit.log_number = 1;
  edit.next_file_number = 2;
  edit.last_sequence = 3;
  return Encode(edit);
}

std::string FileRecord(uint64_t number) {
  VersionEdit edit;
  edit.AddFile(0, NewFileMeta(number, "a", "b", number));
  return Encode(edit);
}

struct WriterFixture {
  WriterFixture()
      : fs(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>())),
        env(NewCompositeEnv(fs)) {
    db_options.env = env.get();
    db_options.statistics = CreateDBStatistics();
    db_options.max_manifest_file_size = 4000;
    db_options.max_manifest_space_amp_pct = 100;
    db = std::make_unique<ImmutableDBOptions>(db_options);
    EXPECT_TRUE(fs->CreateDirIfMissing("/db", IOOptions(), nullptr).ok());
    EXPECT_TRUE(fs->NewDirectory("/db", IOOptions(), &directory, nullptr).ok());
  }

  std::unique_ptr<ManifestWriter> NewWriter() const {
    ManifestWriter::Context context;
    context.db = db.get();
    context.db_path = "/db";
    context.directory = directory.get();
    return std::make_unique<ManifestWriter>(std::move(context));
  }
  ManifestLimits limits() const {
    return ManifestLimits(MutableDBOptions(db_options));
  }

  // Numbers of the files in the state that an open would find.
  Status Recover(std::vector<uint64_t>* numbers, uint64_t* manifest) const {
    ManifestReplay replay;
    Status s = replay.Run(fs.get(), "/db");
    if (!s.ok()) return s;
    std::vector<std::vector<FileRef>> levels;
    s = replay.families()->at(0).builder->Finish(1, &levels);
    for (const FileRef& file : levels[0]) numbers->push_back(file->number);
    *manifest = replay.manifest_number();
    return s;
  }

  std::shared_ptr<FaultInjectionFileSystem> fs;
  std::unique_ptr<Env> env;
  DBOptions db_options;
  std::unique_ptr<ImmutableDBOptions> db;
  std::unique_ptr<FSDirectory> directory;
};

ManifestWriter::NewManifest Manifest(uint64_t number,
                                     std::vector<std::string> head,
                                     std::vector<std::string> records) {
  ManifestWriter::NewManifest manifest;
  manifest.number = number;
  manifest.head = std::move(head);
  manifest.records = std::move(records);
  return manifest;
}

TEST(ManifestWriter, StartsThenAppends) {
  WriterFixture f;
  const auto writer = f.NewWriter();
  EXPECT_TRUE(writer->NeedsNew(f.limits()));
  EXPECT_EQ(writer->manifest_number(), 0u);
  ASSERT_TRUE(
      writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(10)})).ok());
  EXPECT_EQ(writer->manifest_number(), 5u);
  EXPECT_FALSE(writer->NeedsNew(f.limits()));
  ASSERT_TRUE(writer->Append({FileRecord(11), FileRecord(12)}).ok());
  // All of it survives a crash that loses whatever is not synced.
  ASSERT_TRUE(f.fs->CrashAndHeal().ok());
  std::vector<uint64_t> numbers;
  uint64_t manifest = 0;
  ASSERT_TRUE(f.Recover(&numbers, &manifest).ok());
  EXPECT_EQ(numbers, (std::vector<uint64_t>{10, 11, 12}));
  EXPECT_EQ(manifest, 5u);
}

TEST(ManifestWriter, RecordsTheSizeOfItsHeadAsTheFormatSays) {
  WriterFixture f;
  const auto writer = f.NewWriter();
  ASSERT_TRUE(
      writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(10)})).ok());
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(f.fs.get(), "/db/MANIFEST-000005", &bytes).ok());
  const auto records = ManifestDirectory::RecordsOf(bytes);
  ASSERT_EQ(records.size(), 3u);
  VersionEdit edit;
  ASSERT_TRUE(edit.DecodeFrom(records[1]).ok());
  EXPECT_EQ(edit.manifest_compacted_size, 7 + HeadRecord().size() + 15);
}

TEST(ManifestWriter, ANewOneIsDueAtItsSizeOrItsGrowth) {
  WriterFixture f;
  const auto writer = f.NewWriter();
  ASSERT_TRUE(writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(1)})).ok());
  uint64_t number = 2;
  while (!writer->NeedsNew(f.limits())) {
    ASSERT_LT(writer->size_bytes(), 4000u);
    ASSERT_TRUE(writer->Append({FileRecord(number++)}).ok());
  }
  EXPECT_GE(writer->size_bytes(), 4000u);
  // After a head of 5000 bytes, it may grow to twice that.
  std::vector<std::string> head = {HeadRecord()};
  size_t bytes = 0;
  while (bytes < 5000) {
    head.push_back(FileRecord(number++));
    bytes += head.back().size() + 7;
  }
  ASSERT_TRUE(writer->Start(Manifest(6, head, {FileRecord(number++)})).ok());
  while (!writer->NeedsNew(f.limits())) {
    ASSERT_LT(writer->size_bytes(), 2 * 5400u);
    ASSERT_TRUE(writer->Append({FileRecord(number++)}).ok());
  }
  EXPECT_GT(writer->size_bytes(), 2 * 4900u);
}

// The share of a head below 100 bytes, too.
TEST(ManifestWriter, ASmallOneMayGrowByItsPercentage) {
  WriterFixture f;
  f.db_options.max_manifest_file_size = 1;
  f.db_options.max_manifest_space_amp_pct = 250;
  const auto writer = f.NewWriter();
  ASSERT_TRUE(writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(1)})).ok());
  const uint64_t head_bytes = 7 + HeadRecord().size() + 15;
  ASSERT_LT(head_bytes, 100u);
  uint64_t number = 2;
  while (writer->size_bytes() < head_bytes * 350 / 100) {
    ASSERT_FALSE(writer->NeedsNew(f.limits()));
    ASSERT_TRUE(writer->Append({FileRecord(number++)}).ok());
  }
  EXPECT_GT(number, 2u);
  EXPECT_TRUE(writer->NeedsNew(f.limits()));
}

TEST(ManifestWriter, AfterAFailedAppendANewOneIsDue) {
  for (const FaultKind kind : {FaultKind::kIOError, FaultKind::kNoSpace,
                               FaultKind::kShort, FaultKind::kSyncFailure}) {
    WriterFixture f;
    const auto writer = f.NewWriter();
    ASSERT_TRUE(
        writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(10)})).ok());
    f.fs->FailCall({.call = 1, .kind = kind});
    EXPECT_FALSE(writer->Append({FileRecord(11)}).ok());
    f.fs->ClearFault();
    EXPECT_TRUE(writer->NeedsNew(f.limits()));
    EXPECT_EQ(writer->manifest_number(), 5u);
    // The state without the failed record goes on in a new manifest.
    ASSERT_TRUE(writer
                    ->Start(Manifest(6, {HeadRecord(), FileRecord(10)},
                                     {FileRecord(12)}))
                    .ok());
    EXPECT_FALSE(writer->NeedsNew(f.limits()));
    ASSERT_TRUE(f.fs->CrashAndHeal().ok());
    std::vector<uint64_t> numbers;
    uint64_t manifest = 0;
    ASSERT_TRUE(f.Recover(&numbers, &manifest).ok());
    EXPECT_EQ(numbers, (std::vector<uint64_t>{10, 12}));
    EXPECT_EQ(manifest, 6u);
  }
}

// Start, append, roll, append; the k-th call fails, for every k. Whatever an
// open finds then, before and after a crash, holds all that was answered OK
// and nothing that was never tried.
void RunScenario(WriterFixture* f, ManifestWriter* writer, uint64_t* done,
                 uint64_t* tried) {
  uint64_t next_manifest = 6;
  std::vector<std::string> state;
  for (uint64_t number = 100; number < 108; ++number) {
    *tried = number;
    const bool rolls = number == 104 || writer->NeedsNew(f->limits());
    Status s;
    if (rolls) {
      std::vector<std::string> head = {HeadRecord()};
      head.insert(head.end(), state.begin(), state.end());
      s = writer->Start(Manifest(next_manifest++, head, {FileRecord(number)}));
    } else {
      s = writer->Append({FileRecord(number)});
    }
    if (!s.ok()) return;
    state.push_back(FileRecord(number));
    *done = number;
  }
}

void FailEveryCall(FaultKind kind, bool is_permanent, int survival_percent) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    WriterFixture f;
    auto writer = f.NewWriter();
    // The last good state before the faults begin.
    ASSERT_TRUE(
        writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(1)})).ok());
    f.fs->FailCall({.call = k, .kind = kind, .is_permanent = is_permanent});
    uint64_t done = 0, tried = 0;
    RunScenario(&f, writer.get(), &done, &tried);
    const bool has_failed = f.fs->failed();
    f.fs->ClearFault();
    const auto check = [&](const char* when) {
      std::vector<uint64_t> numbers;
      uint64_t manifest = 0;
      const Status s = f.Recover(&numbers, &manifest);
      ASSERT_TRUE(s.ok()) << when << " " << s.ToString();
      std::vector<uint64_t> expected = {1};
      // A roll starts from the list of what the scenario wrote.
      if (manifest >= 6) expected.clear();
      const uint64_t last = numbers.empty() ? 0 : numbers.back();
      for (uint64_t n = 100; n <= last; ++n) expected.push_back(n);
      ASSERT_EQ(numbers, expected) << when;
      ASSERT_GE(last, done) << when;
      ASSERT_LE(last, tried) << when;
    };
    check("as it is");
    ASSERT_TRUE(
        f.fs->CrashAndHeal({.survival_percent = survival_percent}).ok());
    check("after a crash");
    writer.reset();
    EXPECT_EQ(f.fs->open_handles(FileKind::kWritable), 0u);
    if (!has_failed) break;
  }
}

TEST(ManifestWriter, NoFailureLosesTheLastGoodState) {
  for (const FaultKind kind : {FaultKind::kIOError, FaultKind::kNoSpace,
                               FaultKind::kShort, FaultKind::kSyncFailure}) {
    for (const bool is_permanent : {false, true}) {
      for (const int survival : {0, 50, 100}) {
        SCOPED_TRACE(static_cast<int>(kind));
        FailEveryCall(kind, is_permanent, survival);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(ManifestWriter, AFailedStartLeavesNothingButWhatCurrentMayName) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    WriterFixture f;
    const auto writer = f.NewWriter();
    ASSERT_TRUE(
        writer->Start(Manifest(5, {HeadRecord()}, {FileRecord(1)})).ok());
    f.fs->FailCall({.call = k});
    const Status s =
        writer->Start(Manifest(6, {HeadRecord()}, {FileRecord(2)}));
    if (!f.fs->failed()) {
      ASSERT_TRUE(s.ok());
      break;
    }
    const std::string failed = f.fs->failed_call();
    f.fs->ClearFault();
    ASSERT_TRUE(
        f.fs->FileExists("/db/MANIFEST-000005", IOOptions(), nullptr).ok());
    EXPECT_EQ(writer->manifest_number(), s.ok() ? 6u : 5u);
    EXPECT_EQ(writer->NeedsNew(f.limits()), !s.ok());
    uint64_t manifest = 0;
    std::vector<uint64_t> numbers;
    ASSERT_TRUE(f.Recover(&numbers, &manifest).ok()) << failed;
    // The next start goes through, and from then on its number counts.
    ASSERT_TRUE(
        writer->Start(Manifest(7, {HeadRecord()}, {FileRecord(3)})).ok());
    EXPECT_EQ(writer->manifest_number(), 7u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
