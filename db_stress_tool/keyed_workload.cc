// The workload that expects of each key what ExpectedState says.

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/expected_state.h"
#include "db_stress_tool/key_locks.h"
#include "db_stress_tool/walk.h"
#include "db_stress_tool/workload.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr uint64_t kMostWalked = 500;

std::string Name(const KeyRef& key) {
  return "family " + std::to_string(key.family) + ", key " +
         std::to_string(key.number);
}

std::string Text(const Window& window) {
  std::string text;
  for (Word word : {window.first, window.last}) {
    text += (text.empty() ? "[" : ", ") +
            std::string(IsThere(word) ? "v" : "deleted v") +
            std::to_string(VersionOf(word));
  }
  return text + "]";
}

ExpectedState::Shape ShapeOf(const Flags& flags, const Options& options) {
  // Without a log, families that are flushed apart are lost apart.
  return {static_cast<size_t>(flags.column_families),
          static_cast<uint64_t>(flags.max_key),
          !flags.disable_wal || options.atomic_flush};
}

class KeyedWorkload : public Workload {
 public:
  explicit KeyedWorkload(const Context& context)
      : Workload(context),
        expected_(ShapeOf(context.flags, context.database->options()),
                  context.flags.expected_values_dir),
        locks_(static_cast<int>(context.flags.log2_keys_per_lock)) {}

  void Begin() override;
  void Recover() override;
  void Verify() override;
  void Read(Worker* worker) override;
  void ScanPrefix(Worker* worker) override;
  void Put(Worker* worker) override;
  void Delete(Worker* worker) override;
  void DeleteRange(Worker* worker) override;
  void Iterate(Worker* worker) override;
  void ClearFamily(size_t family, Status (*drop)(Database*, size_t)) override;
  uint64_t NoteDurableBegin() override { return expected_.Now(); }
  void NoteDurableEnd(size_t family, uint64_t token) override {
    if (family == kAllFamilies) {
      expected_.NoteDurable(token);
    } else {
      expected_.NoteDurable(family, token);
    }
  }

 private:
  using Versions = std::vector<std::vector<std::optional<uint32_t>>>;

  DB* db() const { return c_.database->db(); }
  ColumnFamilyHandle* handle(const KeyRef& key) const {
    return c_.database->family(key.family);
  }
  KeyRef Pick(Worker* worker) const {
    return {PickFamily(worker), PickKey(worker)};
  }
  // Written once, then deleted by SingleDelete().
  bool IsWrittenOnce(const KeyRef& key) const {
    return static_cast<int64_t>(key.number * 2654435761 % 100) <
           c_.flags.nooverwritepercent;
  }
  Durability Acknowledged() const {
    const bool is_synced = c_.flags.sync && !c_.flags.disable_wal;
    return is_synced || !c_.flags.MayLoseWrites() ? Durability::kDurable
                                                  : Durability::kBuffered;
  }
  Walk NewWalk(const KeyRange& range, Iterator* iterator) const {
    return {c_.format, range, iterator, c_.database->options().unordered_write};
  }
  bool ReadAll(Versions* found);
  void Judge(const KeyRef& key, const Status& status, const Slice& value,
             const Window& window, const char* call);
  void JudgeWalk(const KeyRange& range, const std::vector<Window>& windows,
                 const Walk& walk, Iterator* iterator, const char* call);
  std::vector<Window> OpenWindows(const KeyRange& range) const;
  void CloseWindows(const KeyRange& range, std::vector<Window>* windows) const;
  void Get(Worker* worker, const KeyRef& key);
  void MultiGet(Worker* worker, size_t family);
  void AskMayExist(const KeyRef& key);
  void VerifyFamily(size_t family);
  void VerifyByKey(Worker* worker);

  ExpectedState expected_;
  KeyLocks locks_;
};

bool KeyedWorkload::ReadAll(Versions* found) {
  const WithoutFaults no_faults;
  for (size_t family = 0; family < c_.database->family_count(); ++family) {
    const KeyRange range{family, 0, c_.key_count()};
    const std::unique_ptr<Iterator> iterator(
        db()->NewIterator(TotalOrder(), c_.database->family(family)));
    iterator->SeekToFirst();
    if (iterator->Valid() && !c_.format.Number(iterator->key()).has_value()) {
      c_.report->Fail("the first key never was: " + Hex(iterator->key()));
    }
    Walk walk = NewWalk(range, iterator.get());
    walk.Forward();
    if (!c_.report->Check(iterator->status(), "Iterator")) return false;
    if (!walk.error().empty()) {
      c_.report->Fail("family " + std::to_string(family) + ": " + walk.error());
      return false;
    }
    std::vector<std::optional<uint32_t>> versions;
    for (const Sight& sight : walk.sights()) versions.push_back(sight.version);
    found->push_back(std::move(versions));
  }
  return true;
}

void KeyedWorkload::Begin() {
  if (!c_.report->Check(expected_.Load(), "loading the expected state")) {
    return;
  }
  Recover();
}

void KeyedWorkload::Recover() {
  Versions versions;
  if (!ReadAll(&versions)) return;
  const auto found = [&](const KeyRef& key) {
    return versions[key.family][key.number];
  };
  if (const std::string wrong = expected_.Judge(found); !wrong.empty()) {
    c_.report->Fail("after recovery: " + wrong);
    return;
  }
  c_.report->Check(expected_.Settle(found), "saving the expected state");
}

void KeyedWorkload::VerifyFamily(size_t family) {
  const KeyRange range{family, 0, c_.key_count()};
  const std::vector<Window> before = OpenWindows(range);
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(TotalOrder(), c_.database->family(family)));
  Walk walk = NewWalk(range, iterator.get());
  walk.Forward();
  std::vector<Window> windows = before;
  CloseWindows(range, &windows);
  JudgeWalk(range, windows, walk, iterator.get(), "verification by iterator");
}

void KeyedWorkload::VerifyByKey(Worker* worker) {
  constexpr int kLookups = 1000;
  for (int i = 0; i < kLookups && !c_.report->failed(); ++i) {
    if (worker->random.OneIn(4)) {
      MultiGet(worker, PickFamily(worker));
    } else {
      Get(worker, {PickFamily(worker), worker->random.Uniform(c_.key_count())});
    }
  }
}

void KeyedWorkload::Verify() {
  const WithoutFaults no_faults;
  for (size_t family = 0; family < c_.database->family_count(); ++family) {
    if (!c_.report->failed()) VerifyFamily(family);
  }
  Worker verifier{0, StressRandom(c_.flags.seed + 77)};
  VerifyByKey(&verifier);
}

void KeyedWorkload::Judge(const KeyRef& key, const Status& status,
                          const Slice& value, const Window& window,
                          const char* call) {
  std::optional<uint32_t> version;
  if (status.ok()) {
    version = c_.format.Version(key, value);
    if (!version.has_value()) {
      c_.report->Fail(std::string(call) + ": " + Name(key) +
                      " has a wrong value: " + Hex(value));
      return;
    }
  } else if (!status.IsNotFound()) {
    c_.report->Check(status, call);
    return;
  }
  if (window.Admits(version)) return;
  c_.report->Fail(std::string(call) + ": " + Name(key) + " has " +
                  (version ? "v" + std::to_string(*version) : "no value") +
                  ", expected " + Text(window));
}

std::vector<Window> KeyedWorkload::OpenWindows(const KeyRange& range) const {
  std::vector<Window> windows;
  windows.reserve(range.size());
  for (uint64_t number = range.from; number < range.to; ++number) {
    windows.push_back(expected_.OpenWindow({range.family, number}));
  }
  return windows;
}

void KeyedWorkload::CloseWindows(const KeyRange& range,
                                 std::vector<Window>* windows) const {
  for (uint64_t number = range.from; number < range.to; ++number) {
    expected_.CloseWindow({range.family, number},
                          &(*windows)[number - range.from]);
  }
}

void KeyedWorkload::JudgeWalk(const KeyRange& range,
                              const std::vector<Window>& windows,
                              const Walk& walk, Iterator* iterator,
                              const char* call) {
  const std::string where =
      std::string(call) + ", family " + std::to_string(range.family) + ": ";
  if (!walk.error().empty()) {
    c_.report->Fail(where + walk.error());
    return;
  }
  if (!c_.report->Check(iterator->status(), call)) return;
  for (uint64_t i = 0; i < range.size(); ++i) {
    const Sight& sight = walk.sights()[i];
    if (!sight.is_passed || windows[i].Admits(sight.version)) continue;
    c_.report->Fail(
        where + "key " + std::to_string(range.from + i) + " has " +
        (sight.version ? "v" + std::to_string(*sight.version) : "no value") +
        ", expected " + Text(windows[i]));
    return;
  }
}

void KeyedWorkload::Get(Worker* /*worker*/, const KeyRef& key) {
  Window window = expected_.OpenWindow(key);
  std::string value;
  const Status s =
      db()->Get(Reads(), handle(key), c_.format.Key(key.number), &value);
  expected_.CloseWindow(key, &window);
  Judge(key, s, value, window, "Get");
}

void KeyedWorkload::MultiGet(Worker* worker, size_t family) {
  constexpr size_t kMostKeys = 16;
  const size_t count = 1 + worker->random.Uniform(kMostKeys);
  std::vector<KeyRef> refs;
  std::vector<std::string> names;
  std::vector<Window> windows;
  for (size_t i = 0; i < count; ++i) {
    // Now and then the same key twice.
    refs.push_back(i > 0 && worker->random.OneIn(20)
                       ? refs.back()
                       : KeyRef{family, PickKey(worker)});
    names.push_back(c_.format.Key(refs.back().number));
    windows.push_back(expected_.OpenWindow(refs.back()));
  }
  const std::vector<Slice> keys(names.begin(), names.end());
  std::array<PinnableSlice, kMostKeys> values;
  std::array<Status, kMostKeys> statuses;
  db()->MultiGet(Reads(), c_.database->family(family), count, keys.data(),
                 values.data(), statuses.data());
  for (size_t i = 0; i < count; ++i) {
    expected_.CloseWindow(refs[i], &windows[i]);
    Judge(refs[i], statuses[i], values[i], windows[i], "MultiGet");
  }
  c_.report->Count("MultiGet");
}

void KeyedWorkload::AskMayExist(const KeyRef& key) {
  Window window = expected_.OpenWindow(key);
  std::string value;
  bool has_value = false;
  const bool may_exist = db()->KeyMayExist(
      Reads(), handle(key), c_.format.Key(key.number), &value, &has_value);
  expected_.CloseWindow(key, &window);
  if (!may_exist) {
    Judge(key, Status::NotFound(), Slice(), window, "KeyMayExist");
  } else if (has_value) {
    Judge(key, Status::OK(), value, window, "KeyMayExist");
  }
  c_.report->Count("KeyMayExist");
}

void KeyedWorkload::Read(Worker* worker) {
  const KeyRef key = Pick(worker);
  if (worker->random.OneIn(c_.flags.key_may_exist_one_in)) AskMayExist(key);
  if (c_.flags.use_multiget) {
    MultiGet(worker, key.family);
  } else {
    Get(worker, key);
  }
}

void KeyedWorkload::ScanPrefix(Worker* worker) {
  const KeyRef key = Pick(worker);
  const auto prefix_bytes =
      c_.flags.prefix_size < 0 ? 7 : static_cast<int>(c_.flags.prefix_size);
  const uint64_t width =
      prefix_bytes == 0 ? c_.key_count()
                        : uint64_t{1} << std::min(8 * (8 - prefix_bytes), 62);
  KeyRange range{key.family, key.number / width * width, 0};
  range.to =
      std::min({range.from + width, range.from + kMostWalked, c_.key_count()});
  std::vector<Window> windows = OpenWindows(range);
  ReadOptions options = Reads();
  const std::string bound = c_.format.Key(range.to);
  const Slice upper(bound);
  options.iterate_upper_bound = &upper;
  if (c_.flags.prefix_size >= 0) {
    options.prefix_same_as_start = true;
  } else {
    options.total_order_seek = true;
  }
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(options, handle(key)));
  Walk walk = NewWalk(range, iterator.get());
  walk.Forward();
  CloseWindows(range, &windows);
  JudgeWalk(range, windows, walk, iterator.get(), "prefix scan");
}

void KeyedWorkload::Iterate(Worker* worker) {
  const KeyRef key = Pick(worker);
  StressRandom* const random = &worker->random;
  const uint64_t width = 1 + random->Uniform(kMostWalked);
  KeyRange range{key.family, key.number - std::min(key.number, width / 2), 0};
  range.to = std::min(range.from + width, c_.key_count());
  range.to = std::max(range.to, key.number + 1);
  std::vector<Window> windows = OpenWindows(range);
  ReadOptions options = TotalOrder();
  const std::string from = c_.format.Key(range.from);
  const std::string to = c_.format.Key(range.to);
  const Slice lower(from), upper(to);
  if (random->OneIn(3)) options.iterate_lower_bound = &lower;
  if (random->OneIn(3)) options.iterate_upper_bound = &upper;
  if (options.iterate_upper_bound != nullptr) {
    engine::SetAutoReadahead(c_.flags.auto_readahead_size, &options);
  }
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(options, handle(key)));
  Walk walk = NewWalk(range, iterator.get());
  if (random->OneIn(c_.flags.verify_iterator_with_expected_state_one_in)) {
    walk.Forward();
    if (walk.error().empty() && iterator->status().ok() &&
        c_.flags.test_backward_scan) {
      walk.Backward();
    }
  } else {
    walk.Wander(key.number, c_.flags.num_iterations,
                c_.flags.test_backward_scan, random);
  }
  CloseWindows(range, &windows);
  JudgeWalk(range, windows, walk, iterator.get(), "iteration");
}

void KeyedWorkload::Put(Worker* worker) {
  const KeyRef key = Pick(worker);
  const KeyLocks::Hold hold(&locks_, key);
  if (IsWrittenOnce(key)) {
    Window window = expected_.OpenWindow(key);
    expected_.CloseWindow(key, &window);
    if (IsThere(window.first) || window.first != window.last) return;
  }
  ExpectedState::Write write(&expected_);
  const std::optional<Word> word = write.Put(key);
  if (!word.has_value()) return c_.report->Fail("the trace is full");
  const std::string name = c_.format.Key(key.number);
  const std::string value = c_.format.Value(key, VersionOf(*word));
  Status s;
  const char* call = "Put";
  if (c_.flags.use_merge && !IsWrittenOnce(key) && worker->random.OneIn(2)) {
    call = "Merge";
    s = db()->Merge(Writes(), handle(key), name, value);
  } else {
    s = db()->Put(Writes(), handle(key), name, value);
  }
  if (CheckWrite(s, call)) write.Acknowledge(Acknowledged());
}

void KeyedWorkload::Delete(Worker* worker) {
  const KeyRef key = Pick(worker);
  const KeyLocks::Hold hold(&locks_, key);
  Window window = expected_.OpenWindow(key);
  expected_.CloseWindow(key, &window);
  // By the contract of SingleDelete() its keys see no other deletion, and have
  // one put before each; a write that failed may be there or not.
  const bool is_single = IsWrittenOnce(key);
  if (is_single && !IsThere(window.first) && window.first == window.last) {
    return;
  }
  ExpectedState::Write write(&expected_);
  if (!write.Delete(key).has_value()) {
    return c_.report->Fail("the trace is full");
  }
  const std::string name = c_.format.Key(key.number);
  const Status s = is_single ? db()->SingleDelete(Writes(), handle(key), name)
                             : db()->Delete(Writes(), handle(key), name);
  if (CheckWrite(s, is_single ? "SingleDelete" : "Delete")) {
    write.Acknowledge(Acknowledged());
  }
}

void KeyedWorkload::DeleteRange(Worker* worker) {
  const KeyRef from = Pick(worker);
  const uint64_t to = std::min(
      from.number + static_cast<uint64_t>(c_.flags.range_deletion_width),
      c_.key_count());
  const KeyLocks::Hold hold(&locks_, from, to);
  ExpectedState::Write write(&expected_);
  for (uint64_t number = from.number; number < to; ++number) {
    if (!write.Delete({from.family, number}).has_value()) {
      return c_.report->Fail("the trace is full");
    }
  }
  const Status s = db()->DeleteRange(
      Writes(), handle(from), c_.format.Key(from.number), c_.format.Key(to));
  if (CheckWrite(s, "DeleteRange")) write.Acknowledge(Acknowledged());
}

void KeyedWorkload::ClearFamily(size_t family,
                                Status (*drop)(Database*, size_t)) {
  ExpectedState::Write write(&expected_);
  for (uint64_t number = 0; number < c_.key_count(); ++number) {
    if (!write.Delete({family, number}).has_value()) {
      return c_.report->Fail("the trace is full");
    }
  }
  if (c_.report->Check(drop(c_.database, family), "clearing a family")) {
    write.Acknowledge(Acknowledged());
  }
}

}  // namespace

std::unique_ptr<Workload> MakeKeyedWorkload(const Context& context) {
  return std::make_unique<KeyedWorkload>(context);
}

}  // namespace ROCKSDB_NAMESPACE::stress
