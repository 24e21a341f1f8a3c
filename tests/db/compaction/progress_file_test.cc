// Progress of a compaction on record: bytes as db-format.md 4.4 has them, files
// that are torn, damaged or that cannot be written, and what becomes of files:
// tests/testdata/compaction/progress.txt.
//
//   progress              of a compaction whose tables are in one directory
//   STEPS                 a line each
//
// STEPs: begin N,.. (a file with the records of these tables; "none" of none),
// add N, last N (the one behind which there is nothing), has N; load [REQUEST]
// (by somebody who comes later: the records are the tables' numbers), resume
// REQUEST COUNT (he goes on behind so many of them); forget, remove_all [PATH];
// write NAME TEXT, files (that are there, without those of the record, of which
// there is a count), crash (unsynced data are gone).
#include "db/compaction/progress_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "file/file_util.h"
#include "rocksdb/system_clock.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/manifest/manifest_fixture.h"
#include "tests/testing/script.h"
#include "util/coding.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

CompactionProgressRecord RecordOf(uint64_t number) {
  CompactionProgressRecord record;
  record.files.push_back(NewFileMeta(number, "apple", "melon", 9));
  record.next = InternalKey("nut", kMaxSequenceNumber, kValueTypeForSeek);
  record.counts.records.records_in = 1000 * number;
  record.counts.records.dropped_hidden = 7;
  record.counts.records.corrupt_keys = 9;
  record.counts.dropped_tombstones = 3;
  record.counts.cpu_micros = 12345;
  record.output_records = 800 * number;
  return record;
}

void ExpectSame(const CompactionProgressRecord& a,
                const CompactionProgressRecord& b) {
  ASSERT_EQ(a.files.size(), b.files.size());
  for (size_t i = 0; i < a.files.size(); ++i) {
    EXPECT_EQ(a.files[i]->number, b.files[i]->number);
    EXPECT_EQ(a.files[i]->size_bytes, b.files[i]->size_bytes);
    EXPECT_EQ(a.files[i]->smallest.Encode(), b.files[i]->smallest.Encode());
    EXPECT_EQ(a.files[i]->largest.Encode(), b.files[i]->largest.Encode());
    EXPECT_EQ(a.files[i]->epoch_number, b.files[i]->epoch_number);
  }
  ASSERT_EQ(a.next.has_value(), b.next.has_value());
  if (a.next) {
    EXPECT_EQ(a.next->Encode(), b.next->Encode());
  }
  EXPECT_EQ(a.counts.records.records_in, b.counts.records.records_in);
  EXPECT_EQ(a.counts.records.dropped_hidden, b.counts.records.dropped_hidden);
  EXPECT_EQ(a.counts.records.corrupt_keys, b.counts.records.corrupt_keys);
  EXPECT_EQ(a.counts.records.has_skipped, b.counts.records.has_skipped);
  EXPECT_EQ(a.counts.dropped_tombstones, b.counts.dropped_tombstones);
  EXPECT_EQ(a.counts.cpu_micros, b.counts.cpu_micros);
  EXPECT_EQ(a.output_records, b.output_records);
}

TEST(CompactionProgressRecordTest, ComesBackAsItWas) {
  for (const bool is_last : {false, true}) {
    CompactionProgressRecord record = RecordOf(11);
    if (is_last) record.next.reset();
    record.counts.records.has_skipped = is_last;
    std::string bytes;
    ASSERT_OK(record.EncodeTo(&bytes));
    CompactionProgressRecord decoded;
    ASSERT_OK(decoded.DecodeFrom(bytes));
    ExpectSame(record, decoded);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decoded.DecodeFrom(Slice(bytes.data(), size)).ok()) << size;
    }
    EXPECT_TRUE(decoded.DecodeFrom(bytes + "x").IsCorruption());
  }
}

// The fields that the format has are where it says.
TEST(CompactionProgressRecordTest, HasTheFieldsOfTheFormat) {
  const CompactionProgressRecord record = RecordOf(11);
  std::string bytes;
  ASSERT_OK(record.EncodeTo(&bytes));
  Slice rest(bytes), value;
  uint32_t tag = 0, count = 0, level = 0;
  uint64_t number = 0;
  ASSERT_TRUE(GetVarint32(&rest, &tag) &&
              GetLengthPrefixedSlice(&rest, &value));
  EXPECT_EQ(tag, 2u);
  EXPECT_EQ(value, record.next->Encode());
  ASSERT_TRUE(GetVarint32(&rest, &tag) &&
              GetLengthPrefixedSlice(&rest, &value));
  EXPECT_EQ(tag, 3u);
  ASSERT_TRUE(GetVarint64(&value, &number));
  EXPECT_EQ(number, 11000u);
  Slice part;
  ASSERT_TRUE(GetVarint32(&rest, &tag) && GetLengthPrefixedSlice(&rest, &part));
  EXPECT_EQ(tag, 4u);
  ASSERT_TRUE(GetVarint32(&part, &tag) &&
              GetLengthPrefixedSlice(&part, &value));
  EXPECT_EQ(tag, 2u);
  Slice file;
  ASSERT_TRUE(GetVarint32(&value, &count) &&
              GetLengthPrefixedSlice(&value, &file));
  EXPECT_EQ(count, 1u);
  ASSERT_TRUE(GetVarint32(&file, &level) && GetVarint64(&file, &number));
  EXPECT_EQ(level, 0xffffffffu);
  EXPECT_EQ(number, 11u);
  ASSERT_TRUE(GetVarint32(&part, &tag) &&
              GetLengthPrefixedSlice(&part, &value));
  EXPECT_EQ(tag, 3u);
  ASSERT_TRUE(GetVarint64(&value, &number));
  EXPECT_EQ(number, 8800u);
  EXPECT_EQ(part, Slice("\x01", 1));
}

// Which to go on with is refused, and to show is not.
TEST(CompactionProgressRecordTest, AnotherEnginesRecordHasNoCounts) {
  std::string bytes;
  PutVarint32(&bytes, 2);
  PutLengthPrefixedSlice(&bytes, RecordOf(11).next->Encode());
  std::string level;
  PutVarint32(&level, 3);
  PutLengthPrefixedSlice(&level, "\x07");
  PutVarint32(&level, 1);
  PutVarint32(&bytes, 4);
  PutLengthPrefixedSlice(&bytes, level);
  PutVarint32(&bytes, 1);
  CompactionProgressRecord record;
  EXPECT_TRUE(record.DecodeFrom(bytes).IsCorruption());
  ASSERT_OK(record.DecodeAnyFrom(bytes));
  ASSERT_TRUE(record.next.has_value());
  EXPECT_EQ(record.next->Encode(), RecordOf(11).next->Encode());
  EXPECT_EQ(record.output_records, 7u);
  EXPECT_FALSE(record.DecodeAnyFrom(Slice(bytes.data(), 5)).ok());
}

// The field about the output level of a record of ours.
std::string LevelFieldOf(uint64_t number) {
  std::string bytes;
  EXPECT_OK(RecordOf(number).EncodeTo(&bytes));
  Slice rest(bytes), value;
  uint32_t tag = 0;
  while (tag != 4 && GetVarint32(&rest, &tag) &&
         GetLengthPrefixedSlice(&rest, &value)) {
  }
  EXPECT_EQ(tag, 4u);
  return value.ToString();
}

TEST(CompactionProgressRecordTest, OutputsToTwoLevelsAreShown) {
  std::string bytes;
  for (const uint32_t tag : {4u, 5u}) {
    PutVarint32(&bytes, tag);
    PutLengthPrefixedSlice(&bytes, LevelFieldOf(tag + 7));
  }
  PutVarint32(&bytes, 1);
  CompactionProgressRecord record;
  ASSERT_OK(record.DecodeAnyFrom(bytes));
  ASSERT_EQ(record.files.size(), 2u);
  EXPECT_EQ(record.files[0]->number, 11u);
  EXPECT_EQ(record.files[1]->number, 12u);
  EXPECT_EQ(record.output_records, 800u * (11 + 12));
  EXPECT_FALSE(record.next.has_value());
  EXPECT_TRUE(record.DecodeFrom(bytes).IsNotSupported());
}

TEST(CompactionProgressRecordTest, UnknownFieldsArePassedOverOrRefused) {
  std::string bytes;
  ASSERT_OK(RecordOf(11).EncodeTo(&bytes));
  const auto with = [&bytes](uint32_t tag) {
    std::string more;
    PutVarint32(&more, tag);
    PutLengthPrefixedSlice(&more, "later");
    return more + bytes;
  };
  CompactionProgressRecord record;
  EXPECT_OK(record.DecodeFrom(with((1 << 16) + 99)));
  EXPECT_TRUE(record.DecodeFrom(with(99)).IsNotSupported());
  EXPECT_TRUE(record.DecodeFrom(with(5)).IsNotSupported());
}

class ProgressScript {
 public:
  ProgressScript()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(), 1)) {
    EXPECT_OK(fs_->CreateDir("/out", IOOptions(), nullptr));
    EXPECT_OK(fs_->NewDirectory("/out", IOOptions(), &directory_, nullptr));
    file_ = NewFile("request");
  }

  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Step(ScriptWords(line));
      if (!answer.empty()) text += line + ": " + answer + "\n";
    }
    return text;
  }

 private:
  using Records = std::vector<CompactionProgressRecord>;

  std::unique_ptr<CompactionProgressFile> NewFile(const std::string& request) {
    return std::make_unique<CompactionProgressFile>(
        CompactionProgressFile::Context{fs_.get(), SystemClock::Default().get(),
                                        nullptr, directory_.get(), "/out",
                                        request});
  }

  std::string Step(const ScriptWords& words) {
    const std::string& verb = words.verb();
    const std::string first = words.words().empty() ? "" : words.words()[0];
    if (verb == "begin") return Failure(file_->Begin(RecordsOf(first)));
    if (verb == "add" || verb == "last") {
      CompactionProgressRecord record = RecordOf(std::stoull(first));
      if (verb == "last") record.next.reset();
      file_->Add(record);
      return "";
    }
    if (verb == "has") return file_->Has(std::stoull(first)) ? "yes" : "no";
    if (verb == "load") return Load(first.empty() ? "request" : first);
    if (verb == "resume") return Resume(first, std::stoul(words.Word(1)));
    if (verb == "forget") {
      file_->Forget();
      return "";
    }
    if (verb == "remove_all") {
      return Failure(CompactionProgressFile::RemoveAll(
          fs_.get(), first.empty() ? "/out" : first));
    }
    if (verb == "write") {
      return Failure(CreateFile(fs_.get(), "/out/" + first, words.Word(1),
                                FileDurability::kSynced));
    }
    if (verb == "crash") return Failure(fs_->CrashAndHeal());
    EXPECT_EQ(verb, "files");
    return Files();
  }
  static std::string Failure(const Status& s) {
    return s.ok() ? "" : s.ToString();
  }
  static Records RecordsOf(const std::string& numbers) {
    Records records;
    std::istringstream list(numbers);
    for (std::string number; std::getline(list, number, ',');) {
      if (number != "none") records.push_back(RecordOf(std::stoull(number)));
    }
    return records;
  }
  std::string Load(const std::string& request) {
    Records records;
    const Status s = NewFile(request)->Load(&records);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const CompactionProgressRecord& record : records) {
      const uint64_t number = record.files.at(0)->number;
      CompactionProgressRecord expected = RecordOf(number);
      if (!record.next) expected.next.reset();
      ExpectSame(record, expected);
      text += (text.empty() ? "" : " ") + std::to_string(number) +
              (record.next ? "" : " (the last)");
    }
    return text.empty() ? "none" : text;
  }
  std::string Resume(const std::string& request, size_t count) {
    file_ = NewFile(request);
    Records records;
    const Status s = file_->Load(&records);
    if (!s.ok()) return s.ToString();
    records.resize(std::min(count, records.size()));
    return Failure(file_->Begin(records));
  }
  std::string Files() {
    std::vector<std::string> names;
    EXPECT_OK(fs_->GetChildren("/out", IOOptions(), &names, nullptr));
    std::sort(names.begin(), names.end());
    std::string text;
    int records = 0;
    for (const std::string& name : names) {
      if (name.starts_with("COMPACTION_PROGRESS")) {
        ++records;
      } else {
        text += name + " ";
      }
    }
    return text + "and " + std::to_string(records);
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<FSDirectory> directory_;
  std::unique_ptr<CompactionProgressFile> file_;
};

TEST(CompactionProgressScriptTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_EQ(c.command, "progress");
    return ProgressScript().Run(c.body);
  };
  EXPECT_GE(RunScript("compaction/progress.txt", run), 13u)
      << "cases went missing";
}

class CompactionProgressFileTest : public ::testing::Test {
 protected:
  CompactionProgressFileTest()
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(), 1)) {
    EXPECT_OK(fs_->CreateDir("/out", IOOptions(), nullptr));
    EXPECT_OK(fs_->NewDirectory("/out", IOOptions(), &directory_, nullptr));
  }

  std::unique_ptr<CompactionProgressFile> NewFile(
      const std::string& request = "request") {
    return std::make_unique<CompactionProgressFile>(
        CompactionProgressFile::Context{fs_.get(), SystemClock::Default().get(),
                                        nullptr, directory_.get(), "/out",
                                        request});
  }
  // Three records, the last of which has no next key.
  void Fill() {
    const auto file = NewFile();
    std::vector<CompactionProgressRecord> none;
    ASSERT_OK(file->Load(&none));
    ASSERT_TRUE(none.empty());
    ASSERT_OK(file->Begin({}));
    file->Add(RecordOf(11));
    file->Add(RecordOf(12));
    CompactionProgressRecord last = RecordOf(13);
    last.next.reset();
    file->Add(last);
    EXPECT_TRUE(file->Has(11));
    EXPECT_FALSE(file->Has(14));
  }
  std::vector<CompactionProgressRecord> Load(
      const std::string& request = "request") {
    std::vector<CompactionProgressRecord> records;
    EXPECT_OK(NewFile(request)->Load(&records));
    return records;
  }
  std::vector<std::string> Names(const std::string& part) {
    std::vector<std::string> names, found;
    EXPECT_OK(fs_->GetChildren("/out", IOOptions(), &names, nullptr));
    for (const std::string& name : names) {
      if (name.find(part) != std::string::npos) found.push_back(name);
    }
    return found;
  }
  void Write(const std::string& name, const Slice& bytes) {
    ASSERT_OK(
        CreateFile(fs_.get(), "/out/" + name, bytes, FileDurability::kSynced));
  }

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::unique_ptr<FSDirectory> directory_;
};

TEST_F(CompactionProgressFileTest, OfATornOrDamagedFileTheFrontCounts) {
  ASSERT_NO_FATAL_FAILURE(Fill());
  const std::string name = Names("COMPACTION_PROGRESS-").at(0);
  std::string whole;
  ASSERT_OK(ReadFileToString(fs_.get(), "/out/" + name, &whole));
  size_t most = 0;
  for (size_t size = 0; size <= whole.size(); ++size) {
    ASSERT_NO_FATAL_FAILURE(Write(name, Slice(whole.data(), size)));
    const size_t count = Load().size();
    EXPECT_GE(count, most) << size;
    most = count;
  }
  EXPECT_EQ(most, 3u);
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x20);
    ASSERT_NO_FATAL_FAILURE(Write(name, damaged));
    const std::vector<CompactionProgressRecord> records = Load();
    EXPECT_LT(records.size(), 3u) << i;
    if (!records.empty()) ExpectSame(records[0], RecordOf(11));
  }
}

// Whatever fails, what was on record before is, and nothing else.
TEST_F(CompactionProgressFileTest, ARecordThatCannotBeWrittenIsNone) {
  for (uint64_t k = 1;; ++k) {
    const auto file = NewFile();
    ASSERT_OK(file->Begin({RecordOf(11)}));
    fs_->FailCall({.call = k, .scope = FaultScope::kMutatingCalls});
    file->Add(RecordOf(12));
    file->Add(RecordOf(13));
    const bool struck = fs_->failed();
    fs_->Heal();
    const size_t count = Load().size();
    if (!struck) {
      EXPECT_EQ(count, 3u);
      break;
    }
    EXPECT_GE(count, 1u) << k;
    EXPECT_TRUE(file->Has(11)) << k;
    if (file->Has(12)) {
      EXPECT_GE(count, 2u) << k;
    }
    EXPECT_FALSE(file->Has(13)) << k;
    file->Forget();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
