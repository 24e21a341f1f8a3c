// Where files go that are ingested. Runs tests/testdata/ingest/placement.txt:
//
//   place OPTIONS         the level and sequence of each file, or why not
//   there LEVELS          files that are there: "L1 b-d@7 x-z; L2 a-f", each
//                         with its sequence (50 if absent), the newest last
//   busy LEVELS           what running compactions write
//   gaps LEVELS           where no table has a key
//   files SPANS           those that come, in the order of the call
//
// OPTIONs: behind, reserved (the last level is kept for those), level0 (FIFO),
// snapshots (older ones are held), inconsistent (and may see the files),
// no-number (none may be given), bottom (the last level or none), generated (by
// a database). There are five levels, and the last sequence is 100.
#include "db/ingest/placement.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/version/version_storage.h"
#include "tests/testing/script.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kLevels = 5;
constexpr SequenceNumber kLast = 100;

class PlacementScript {
 public:
  explicit PlacementScript(const ScriptCase& c) : command_(c.command) {
    EXPECT_EQ(command_.verb(), "place");
    for (const std::string& line : LinesOf(c.body)) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "files") {
        for (std::string word; words >> word;) files_.push_back(Span(word));
        continue;
      }
      EXPECT_TRUE(kind == "there" || kind == "busy" || kind == "gaps") << line;
      Levels* const levels = kind == "there"  ? &there_
                             : kind == "busy" ? &busy_
                                              : &gaps_;
      ReadLevels(&words, levels);
    }
  }

  std::string Run() {
    VersionStorage storage(&order_, kLevels);
    std::vector<std::vector<FileRef>> levels(kLevels);
    for (const auto& [level, text] : there_) {
      levels.at(level).push_back(MakeFile(text));
    }
    Status s = storage.Build(std::move(levels), true);
    EXPECT_TRUE(s.ok()) << s.ToString();
    const IngestExternalFileOptions options = Options();
    const PlacementRequest request = Request(&storage, &options);
    std::vector<Placement> places;
    s = PlaceFiles(request, &places);
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const Placement& place : places) {
      text += (text.empty() ? "L" : " L") + std::to_string(place.level) + "@" +
              std::to_string(place.sequence);
    }
    return text;
  }

 private:
  using Levels = std::vector<std::pair<size_t, std::string>>;

  static void ReadLevels(std::istream* words, Levels* levels) {
    size_t level = 0;
    for (std::string word; *words >> word;) {
      if (word.back() == ';') word.pop_back();
      if (word[0] == 'L') {
        level = std::stoul(word.substr(1));
      } else {
        levels->emplace_back(level, word);
      }
    }
  }
  KeySpan Span(const std::string& word) {
    const size_t dash = word.find('-');
    const std::string& begin = texts_.emplace_back(word.substr(0, dash));
    const std::string& end = texts_.emplace_back(word.substr(dash + 1));
    return {begin, end};
  }
  FileRef MakeFile(const std::string& word) {
    auto file = std::make_shared<FileMeta>();
    const size_t at = word.find('@');
    const KeySpan span = Span(word.substr(0, at));
    const SequenceNumber sequence =
        at == std::string::npos ? 50 : std::stoull(word.substr(at + 1));
    file->number = ++number_;
    file->epoch_number = number_;
    file->size_bytes = 1000;
    file->smallest = InternalKey(span.begin, sequence, kTypeValue);
    file->largest = InternalKey(span.end, sequence, kTypeValue);
    file->smallest_sequence = file->largest_sequence = sequence;
    return file;
  }

  IngestExternalFileOptions Options() const {
    IngestExternalFileOptions options;
    options.ingest_behind = command_.HasWord("behind");
    options.snapshot_consistency = !command_.HasWord("inconsistent");
    options.allow_global_seqno = !command_.HasWord("no-number");
    options.fail_if_not_bottommost_level = command_.HasWord("bottom");
    options.allow_db_generated_files = command_.HasWord("generated");
    return options;
  }
  PlacementRequest Request(const VersionStorage* storage,
                           const IngestExternalFileOptions* options) {
    PlacementRequest request;
    request.storage = storage;
    request.files = files_;
    request.options = options;
    request.reserves_last_level = command_.HasWord("reserved");
    request.only_level0 = command_.HasWord("level0");
    request.has_snapshots = command_.HasWord("snapshots");
    request.last_sequence = kLast;
    request.is_busy = [this](int level, const KeySpan& span) {
      for (const auto& [busy, text] : busy_) {
        if (busy == static_cast<size_t>(level) &&
            AnyOverlap({span, Span(text)}, order_)) {
          return true;
        }
      }
      return false;
    };
    request.holds_keys = [this](int level, size_t index) {
      const KeySpan& file = files_[index];
      for (const auto& [at, text] : gaps_) {
        const KeySpan gap = Span(text);
        if (at == static_cast<size_t>(level) &&
            order_.CompareUserKeys(gap.begin, file.begin) <= 0 &&
            order_.CompareUserKeys(gap.end, file.end) >= 0) {
          return false;
        }
      }
      return true;
    };
    return request;
  }

  const ScriptWords command_;
  const InternalKeyComparator order_{BytewiseComparator()};
  std::deque<std::string> texts_;
  Levels there_, busy_, gaps_;
  std::vector<KeySpan> files_;
  uint64_t number_ = 0;
};

TEST(PlacementTest, EveryCaseOfTheScript) {
  const auto run = [](const ScriptCase& c) { return PlacementScript(c).Run(); };
  EXPECT_GE(RunScript("ingest/placement.txt", run), 74u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
