// Files that go with a range of keys (DeleteFilesInRanges). Runs
// tests/testdata/jobs/file_drop.txt:
//
//   tree                  of files by their first and last keys, which are two
//   LEVELS                entries: "L0 a-k; L1 a-c e-g"
//   > STEP                the files that are left behind each, as they are
//   above
//
// STEPs: drop RANGE.. [end] (with "end" the end of a range belongs to it; "-h",
// "b-" and "-" have no ends), add LEVELS, busy FILE (a compaction has it),
// free FILE, fail (what is written to the manifest next), gone (the family is).
#include "db/jobs/file_drop.h"

#include <gtest/gtest.h>

#include <deque>
#include <sstream>
#include <string>
#include <vector>

#include "db/jobs/clean_up.h"
#include "env/job_threads.h"
#include "tests/db/jobs/held_env.h"
#include "tests/db/jobs/jobs_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FileDropScript {
 public:
  FileDropScript() {
    parts_.obsolete->Arm();
    context_.mutex = &parts_.world.mutex;
    context_.families = &parts_.families;
    context_.scheduler = &parts_.scheduler;
    context_.error = &parts_.errors;
    context_.versions = parts_.world.versions.get();
    context_.directory = parts_.world.directory.get();
    context_.publisher = parts_.publisher.get();
    context_.compactions = parts_.queue.get();
    context_.changes = &parts_.changes;
    context_.stop = &parts_.stop;
    context_.errors = &errors_;
    context_.clean_up = &clean_up_;
    context_.obsolete = parts_.obsolete.get();
    MutexLock lock(&parts_.world.mutex);
    parts_.publisher->Publish(parts_.world.cfd);
  }

  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      if (line.starts_with("> ")) {
        text += Step(line.substr(2)) + "\n";
      } else {
        Add(line);
      }
    }
    return text;
  }

 private:
  class Told final : public JobErrors {
   public:
    void OnBackgroundError(const Status&, BackgroundErrorReason) override {}
    bool OnManifestError(const Status& status) override {
      EXPECT_TRUE(status.IsIOError());
      ++count;
      return true;
    }
    void CheckSpaceLimit() override {}
    int count = 0;
  };

  std::string Step(const std::string& line) {
    const ScriptWords words(line);
    if (words.verb() == "drop") return Drop(words);
    if (words.verb() == "add") {
      Add(line.substr(4));
      return Files();
    }
    if (words.verb() == "gone") {
      parts_.world.cfd->MarkDropped();
      return "gone";
    }
    if (words.verb() == "fail") {
      parts_.world.f.fs->FailCall({.call = 1, .path_contains = "MANIFEST"});
      return "to fail";
    }
    EXPECT_TRUE(words.verb() == "busy" || words.verb() == "free") << line;
    int found = 0;
    for (int level = 0; level < parts_.world.f.family.num_levels; ++level) {
      for (const FileRef& file : parts_.world.Files(level)) {
        if (SpanOf(*file) != words.Word(0)) continue;
        file->being_compacted = words.verb() == "busy";
        ++found;
      }
    }
    EXPECT_EQ(found, 1) << line;
    return words.verb();
  }

  // The newest first, so that a key may be in a file and in the next one.
  void Add(const std::string& levels) {
    std::istringstream words(levels);
    int level = 0;
    for (std::string word; words >> word;) {
      if (word.back() == ';') word.pop_back();
      if (word[0] == 'L') {
        level = std::stoi(word.substr(1));
        continue;
      }
      const size_t dash = word.find('-');
      VersionEdit edit;
      edit.AddFile(level, parts_.world.f.Write(
                              parts_.world.versions->NewFileNumber(),
                              {{word.substr(0, dash), sequence_ - 1, "x"},
                               {word.substr(dash + 1), sequence_ - 2, "x"}}));
      sequence_ -= 2;
      MutexLock lock(&parts_.world.mutex);
      const Status s = parts_.world.versions->LogAndApply(
          {{parts_.world.cfd, &edit}}, parts_.world.directory.get());
      EXPECT_TRUE(s.ok()) << s.ToString();
      parts_.publisher->Publish(parts_.world.cfd);
    }
  }

  std::string Drop(const ScriptWords& words) {
    std::deque<std::string> keys;
    std::deque<Slice> slices;
    std::vector<RangePtr> ranges;
    for (const std::string& word : words.words()) {
      const size_t dash = word.find('-');
      if (dash == std::string::npos) continue;  // "end"
      RangePtr range;
      if (dash > 0) {
        keys.push_back(word.substr(0, dash));
        range.start = &slices.emplace_back(keys.back());
      }
      if (dash + 1 < word.size()) {
        keys.push_back(word.substr(dash + 1));
        range.limit = &slices.emplace_back(keys.back());
      }
      ranges.push_back(range);
    }
    const uint64_t before = ManifestBytes();
    const uint64_t freed = FreedStates();
    const std::string files = Files();
    const Status s = FileDrop(context_).Drop(
        parts_.world.cfd, ranges.data(), ranges.size(), words.HasWord("end"));
    EXPECT_EQ(ReadersSee(), Files());
    const bool has_changed = Files() != files;
    // Where nothing goes nothing is written; what readers had is freed.
    EXPECT_TRUE(has_changed || ManifestBytes() == before || !s.ok());
    EXPECT_TRUE(!has_changed || FreedStates() > freed);
    std::string text = Files();
    // An injected error is shown up to that word.
    constexpr char kInjected[] = "injected";
    const size_t injected = s.ToString().find(kInjected);
    text += s.ok() ? "" : "; " + s.ToString();
    if (injected != std::string::npos) {
      text.resize(text.find(kInjected) + sizeof(kInjected) - 1);
    }
    if (errors_.count > 0) text += "; told";
    return text;
  }

  static std::string SpanOf(const FileMeta& file) {
    return file.smallest.user_key().ToString() + "-" +
           file.largest.user_key().ToString() +
           (file.being_compacted ? "*" : "");
  }
  std::string Files() {
    MutexLock lock(&parts_.world.mutex);
    return FilesOf(parts_.world.cfd->current()->storage());
  }
  std::string ReadersSee() {
    SuperVersion* const state = parts_.world.cfd->AcquireReferenced();
    std::string text = FilesOf(state->current->storage());
    ColumnFamilyData::Release(state);
    return text;
  }
  static std::string FilesOf(const VersionStorage& storage) {
    std::string text;
    for (int level = 0; level < storage.level_count(); ++level) {
      if (storage.files(level).empty()) continue;
      text += (text.empty() ? "L" : "; L") + std::to_string(level);
      for (const FileRef& file : storage.files(level)) {
        text += " " + SpanOf(*file);
      }
    }
    return text.empty() ? "none" : text;
  }
  uint64_t ManifestBytes() const {
    return parts_.world.versions->manifest()->size_bytes();
  }
  uint64_t FreedStates() {
    return parts_.world.f.Ticker(NUMBER_SUPERVERSION_CLEANUPS);
  }

  HeldEnv env_;
  JobThreads threads_;
  JobsWorld parts_;
  Told errors_;
  CleanUp clean_up_{{.env = &env_,
                     .mutex = &parts_.world.mutex,
                     .stop = &parts_.stop,
                     .scheduler = &parts_.scheduler,
                     .publisher = parts_.publisher.get(),
                     .obsolete = parts_.obsolete.get(),
                     .wal = nullptr,
                     .threads = &threads_}};
  FileDrop::Context context_;
  SequenceNumber sequence_ = 1000;
};

TEST(FileDropTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_EQ(c.command, "tree");
    return FileDropScript().Run(c.body);
  };
  EXPECT_GE(RunScript("jobs/file_drop.txt", run), 17u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
