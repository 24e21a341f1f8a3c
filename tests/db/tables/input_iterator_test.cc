// One sorted stream over the inputs of a compaction.
//
// Runs tests/testdata/levels/input_iterator.txt:
//
//   policy [OPTION ..]    how a compaction reads. OPTIONs: direct_compaction,
//                         direct, uncached; strips: the file system never reads
//                         as it is asked to
//   inputs [OPTION ..] [from:KEY] [to:KEY]    of the three levels below;
//                         nothing of them is read yet
//   > opened              the files that were opened since the last time
//   > walk                what is there, counted
//   > handles             open now, and the most at a time, of own readers
//   > close               the iterator goes; what is open, what was counted
//
// Level 0 has the files 28 to 30, which overlap: 40 keys from k00000 on; levels
// 1 and 2 have 50 to 52 and 60 to 62: 40 keys from c00000, k00000 and p00000.
#include "db/tables/input_iterator.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/db/tables/table_files.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Files of three levels, and a stream over them.
class CompactionInputs {
 public:
  // Level 0: three files that overlap; levels 1 and 2: three files each.
  void Open(bool is_direct, std::shared_ptr<FileSystem> fs = {}) {
    f.db_options.use_direct_io_for_compaction_reads = is_direct;
    f.Open(true, std::move(fs));
    inputs.resize(3);
    uint64_t number = 30;
    for (int i = 0; i < 3; ++i) {
      inputs[0].files.push_back(
          f.Write(number--, TableFiles::Numbered("k", 40, 50 - i)));
    }
    for (int level = 1; level < 3; ++level) {
      inputs[level].level = level;
      uint64_t at = 40 + level * 10;
      for (const char* prefix : {"c", "k", "p"}) {
        inputs[level].files.push_back(
            f.Write(at++, TableFiles::Numbered(prefix, 40, 10 - level)));
      }
      ASSERT_TRUE(LevelFiles::Build(inputs[level].files,
                                    f.cf->internal_comparator, true,
                                    &inputs[level].sorted)
                      .ok());
    }
    f.fs->ClearOpens();
    f.fs->ResetPeaks();
  }

  Status Make(std::unique_ptr<InternalIterator>* result,
              std::optional<Slice> begin = {}, std::optional<Slice> end = {}) {
    InputIteratorRequest request;
    request.inputs = &inputs;
    request.tables = f.tables.get();
    request.mutable_cf = f.mutable_cf.get();
    request.order = &f.cf->internal_comparator;
    request.read_options = &f.read;
    request.bulk =
        CompactionReadPolicy(*f.db, MutableDBOptions(f.db_options), {});
    request.begin = begin;
    request.end = end;
    return MakeInputIterator(request, result);
  }

  TableFiles f;
  std::vector<CompactionInputLevel> inputs;
};

// Creating fails at the k-th call, for every k: whatever input it strikes,
// nothing stays open.
class InputIteratorTest : public ::testing::Test, public CompactionInputs {};

TEST_F(InputIteratorTest, AFailureWhileOpeningLeavesNothingOpen) {
  Open(true);
  uint64_t failures = 0;
  for (uint64_t k = 1;; ++k) {
    f.fs->FailCall({.call = k, .scope = FaultScope::kAllCalls});
    std::unique_ptr<InternalIterator> iterator;
    const Status s = Make(&iterator);
    if (!s.ok()) {
      ++failures;
      EXPECT_EQ(iterator, nullptr);
      EXPECT_EQ(f.RandomHandles(), 0u) << f.fs->failed_call();
    }
    const bool has_failed = f.fs->failed();
    iterator.reset();
    EXPECT_EQ(f.RandomHandles(), 0u);
    EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
              f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
    if (!has_failed) break;
  }
  // Each file is opened; what is asked for ahead may fail without harm.
  EXPECT_GE(failures, 3u);
}

TEST_F(InputIteratorTest, TenThousandFailuresLeakNothing) {
  Open(true);
  uint64_t failures = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    f.fs->FailCall({.call = 1 + i % 20, .scope = FaultScope::kAllCalls});
    std::unique_ptr<InternalIterator> iterator;
    Status s = Make(&iterator);
    if (s.ok()) {
      iterator->SeekToFirst();
      s = iterator->status();
    }
    failures += f.fs->failed() ? 1 : 0;
  }
  f.fs->ClearFault();
  EXPECT_EQ(failures, 10000u);
  EXPECT_EQ(f.RandomHandles(), 0u);
  EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
            f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
}

std::string PolicyText(const BulkReadPolicy& policy) {
  std::string text =
      policy.open_ephemeral_reader ? "own readers" : "shared readers";
  if (policy.file_options.use_direct_reads) text += ", direct";
  if (policy.file_options.use_uncached_io) text += ", uncached";
  return text + ", " + std::to_string(policy.readahead_bytes) + " bytes ahead";
}

// Sets what the words of a command say; the file system to open with.
std::shared_ptr<FileSystem> SetPolicyOptions(const ScriptWords& command,
                                             TableFiles* f) {
  f->db_options.use_direct_io_for_compaction_reads =
      command.HasWord("direct_compaction");
  f->db_options.use_direct_reads = command.HasWord("direct");
  f->db_options.compaction_readahead_size = 12345;
  if (command.HasWord("uncached")) {
    f->db_options.compaction_read_access = FileAccess::kUncached;
  }
  if (!command.HasWord("strips")) return nullptr;
  return std::make_shared<StrippingFileSystem>(f->fs);
}

std::string PolicyAnswer(const ScriptWords& command) {
  TableFiles f;
  const std::shared_ptr<FileSystem> fs = SetPolicyOptions(command, &f);
  f.Open(true, fs);
  FileOptions user;
  user.use_direct_reads = command.HasWord("direct");
  return PolicyText(
      CompactionReadPolicy(*f.db, MutableDBOptions(f.db_options), user));
}

class InputScript : public CompactionInputs {
 public:
  explicit InputScript(const ScriptCase& c)
      : command_(c.command), steps_(c.body) {}

  std::string Answers() {
    EXPECT_EQ(command_.verb(), "inputs");
    const std::shared_ptr<FileSystem> fs = SetPolicyOptions(command_, &f);
    Open(command_.HasWord("direct_compaction"), fs);
    const std::string from = command_.Text("from", "");
    const std::string to = command_.Text("to", "");
    std::optional<Slice> begin, end;
    if (command_.Has("from")) begin = Slice(from);
    if (command_.Has("to")) end = Slice(to);
    const Status s = Make(&iterator_, begin, end);
    if (!s.ok()) return s.ToString();
    return AnswerEachLine(steps_.asked, [this](const ScriptWords& words) {
      return Answer(words.verb());
    });
  }

 private:
  std::string Answer(const std::string& verb) {
    if (verb == "opened") return Opened();
    if (verb == "walk") return Walk();
    if (verb == "handles") {
      return std::to_string(f.fs->direct_read_handles()) + ", at most " +
             std::to_string(f.fs->peak_direct_read_handles());
    }
    EXPECT_EQ(verb, "close");
    iterator_.reset();
    EXPECT_EQ(f.fs->direct_read_handles(), 0u);
    EXPECT_EQ(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED),
              f.Ticker(COMPACTION_EPHEMERAL_READERS_CLOSED));
    return std::to_string(f.RandomHandles()) + " open, " +
           std::to_string(f.Ticker(COMPACTION_DIRECT_READ_OPENS)) +
           " read directly, " +
           std::to_string(f.Ticker(COMPACTION_EPHEMERAL_READERS_OPENED)) +
           " own readers";
  }
  std::string Opened() {
    std::multiset<uint64_t> numbers;
    for (const OpenRecord& open : f.fs->opens()) {
      numbers.insert(std::stoull(open.path.substr(open.path.rfind('/') + 1)));
    }
    f.fs->ClearOpens();
    std::string text;
    for (const uint64_t number : numbers) {
      JoinItem(&text, std::to_string(number));
    }
    return TextOr(text, "none");
  }
  // Every entry in order, and none twice.
  std::string Walk() {
    size_t count = 0;
    std::string first, last;
    for (iterator_->SeekToFirst(); iterator_->Valid(); iterator_->Next()) {
      const std::string key = iterator_->key().ToString();
      if (++count == 1) first = key;
      if (!last.empty()) {
        EXPECT_LT(f.cf->internal_comparator.Compare(Slice(last), Slice(key)),
                  0);
      }
      last = key;
    }
    EXPECT_TRUE(iterator_->status().ok()) << iterator_->status().ToString();
    if (count == 0) return "nothing";
    return std::to_string(count) + ": " + ExtractUserKey(first).ToString() +
           " to " + ExtractUserKey(last).ToString();
  }

  const ScriptWords command_;
  const ScriptSteps steps_;
  std::unique_ptr<InternalIterator> iterator_;
};

TEST(InputIteratorScriptTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    const ScriptWords command(c.command);
    if (command.verb() == "policy") return PolicyAnswer(command);
    return InputScript(c).Answers();
  };
  EXPECT_GE(RunScript("levels/input_iterator.txt", run), 21u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
