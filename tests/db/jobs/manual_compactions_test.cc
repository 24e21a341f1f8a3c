// Compactions that users ask for. Runs tests/testdata/jobs/manual.txt:
//
//   requests              of a tree of four levels
//   STEPS                 a line each
//
// STEPs: flush ENTRIES (a file of level 0, as in text_entries.h); range
// [keys:A-C] (CompactRange()); files LEVEL TO [path:N] (CompactFiles() of all
// files of a level); move FROM TO (a level as it is); disable, enable, abort,
// end_abort; fail (an error that stops compactions); gone (the family is).
//
// A request answers what the files hold then, and how many were made; before it
// an error, behind which all is as it was.
#include "db/jobs/manual_compactions.h"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

#include "tests/db/jobs/jobs_world.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class RequestScript {
 public:
  std::string Run(const std::string& body) {
    std::string text;
    for (const std::string& line : LinesOf(body)) {
      const std::string answer = Step(line);
      if (!answer.empty()) text += answer + "\n";
    }
    return text;
  }

 private:
  std::string Step(const std::string& line) {
    const ScriptWords words(line);
    const std::string& verb = words.verb();
    if (verb == "flush") {
      const Status s = parts_.world.Flush(line.substr(6));
      EXPECT_TRUE(s.ok()) << s.ToString();
      MutexLock lock(&parts_.world.mutex);
      parts_.publisher->Publish(parts_.world.cfd);
    } else if (verb == "range" || verb == "files" || verb == "move") {
      return Request(words);
    } else if (verb == "disable") {
      EXPECT_TRUE(parts_.stop.DisableManual());
    } else if (verb == "enable") {
      parts_.stop.EnableManual();
    } else if (verb == "abort") {
      parts_.stop.BeginAbort();
    } else if (verb == "end_abort") {
      EXPECT_TRUE(parts_.stop.EndAbort());
    } else {
      MutexLock lock(&parts_.world.mutex);
      if (verb == "fail") {
        parts_.errors.Set(Status::IOError("device"),
                          BackgroundErrorReason::kCompaction);
      } else {
        EXPECT_EQ(verb, "gone");
        parts_.families.Remove(parts_.world.cfd->id());
      }
    }
    return "";
  }

  std::string Request(const ScriptWords& words) {
    const std::string before = parts_.world.Dump();
    const uint64_t next = NextNumber();
    const Status s = words.verb() == "range"   ? Range(words)
                     : words.verb() == "files" ? Files(words)
                                               : Move(words);
    ExpectNothingLeft();
    std::string text = parts_.world.Dump();
    if (!s.ok()) {
      EXPECT_EQ(text, before);
      return s.ToString();
    }
    if (text.empty()) text = "no files";
    return text + "; made " + std::to_string(NextNumber() - next);
  }
  Status Range(const ScriptWords& words) {
    const std::string keys = words.Text("keys", "");
    const size_t dash = keys.find('-');
    const std::string first = keys.substr(0, dash);
    const std::string last = keys.empty() ? "" : keys.substr(dash + 1);
    const Slice begin(first);
    const Slice end(last);
    ManualCompaction manual;
    manual.cfd = parts_.world.cfd;
    if (!keys.empty()) {
      manual.range.begin = &begin;
      manual.range.end = &end;
    }
    return parts_.on_request->CompactRange(CompactRangeOptions(), &manual);
  }
  Status Files(const ScriptWords& words) {
    ManualCompactions::Files files;
    for (const FileRef& file : parts_.world.Files(std::stoi(words.Word(0)))) {
      files.numbers.push_back(file->number);
    }
    files.output_level = std::stoi(words.Word(1));
    files.output_path_id =
        static_cast<int>(words.Number("path", files.output_path_id));
    std::optional<CompactionJobInfo> done;
    const Status s = parts_.on_request->CompactFiles(
        CompactionOptions(), parts_.world.cfd, files, &done);
    EXPECT_EQ(done.has_value(), s.ok());
    if (done) {
      EXPECT_EQ(done->output_files.size(),
                parts_.world.Files(files.output_level).size());
    }
    return s;
  }
  Status Move(const ScriptWords& words) {
    MutexLock lock(&parts_.world.mutex);
    return parts_.on_request->MoveToLevel(
        parts_.world.cfd, std::stoi(words.Word(0)), std::stoi(words.Word(1)));
  }

  uint64_t NextNumber() const {
    return parts_.world.versions->next_file_number();
  }
  // Whatever has come of a request.
  void ExpectNothingLeft() {
    MutexLock lock(&parts_.world.mutex);
    EXPECT_TRUE(parts_.manual.IsIdle());
    EXPECT_FALSE(parts_.manual.HasExclusive());
    EXPECT_EQ(parts_.scheduler.running_compactions(), 0);
    EXPECT_EQ(parts_.family->level_changes, 0);
    EXPECT_FALSE(parts_.placing.is_begun());
    EXPECT_EQ(parts_.told_errors, 0);
  }

  JobsWorld parts_;
};

TEST(ManualCompactionsTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) {
    EXPECT_EQ(c.command, "requests");
    return RequestScript().Run(c.body);
  };
  EXPECT_GE(RunScript("jobs/manual.txt", run), 16u) << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
