#include "db/read/multi_get.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "db/family/column_family.h"
#include "db/read/level_read_timer.h"
#include "db/read/shared_by_lookups.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/wide_columns.h"
#include "table/table_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Keys that go down the tree together: what bounds the blocks held at a time.
constexpr size_t kMaxTogether = 128;

// One key on its way.
struct Going {
  Going(const PointRead& read, const PointLookup::Context& context,
        const BatchedKey& batched)
      : key(batched),
        lookup_key(batched.user_key, read.snapshot,
                   ReadTimestamp(*read.options)),
        lookup(context, lookup_key.user_key(), batched.value, batched.columns) {
    lookup.ReportTimestamp(batched.timestamp);
    lookup.KeepStored(batched.stored);
  }

  Slice stored_key() const { return lookup_key.user_key(); }

  BatchedKey key;
  LookupKey lookup_key;
  PointLookup lookup;
};

class BatchedRead {
 public:
  BatchedRead(const PointRead& read, uint64_t* value_bytes)
      : read_(read),
        storage_(read.super_version->current->storage()),
        order_(storage_.order()),
        tables_(read.super_version->cfd->tables()),
        shared_(read),
        value_bytes_(value_bytes) {
    INVARIANT(tables_ != nullptr);
    INVARIANT(value_bytes_ != nullptr);
  }

  void Run(BatchedKey* keys, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      assert(keys[i].status != nullptr);
      assert((keys[i].value == nullptr) != (keys[i].columns == nullptr));
      assert(i == 0 ||
             order_.CompareGiven(keys[i - 1].user_key, keys[i].user_key) <= 0);
      all_.emplace_back(read_, shared_.context(), keys[i]);
      open_.push_back(&all_.back());
    }
    Memory();
    Files();
    if (levels_read_ > 0) {
      RecordInHistogram(read_.statistics, NUM_LEVEL_READ_PER_MULTIGET,
                        levels_read_);
    }
    CloseAll();
  }

 private:
  // A key and the file of its level that it is looked up in.
  struct Visit {
    Going* going = nullptr;
    size_t file = 0;
  };
  // The keys that one file gets.
  struct Group {
    const FileMeta* file = nullptr;
    size_t first = 0;  // in the step's visits
    size_t count = 0;
    std::shared_ptr<const TableReader> reader;  // outlives the batch
    std::unique_ptr<TableBatch> batch;
  };
  // Files that do not share a key, looked into side by side.
  struct Step {
    int level = 0;
    std::vector<Visit> visits;
    std::vector<TableLookup> lookups;  // one for each visit
    std::vector<Group> groups;
  };

  void Memory() {
    if (SkipsMemory(read_)) return;
    // With a limit, nothing is looked for in vain.
    const bool is_together = read_.super_version->cfd->ioptions()
                                 .memtable_batch_lookup_optimization &&
                             read_.options->value_size_soft_limit ==
                                 std::numeric_limits<uint64_t>::max();
    if (is_together) MemoryTogether();
    for (Going* going : open_) {
      // What is over the limit already need not be looked for.
      if (IsOverLimit()) break;
      if (is_together) {
        CountMemoryRead(read_, going->lookup.IsDecided());
      } else {
        GetFromMemory(read_, going->lookup_key, &going->lookup);
      }
      if (going->lookup.IsDecided()) Close(going, Status::OK());
    }
    DropClosed();
  }

  void MemoryTogether() {
    LookupsOfMemory lookups;
    lookups.reserve(open_.size());
    for (Going* going : open_) {
      lookups.push_back({&going->lookup_key, &going->lookup});
    }
    GetFromMemoryTogether(read_, std::move(lookups));
  }

  bool IsOverLimit() const {
    return *value_bytes_ > read_.options->value_size_soft_limit;
  }

  void Files() {
    PERF_TIMER_GUARD(get_from_output_files_time);
    // Rows would be fed before what is newer.
    if (read_.options->async_io && read_.options->optimize_multiget_for_io &&
        !tables_->has_rows()) {
      AllLevels();
      return;
    }
    size_t files_read = 0;
    for (size_t i = 0; i < storage_.level0().size() && !open_.empty(); ++i) {
      Step step = Level0Step(i);
      Prepare(&step);
      files_read += FilesRead(step);
      Take(&step);
    }
    CountLevel(files_read);
    const int last = storage_.LastNonEmptyLevel();
    for (int level = 1; level <= last && !open_.empty(); ++level) {
      Step step = LevelStep(level);
      Prepare(&step);
      TakeLevel(&step);
    }
  }

  // The reads of all levels are under way together. What is read for a key that
  // an upper level decides is read in vain.
  void AllLevels() {
    std::vector<Step> steps;
    for (size_t i = 0; i < storage_.level0().size(); ++i) {
      steps.push_back(Level0Step(i));
    }
    const size_t level0_steps = steps.size();
    const int last = storage_.LastNonEmptyLevel();
    for (int level = 1; level <= last; ++level) {
      steps.push_back(LevelStep(level));
    }
    for (Step& step : steps) Prepare(&step);
    size_t files_read = 0;
    for (size_t i = 0; i < level0_steps; ++i) {
      files_read += FilesRead(steps[i]);
      Take(&steps[i]);
    }
    CountLevel(files_read);
    for (size_t i = level0_steps; i < steps.size(); ++i) TakeLevel(&steps[i]);
  }

  // Those that blocks are missing of, once it is prepared.
  static size_t FilesRead(const Step& step) {
    return static_cast<size_t>(std::count_if(
        step.groups.begin(), step.groups.end(), [](const Group& group) {
          return group.batch != nullptr && group.batch->ReadsFile();
        }));
  }
  void CountLevel(size_t files) {
    if (files == 0) return;
    ++levels_read_;
    RecordInHistogram(read_.statistics, NUM_SST_READ_PER_LEVEL, files);
  }

  Step Level0Step(size_t index) const {
    const FileRef& file = storage_.level0()[index];
    Step step;
    for (Going* going : open_) {
      if (Covers(*file, going->stored_key())) step.visits.push_back({going, 0});
    }
    if (!step.visits.empty()) {
      step.groups.push_back(
          {file.get(), 0, step.visits.size(), nullptr, nullptr});
    }
    return step;
  }

  bool Covers(const FileMeta& file, const Slice& user_key) const {
    return order_.CompareUserKeys(user_key, file.smallest.user_key()) >= 0 &&
           order_.CompareUserKeys(user_key, file.largest.user_key()) <= 0;
  }

  Step LevelStep(int level) const {
    assert(level > 0);
    const LevelFiles& files = storage_.level(level);
    Step step;
    step.level = level;
    for (Going* going : open_) {
      const size_t found =
          files.FirstEndingAtOrAfter(going->lookup_key.internal_key());
      AddVisit(files, going, found, &step.visits);
    }
    AddGroups(files, &step);
    return step;
  }

  static void AddGroups(const LevelFiles& files, Step* step) {
    const std::vector<Visit>& visits = step->visits;
    for (size_t i = 0; i < visits.size(); ++i) {
      if (i == 0 || visits[i].file != visits[i - 1].file) {
        step->groups.push_back(
            {files.at(visits[i].file).get(), i, 0, nullptr, nullptr});
      }
      ++step->groups.back().count;
    }
  }

  // The level's first step, and those that its neighbours take.
  void TakeLevel(Step* step) {
    const LevelFiles& files = storage_.level(step->level);
    size_t files_read = FilesRead(*step);
    Take(step);
    Step next = Neighbours(files, *step);
    while (!next.visits.empty()) {
      Prepare(&next);
      files_read += FilesRead(next);
      Take(&next);
      next = Neighbours(files, next);
    }
    CountLevel(files_read);
  }

  // Two neighbours may share a user key: what the first has not decided, the
  // second may.
  Step Neighbours(const LevelFiles& files, const Step& step) const {
    Step next;
    next.level = step.level;
    for (const Visit& visit : step.visits) {
      if (IsClosed(*visit.going)) continue;
      const FileMeta& file = *files.at(visit.file);
      if (order_.CompareUserKeys(file.largest.user_key(),
                                 visit.going->stored_key()) == 0) {
        AddVisit(files, visit.going, visit.file + 1, &next.visits);
      }
    }
    AddGroups(files, &next);
    return next;
  }

  void AddVisit(const LevelFiles& files, Going* going, size_t index,
                std::vector<Visit>* visits) const {
    if (index >= files.size()) return;
    const FileMeta& file = *files.at(index);
    if (order_.CompareUserKeys(file.smallest.user_key(), going->stored_key()) <=
        0) {
      visits->push_back({going, index});
    }
  }

  // Filters and caches of all, then the reads of all are asked for.
  void Prepare(Step* step) {
    if (step->visits.empty()) return;
    const LevelReadTimer timer(step->level);
    step->lookups.reserve(step->visits.size());
    for (const Visit& visit : step->visits) {
      assert(!visit.going->lookup.IsDecided());
      TableLookup one;
      one.internal_key = visit.going->lookup_key.internal_key();
      one.lookup = &visit.going->lookup;
      step->lookups.push_back(std::move(one));
    }
    for (Group& group : step->groups) {
      TableCache::BatchRequest request;
      request.where = {group.file, step->level};
      request.mutable_cf = read_.super_version->options.get();
      request.lookups = &step->lookups[group.first];
      request.count = group.count;
      RecordInHistogram(read_.statistics, SST_BATCH_SIZE, group.count);
      const Status s = tables_->NewBatch(*read_.options, request, &group.reader,
                                         &group.batch);
      for (size_t i = 0; i < group.count && !s.ok(); ++i) {
        request.lookups[i].status = s;
      }
      assert(s.ok() == (group.batch != nullptr));
    }
    for (Group& group : step->groups) {
      if (group.batch != nullptr) group.batch->Start();
    }
  }

  // The keys of all that are still open, once their blocks are there.
  void Take(Step* step) {
    if (step->visits.empty()) return;
    const LevelReadTimer timer(step->level);
    for (size_t i = 0; i < step->visits.size(); ++i) {
      if (IsClosed(*step->visits[i].going)) step->lookups[i].is_fed = true;
    }
    for (Group& group : step->groups) {
      const auto begin =
          step->lookups.begin() + static_cast<std::ptrdiff_t>(group.first);
      const bool is_wanted =
          std::any_of(begin, begin + static_cast<std::ptrdiff_t>(group.count),
                      [](const TableLookup& one) { return !one.is_fed; });
      if (group.batch != nullptr && is_wanted) group.batch->Finish();
    }
    for (size_t i = 0; i < step->visits.size(); ++i) {
      Going* going = step->visits[i].going;
      if (!IsClosed(*going)) Note(step->lookups[i], step->level, going);
    }
    DropClosed();
  }

  void Note(const TableLookup& one, int level, Going* going) {
    if (!one.status.ok()) {
      Close(going, one.status);
    } else if (going->lookup.IsDecided()) {
      if (going->lookup.state() == PointLookup::State::kFound) {
        CountFileHit(read_, level);
      }
      Close(going, Status::OK());
    }
  }

  static bool IsClosed(const Going& going) {
    return going.key.status == nullptr;
  }

  // The key's answer, or the error that kept it from one.
  void Close(Going* going, Status status) {
    assert(!IsClosed(*going));
    BatchedKey& key = going->key;
    if (IsOverLimit()) {
      status = Status::Aborted("value_size_soft_limit is reached");
    } else if (status.ok()) {
      status = going->lookup.Finish();
    }
    if (status.ok()) {
      *value_bytes_ += key.value != nullptr ? key.value->size()
                                            : key.columns->serialized_size();
    } else if (key.value != nullptr) {
      key.value->Reset();
    } else {
      key.columns->Reset();
    }
    *key.status = std::move(status);
    key.status = nullptr;
  }

  void CloseAll() {
    for (Going* going : open_) {
      if (!IsClosed(*going)) Close(going, Status::OK());
    }
    open_.clear();
  }

  void DropClosed() {
    std::erase_if(open_, [](const Going* going) { return IsClosed(*going); });
    if (IsOverLimit()) CloseAll();
  }

  const PointRead& read_;
  const VersionStorage& storage_;
  const InternalKeyComparator& order_;
  TableCache* const tables_;
  const SharedByLookups shared_;
  uint64_t* const value_bytes_;
  std::deque<Going> all_;
  std::vector<Going*> open_;  // ascending
  uint64_t levels_read_ = 0;
};

}  // namespace

void MultiGetFromSuperVersion(const PointRead& read, BatchedKey* keys,
                              size_t count, uint64_t* value_bytes) {
  INVARIANT(read.super_version != nullptr);
  INVARIANT(read.options != nullptr);
  INVARIANT(count == 0 || keys != nullptr);
  for (size_t begin = 0; begin < count; begin += kMaxTogether) {
    BatchedRead(read, value_bytes)
        .Run(keys + begin, std::min(kMaxTogether, count - begin));
  }
}

}  // namespace ROCKSDB_NAMESPACE
