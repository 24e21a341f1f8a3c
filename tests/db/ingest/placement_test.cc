// Where files go, told by levels in text: "1:b-d 2:a-f" are the files that are
// there, "c-e" the ones that come.
#include "db/ingest/placement.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <sstream>
#include <string>

#include "db/version/version_storage.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct PlacementCase {
  const char* there;   // level:begin-end[@smallest sequence], newest last
  const char* files;   // begin-end, in the order of the call
  const char* places;  // level@sequence of each, or the code of the error
  const char* options = "";
  const char* busy = "";  // level:begin-end of running compactions
  const char* gaps = "";  // level:begin-end where no table has a key
};

constexpr int kLevels = 5;
constexpr SequenceNumber kLast = 100;

class Script {
 public:
  std::string Run(const PlacementCase& c) {
    const InternalKeyComparator order(BytewiseComparator());
    VersionStorage storage(&order, kLevels);
    std::vector<std::vector<FileRef>> levels(kLevels);
    for (const std::string& word : Words(c.there)) {
      levels[Level(word)].push_back(MakeFile(word));
    }
    Status s = storage.Build(std::move(levels), true);
    if (!s.ok()) return s.ToString();
    PlacementRequest request;
    request.storage = &storage;
    for (const std::string& word : Words(c.files)) {
      request.files.push_back(Span(word));
    }
    IngestExternalFileOptions options;
    SetOptions(c.options, &options, &request);
    request.options = &options;
    request.last_sequence = kLast;
    request.is_busy = [&](int level, const KeySpan& span) {
      for (const std::string& word : Words(c.busy)) {
        if (Level(word) == static_cast<size_t>(level) &&
            AnyOverlap({span, Span(word.substr(2))}, order)) {
          return true;
        }
      }
      return false;
    };
    request.holds_keys = [&](int level, size_t index) {
      for (const std::string& word : Words(c.gaps)) {
        const KeySpan gap = Span(word.substr(2));
        const KeySpan& file = request.files[index];
        if (Level(word) == static_cast<size_t>(level) &&
            order.CompareUserKeys(gap.begin, file.begin) <= 0 &&
            order.CompareUserKeys(gap.end, file.end) >= 0) {
          return false;
        }
      }
      return true;
    };
    std::vector<Placement> places;
    s = PlaceFiles(request, &places);
    if (s.IsInvalidArgument()) return "InvalidArgument";
    if (s.IsTryAgain()) return "TryAgain";
    if (!s.ok()) return s.ToString();
    std::string text;
    for (const Placement& place : places) {
      if (!text.empty()) text += " ";
      text +=
          std::to_string(place.level) + "@" + std::to_string(place.sequence);
    }
    return text;
  }

 private:
  static std::vector<std::string> Words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }
  static size_t Level(const std::string& word) { return word[0] - '0'; }
  KeySpan Span(const std::string& word) {
    const size_t dash = word.find('-');
    const std::string& begin = texts_.emplace_back(word.substr(0, dash));
    const std::string& end = texts_.emplace_back(word.substr(dash + 1));
    return {begin, end};
  }
  FileRef MakeFile(const std::string& word) {
    auto file = std::make_shared<FileMeta>();
    const size_t at = word.find('@');
    const KeySpan span = Span(word.substr(2, at - 2));
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
  static void SetOptions(const std::string& text,
                         IngestExternalFileOptions* options,
                         PlacementRequest* request) {
    for (const std::string& word : Words(text)) {
      if (word == "behind") {
        options->ingest_behind = true;
      } else if (word == "reserved") {
        request->reserves_last_level = true;
      } else if (word == "level0") {
        request->only_level0 = true;
      } else if (word == "snapshots") {
        request->has_snapshots = true;
      } else if (word == "inconsistent") {
        options->snapshot_consistency = false;
      } else if (word == "no-number") {
        options->allow_global_seqno = false;
      } else if (word == "bottom") {
        options->fail_if_not_bottommost_level = true;
      } else if (word == "generated") {
        options->allow_db_generated_files = true;
      } else {
        ADD_FAILURE() << word;
      }
    }
  }

  std::deque<std::string> texts_;
  uint64_t number_ = 0;
};

constexpr PlacementCase kCases[] = {
    // Nothing in the way: the last level, and no number.
    {"", "a-c", "4@0"},
    {"", "a-c d-f", "4@0 4@0"},
    {"4:a-b 4:x-z", "c-d", "4@0"},
    {"0:x-z 2:a-b", "c-d", "4@0"},
    // Above what it overlaps, with a number.
    {"4:a-f", "c-d", "3@101"},
    {"4:a-c", "c-d", "3@101"},
    {"4:d-f", "c-d", "3@101"},
    {"3:a-f 4:a-f", "c-d", "2@101"},
    {"2:c-c", "a-z", "1@101"},
    {"1:a-f", "c-d", "0@101"},
    {"0:a-f", "c-d", "0@101"},
    {"0:a-f 4:a-f", "c-d", "0@101"},
    // Each file by itself; one number for all that need one.
    {"4:a-f", "b-c m-n", "3@101 4@0"},
    {"4:a-f", "b-c d-e", "3@101 3@101"},
    // Into a gap: below the level, but not into it.
    {"0:a-z", "c-d", "4@0", "no-number bottom", "", "0:b-e"},
    {"0:a-z", "c-d", "4@0", "generated", "", "0:b-e"},
    {"2:a-z", "c-d", "4@0", "bottom", "", "2:b-e"},
    {"4:a-z", "c-d", "3@0", "no-number", "", "4:b-e"},
    {"4:a-z", "c-d", "TryAgain", "bottom", "", "4:b-e"},
    {"0:a-z 0:c-d", "c-d", "0@101", "", "", ""},
    {"0:a-z 2:a-z", "c-d", "1@101", "", "", "0:b-e"},
    {"0:a-z 2:a-z", "c-d", "4@0", "", "", "0:b-e 2:c-d"},
    {"1:a-z 3:a-z", "c-d", "4@0", "", "", "1:b-e 3:c-d"},
    {"1:a-z 3:a-z", "c-f", "2@101", "", "", "1:b-g 3:c-d"},
    {"0:a-z", "c-d", "3@0", "", "4:a-z", "0:b-e"},
    {"0:a-z", "c-d", "0@0", "level0", "", "0:b-e"},
    {"0:a-z", "c-d", "4@101", "snapshots", "", "0:b-e"},
    {"0:a-z", "c-d c-d", "4@101 3@102", "", "", "0:b-e"},
    {"0:a-z", "c-d m-n", "4@0 0@101", "", "", "0:b-e"},
    // Files that overlap: a number each, later ones above.
    {"", "a-c b-d", "4@101 3@102"},
    {"", "a-c b-d a-z", "4@101 3@102 2@103"},
    {"", "a-c b-d a-z a-z", "4@101 3@102 2@103 1@104"},
    {"", "a-c b-d a-z a-z a-z a-z", "4@101 3@102 2@103 1@104 0@105 0@106"},
    {"", "a-c c-d x-z", "4@101 3@102 4@103"},
    // Older snapshots must not see the file.
    {"", "a-c", "4@101", "snapshots"},
    {"", "a-c", "4@0", "snapshots inconsistent"},
    {"4:a-f", "a-c", "3@101", "snapshots inconsistent"},
    // What the options forbid.
    {"", "a-c", "4@0", "no-number"},
    {"4:a-f", "a-c", "InvalidArgument", "no-number"},
    {"", "a-c b-d", "InvalidArgument", "no-number"},
    {"", "a-c", "InvalidArgument", "no-number snapshots"},
    {"", "a-c", "4@0", "generated"},
    {"4:a-f", "a-c", "InvalidArgument", "generated"},
    {"", "a-c b-d", "InvalidArgument", "generated"},
    {"", "a-c", "InvalidArgument", "generated snapshots"},
    {"", "a-c", "4@0", "bottom"},
    {"4:a-f", "a-c", "TryAgain", "bottom"},
    {"", "a-c", "3@0", "bottom reserved"},
    // Behind all that is there.
    {"", "a-c", "4@0", "behind reserved"},
    {"0:a-z 1:a-z 3:a-z", "a-c", "4@0", "behind reserved"},
    {"0:a-z", "a-c", "4@0", "behind reserved snapshots"},
    {"4:a-b", "a-c", "InvalidArgument", "behind reserved"},
    {"4:x-z@0", "a-c", "4@0", "behind reserved"},
    {"3:x-z@0", "a-c", "InvalidArgument", "behind reserved"},
    {"", "a-c b-d", "InvalidArgument", "behind reserved"},
    {"", "a-c x-z", "4@0 4@0", "behind reserved"},
    {"", "a-c", "InvalidArgument", "behind reserved", "4:a-z"},
    // The last level is kept free for those.
    {"", "a-c", "3@0", "reserved"},
    {"4:a-z", "a-c", "3@101", "reserved"},
    // FIFO.
    {"", "a-c", "0@0", "level0"},
    {"0:a-z", "a-c", "0@101", "level0"},
    // Not where a compaction is about to write.
    {"", "b-c", "3@0", "", "4:a-z"},
    {"", "b-c", "4@0", "", "4:d-z"},
    {"", "b-c", "4@0", "", "3:a-z"},
    {"", "b-c", "0@0", "", "1:a-z 2:a-z 3:a-z 4:a-z"},
    {"4:a-z", "b-c", "2@101", "", "3:c-d"},
    {"4:a-z", "b-c", "0@101", "", "1:a-z 2:a-z 3:a-z"},
};

TEST(Placement, Cases) {
  for (const PlacementCase& c : kCases) {
    EXPECT_EQ(Script().Run(c), c.places)
        << "there: " << c.there << ", files: " << c.files << ", " << c.options
        << " " << c.busy;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
