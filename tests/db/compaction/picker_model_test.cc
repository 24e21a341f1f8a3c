// Picks of every style, run side by side and ended in any order, against a
// model: for no key may an older version come to lie before a newer one, and
// no file may be picked twice (fault class 12 of overlapping or missing
// inputs: silently wrong reads).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/db/compaction/picker_script.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kKeys = 24;

// When the oldest and the newest version of each key were written; 0: none.
struct Times {
  uint64_t oldest = 0;
  uint64_t newest = 0;
};
using Content = std::array<Times, kKeys>;

struct ModelFile {
  FileRef file;
  Content content{};
};

class ModelTree {
 public:
  ModelTree(const std::string& options, uint64_t seed)
      : parsed_(PickerOptionsParser().Parse(options)),
        cf_(parsed_.family),
        options_(std::make_shared<MutableCFOptions>(parsed_.family)),
        picker_(NewCompactionPicker(cf_)),
        levels_(parsed_.family.num_levels),
        random_(seed) {}
  ~ModelTree() {
    while (!running_.empty()) Forget(0);
  }

  void Step() {
    const uint64_t what = random_.Uniform(10);
    if (what < 4) {
      Flush();
    } else if (what < 8) {
      Pick();
    } else if (!running_.empty()) {
      Finish(random_.Uniform(running_.size()));
    }
  }
  void FinishAll() {
    while (!running_.empty()) Finish(0);
  }
  int pick_count() const { return pick_count_; }

  // What is read first must be the newest, and no run older than the next.
  void Check() const {
    const bool drops = parsed_.family.compaction_style == kCompactionStyleFIFO;
    for (int key = 0; key < kKeys; ++key) {
      uint64_t oldest_so_far = UINT64_MAX;
      for (const auto& level : levels_) {
        for (const ModelFile& one : level) {
          const Times& times = one.content[key];
          if (times.newest == 0) continue;
          ASSERT_LT(times.newest, oldest_so_far) << "key " << key;
          if (oldest_so_far == UINT64_MAX && !drops) {
            ASSERT_EQ(times.newest, newest_[key]) << "key " << key;
          }
          oldest_so_far = times.oldest;
        }
      }
      if (newest_[key] != 0 && !drops) {
        ASSERT_NE(oldest_so_far, UINT64_MAX) << "key " << key << " is lost";
      }
    }
  }

 private:
  static std::string KeyText(int key) {
    return std::string(1, static_cast<char>('a' + key));
  }
  FileRef NewFile(const Content& content, uint64_t bytes) {
    auto file = std::make_shared<FileMeta>();
    file->number = next_number_++;
    file->size_bytes = bytes;
    int first = -1;
    int last = -1;
    for (int key = 0; key < kKeys; ++key) {
      if (content[key].newest == 0) continue;
      if (first < 0) first = key;
      last = key;
    }
    file->smallest = InternalKey(KeyText(first), 2, kTypeValue);
    file->largest = InternalKey(KeyText(last), 1, kTypeValue);
    file->smallest_sequence = 1;
    file->largest_sequence = 2;
    file->is_marked_for_compaction = random_.Uniform(15) == 0;
    return file;
  }
  void Flush() {
    if (levels_[0].size() > 40) return;
    ModelFile flushed;
    const auto first = static_cast<int>(random_.Uniform(kKeys));
    const int last =
        std::min(kKeys - 1, first + static_cast<int>(random_.Uniform(10)));
    for (int key = first; key <= last; ++key) {
      if (key != first && random_.Uniform(3) == 0) continue;
      flushed.content[key] = {++clock_, clock_};
      newest_[key] = clock_;
    }
    flushed.file = NewFile(flushed.content, 5 + random_.Uniform(10));
    flushed.file->epoch_number = ++epoch_;
    levels_[0].insert(levels_[0].begin(), std::move(flushed));
  }
  VersionRef MakeVersion() const {
    std::vector<std::vector<FileRef>> files(levels_.size());
    for (size_t level = 0; level < levels_.size(); ++level) {
      for (const ModelFile& one : levels_[level]) {
        files[level].push_back(one.file);
      }
    }
    auto version = std::make_shared<Version>(nullptr, 1, &order_,
                                             static_cast<int>(levels_.size()));
    const Status s = version->mutable_storage()->Build(std::move(files), true);
    EXPECT_TRUE(s.ok()) << s.ToString();
    version->mutable_storage()->ComputeScores(cf_, *options_, kLevelTextNow);
    return version;
  }
  void Pick() {
    CompactionPicker::Input input;
    input.version = MakeVersion();
    input.cf = &cf_;
    input.options = options_;
    input.cursors = &parsed_.cursors;
    auto c = picker_->Pick(input);
    if (c == nullptr) return;
    ++pick_count_;
    if (c->next_cursor) {
      parsed_.cursors[c->start_level()] = *c->next_cursor;
    }
    c->MarkInputs(true);  // fails on a file that is picked twice
    picker_->Register(c.get());
    running_.push_back(std::move(c));
    if (running_.back()->is_trivial_move || running_.back()->drops_inputs) {
      Finish(running_.size() - 1);
    }
  }
  std::unique_ptr<Compaction> Forget(size_t index) {
    std::unique_ptr<Compaction> c = std::move(running_[index]);
    running_.erase(running_.begin() + static_cast<ptrdiff_t>(index));
    picker_->Unregister(c.get());
    c->MarkInputs(false);
    return c;
  }
  // Takes the inputs out of the tree; any of them may have failed to be there.
  std::vector<ModelFile> TakeInputs(const Compaction& c) {
    std::vector<ModelFile> taken;
    for (const CompactionInputLevel& input : c.inputs) {
      auto& level = levels_[input.level];
      for (const FileRef& file : input.files) {
        const auto at =
            std::find_if(level.begin(), level.end(),
                         [&](const ModelFile& m) { return m.file == file; });
        EXPECT_NE(at, level.end()) << "input " << file->number << " is gone";
        taken.push_back(std::move(*at));
        level.erase(at);
      }
    }
    return taken;
  }
  void Finish(size_t index) {
    const std::unique_ptr<Compaction> c = Forget(index);
    std::vector<ModelFile> inputs = TakeInputs(*c);
    if (c->drops_inputs) return;
    if (c->is_trivial_move) {
      for (ModelFile& one : inputs) Place(c->output_level, std::move(one));
      return;
    }
    ModelFile merged;
    uint64_t bytes = 0;
    uint64_t epoch = UINT64_MAX;
    for (const ModelFile& one : inputs) {
      bytes += one.file->size_bytes;
      epoch = std::min(epoch, one.file->epoch_number);
      for (int key = 0; key < kKeys; ++key) {
        const Times& from = one.content[key];
        Times& to = merged.content[key];
        if (from.newest == 0) continue;
        to.oldest =
            to.newest == 0 ? from.oldest : std::min(to.oldest, from.oldest);
        to.newest = std::max(to.newest, from.newest);
      }
    }
    merged.file = NewFile(merged.content, bytes * 9 / 10 + 1);
    merged.file->epoch_number = epoch;
    if (c->is_bottommost) merged.file->is_marked_for_compaction = false;
    Place(c->output_level, std::move(merged));
  }
  void Place(int level, ModelFile one) {
    auto& files = levels_[level];
    const auto before = [&](const ModelFile& a, const ModelFile& b) {
      if (level == 0) return a.file->epoch_number > b.file->epoch_number;
      return order_.Compare(a.file->smallest, b.file->smallest) < 0;
    };
    files.insert(std::upper_bound(files.begin(), files.end(), one, before),
                 std::move(one));
  }

  PickerOptions parsed_;
  const ImmutableCFOptions cf_;
  const std::shared_ptr<const MutableCFOptions> options_;
  const InternalKeyComparator order_;
  const std::unique_ptr<CompactionPicker> picker_;
  std::vector<std::vector<ModelFile>> levels_;
  std::vector<std::unique_ptr<Compaction>> running_;
  std::array<uint64_t, kKeys> newest_{};
  Random64 random_;
  uint64_t next_number_ = 1;
  uint64_t epoch_ = 1;
  uint64_t clock_ = 0;
  int pick_count_ = 0;
};

TEST(PickerModelTest, NewerVersionsStayBeforeOlderOnes) {
  const char* const kOptions[] = {
      "trigger:2",
      "trigger:3 dynamic",
      "trigger:2 pri:kRoundRobin maxbytes:60",
      "trigger:2 pri:kOldestSmallestSeqFirst levels:3",
      "universal trigger:3",
      "universal trigger:3 levels:1",
      "universal trigger:3 levels:7 amp:900 move:true",
      "universal trigger:3 levels:3 amp:900",
      "universal trigger:2 levels:6 amp:40 incremental:true maxbytes:60",
      "universal trigger:4 levels:7 limit:0 amp:400",
      ("universal trigger:3 levels:5 amp:900 limit:8 ratio:40 "
       "style:kCompactionStopStyleSimilarSize"),
      "fifo levels:1 trigger:3 merge:true maxfiles:300",
  };
  for (const char* options : kOptions) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::string(options) + ", seed " + std::to_string(seed));
      ModelTree tree(options, seed);
      for (int step = 0; step < 600; ++step) {
        tree.Step();
        ASSERT_NO_FATAL_FAILURE(tree.Check()) << "step " << step;
      }
      tree.FinishAll();
      ASSERT_NO_FATAL_FAILURE(tree.Check());
      EXPECT_GT(tree.pick_count(), 10);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
