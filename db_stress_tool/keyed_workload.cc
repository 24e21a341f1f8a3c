// KeyedWorkload: what is judged after a recovery, and writes of one key.
#include "db_stress_tool/keyed_workload.h"

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/table_cut.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

ExpectedState::Shape ShapeOf(const Flags& flags, const Options& options) {
  // Without a log, families that are flushed apart are lost apart.
  return {.family_count = static_cast<size_t>(flags.column_families),
          .key_count = static_cast<uint64_t>(flags.max_key),
          .is_loss_common = !flags.disable_wal || options.atomic_flush,
          .has_stamps = flags.user_timestamp_size > 0};
}

}  // namespace

KeyedWorkload::KeyedWorkload(const Context& context)
    : Workload(context),
      expected_(ShapeOf(context.flags, context.database->options()),
                context.flags.expected_values_dir),
      locks_(static_cast<int>(context.flags.log2_keys_per_lock)) {}

Stamp KeyedWorkload::DrawStamp(Worker* worker) const {
  constexpr Stamp kRecent = 1000;
  if (!has_stamps() || worker->random.OneIn(2)) return kNewestStamp;
  // Any flush may end the history up to its newest key.
  if (!engine::KeepsTimestamps(c_.database->options())) {
    return kNewestStamp;
  }
  const Stamp newest = expected_.newest_stamp();
  const Stamp most_back =
      worker->random.OneIn(8) ? newest : std::min(newest, kRecent);
  return newest - worker->random.Uniform(most_back + 1);
}

std::string KeyedWorkload::RaiseHistory(Worker* worker) {
  if (!has_stamps()) return "";
  // Far enough back for most reads that are not as of now.
  constexpr Stamp kLeast = 500;
  const Stamp newest = expected_.newest_stamp();
  const Stamp back = kLeast + worker->random.Uniform(newest / 2 + 1);
  const Stamp low = newest - std::min(newest, back);
  Stamp now = history_low_;
  while (now < low && !history_low_.compare_exchange_weak(now, low)) {
  }
  return StampBytes(low);
}

Durability KeyedWorkload::Acknowledged() const {
  const bool is_synced = c_.flags.sync && !c_.flags.disable_wal;
  return is_synced || !c_.flags.MayLoseWrites() ? Durability::kDurable
                                                : Durability::kBuffered;
}

KeyRange KeyedWorkload::RangeAround(const KeyRef& key, uint64_t width) const {
  KeyRange range{key.family, key.number - std::min(key.number, width / 2), 0};
  range.to = std::min(range.from + width, c_.key_count());
  range.to = std::max(range.to, key.number + 1);
  return range;
}

void KeyedWorkload::NoteDurableEnd(size_t family, uint64_t token) {
  if (family == kAllFamilies) {
    expected_.NoteDurable(token);
  } else {
    expected_.NoteDurable(family, token);
  }
}

bool KeyedWorkload::ReadAll(Versions* found) {
  const WithoutFaults no_faults;
  const AsOf newest(c_.flags);
  ReadOptions options = TotalOrder();
  newest.Limit(&options);
  for (size_t family = 0; family < c_.database->family_count(); ++family) {
    const KeyRange range{family, 0, c_.key_count()};
    const std::unique_ptr<Iterator> iterator(
        db()->NewIterator(options, c_.database->family(family)));
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
  const TableCut cut(c_.flags);
  const Promise promise =
      cut.WasMade() ? Promise::kPrefix : Promise::kDurableAndPrefix;
  const std::string wrong = expected_.Judge(found, promise);
  if (!wrong.empty()) {
    c_.report->Fail("after recovery: " + wrong);
    return;
  }
  if (!c_.report->Check(expected_.Settle(found), "saving the expected state")) {
    return;
  }
  // An earlier process may have cut off all history up to here.
  history_low_ = expected_.newest_stamp();
  c_.report->Check(cut.Settle(), "saving which tables there are");
}

bool KeyedWorkload::MayPut(const KeyRef& key) const {
  if (!IsWrittenOnce(key)) return true;
  Window window = expected_.OpenWindow(key);
  expected_.CloseWindow(key, &window);
  return !IsThere(window.first) && window.first == window.last;
}

// By the contract of SingleDelete() its keys see no other deletion, and have
// one put before each; a write that failed may be there or not.
bool KeyedWorkload::MayDelete(const KeyRef& key) const {
  if (!IsWrittenOnce(key)) return true;
  Window window = expected_.OpenWindow(key);
  expected_.CloseWindow(key, &window);
  return IsThere(window.first) || window.first != window.last;
}

Status KeyedWorkload::PutInSomeWay(Worker* worker, const WriteTarget& target,
                                   const KeyRef& key, uint32_t version,
                                   const char** call) {
  const std::string name = c_.format.Key(key.number);
  const std::string value = c_.format.Value(key, version);
  if (c_.flags.use_merge && !IsWrittenOnce(key) && worker->random.OneIn(2)) {
    *call = "Merge";
    return target.Merge(name, value);
  }
  if (IsEntity(version)) {
    *call = "PutEntity";
    return entities::Put(target, name, value, EntityForm());
  }
  if (worker->random.OneIn(c_.flags.use_timed_put_one_in)) {
    *call = "TimedPut";
    WriteBatch batch;
    Status s = AddTimedPut(worker, &batch, target.family, name, value);
    return s.ok() ? db()->Write(target.options, &batch) : s;
  }
  *call = "Put";
  return target.Put(name, value);
}

void KeyedWorkload::Put(Worker* worker) {
  if (worker->random.OneIn(c_.flags.use_wbwi_one_in)) {
    return WriteIndexed(worker, IndexedWrite::kWrite);
  }
  if (worker->random.OneIn(c_.flags.ingest_wbwi_one_in)) {
    return WriteIndexed(worker, IndexedWrite::kIngest);
  }
  const KeyRef key = Pick(worker);
  const KeyLocks::Hold hold(&locks_, key);
  if (!MayPut(key)) return;
  if (c_.flags.verify_before_write) {
    constexpr char kCall[] = "Get before a write";
    Get(key, kNewestStamp, kCall);
    c_.report->Count(kCall);
  }
  ExpectedState::Write write(&expected_);
  const std::optional<Word> word = write.Put(key);
  if (!word.has_value()) return c_.report->Fail("the trace is full");
  const char* call = "Put";
  const Status s =
      PutInSomeWay(worker, Target(key, write), key, VersionOf(*word), &call);
  if (CheckWrite(s, call)) write.Acknowledge(Acknowledged());
}

void KeyedWorkload::Delete(Worker* worker) {
  const KeyRef key = Pick(worker);
  const KeyLocks::Hold hold(&locks_, key);
  if (!MayDelete(key)) return;
  ExpectedState::Write write(&expected_);
  if (!write.Delete(key).has_value()) {
    return c_.report->Fail("the trace is full");
  }
  const std::string name = c_.format.Key(key.number);
  const bool is_single = IsWrittenOnce(key);
  const WriteTarget target = Target(key, write);
  const Status s = is_single ? target.SingleDelete(name) : target.Delete(name);
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
  const Status s =
      Target(from, write)
          .DeleteRange(c_.format.Key(from.number), c_.format.Key(to));
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

std::unique_ptr<Workload> MakeKeyedWorkload(const Context& context) {
  return std::make_unique<KeyedWorkload>(context);
}

}  // namespace ROCKSDB_NAMESPACE::stress
