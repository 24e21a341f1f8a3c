// KeyedWorkload: reads, and what they may find.
#include <algorithm>
#include <array>

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/keyed_workload.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

std::string AsOfText(Stamp as_of) {
  return as_of == kNewestStamp ? "" : " as of " + std::to_string(as_of);
}

std::string Name(const Lookup& lookup) {
  return "family " + std::to_string(lookup.key.family) + ", key " +
         std::to_string(lookup.key.number) + AsOfText(lookup.as_of);
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

std::string Found(const std::optional<uint32_t>& version) {
  return version ? "v" + std::to_string(*version) : "no value";
}

}  // namespace

void KeyedWorkload::Open(Lookup* lookup) const {
  lookup->window = expected_.OpenWindow(lookup->key, lookup->as_of);
}

void KeyedWorkload::Close(Lookup* lookup) const {
  expected_.CloseWindow(lookup->key, &lookup->window, lookup->as_of);
}

void KeyedWorkload::Open(RangeLookup* lookup) const {
  const KeyRange& range = lookup->range;
  lookup->windows.clear();
  lookup->windows.reserve(range.size());
  for (uint64_t number = range.from; number < range.to; ++number) {
    lookup->windows.push_back(
        expected_.OpenWindow({range.family, number}, lookup->as_of));
  }
}

void KeyedWorkload::Close(RangeLookup* lookup) const {
  const KeyRange& range = lookup->range;
  for (uint64_t number = range.from; number < range.to; ++number) {
    expected_.CloseWindow({range.family, number},
                          &lookup->windows[number - range.from], lookup->as_of);
  }
}

void KeyedWorkload::Judge(const Lookup& lookup, const Status& status,
                          const Slice& value) {
  std::optional<uint32_t> version;
  if (status.ok()) {
    version = c_.format.Version(lookup.key, value);
    if (!version.has_value()) {
      c_.report->Fail(std::string(lookup.call) + ": " + Name(lookup) +
                      " has a wrong value: " + Hex(value));
      return;
    }
  } else if (IsCutOff(status, lookup.as_of)) {
    c_.report->Count("reads of history that is gone");
    return;
  } else if (!status.IsNotFound()) {
    c_.report->Check(status, lookup.call);
    return;
  }
  if (lookup.window.Admits(version)) return;
  c_.report->Fail(std::string(lookup.call) + ": " + Name(lookup) + " has " +
                  Found(version) + ", expected " + Text(lookup.window));
}

void KeyedWorkload::JudgeWalk(const RangeLookup& lookup, const Walk& walk,
                              const Status& status) {
  const std::string where = std::string(lookup.call) + ", family " +
                            std::to_string(lookup.range.family) +
                            AsOfText(lookup.as_of) + ": ";
  if (!walk.error().empty()) {
    c_.report->Fail(where + walk.error());
    return;
  }
  if (IsCutOff(status, lookup.as_of)) {
    c_.report->Count("walks through history that is gone");
    return;
  }
  if (!c_.report->Check(status, lookup.call)) return;
  for (uint64_t i = 0; i < lookup.range.size(); ++i) {
    const Sight& sight = walk.sights()[i];
    const Window& window = lookup.windows[i];
    if (!sight.is_passed || window.Admits(sight.version)) continue;
    c_.report->Fail(where + "key " + std::to_string(lookup.range.from + i) +
                    " has " + Found(sight.version) + ", expected " +
                    Text(window));
    return;
  }
}

void KeyedWorkload::VerifyFamily(size_t family) {
  RangeLookup lookup{{family, 0, c_.key_count()}, "verification by iterator"};
  Open(&lookup);
  const AsOf newest(c_.flags);
  ReadOptions options = TotalOrder();
  newest.Limit(&options);
  const std::unique_ptr<Iterator> iterator =
      NewIterator(options, c_.database->family(family));
  Walk walk = NewWalk(lookup.range, iterator.get());
  walk.Forward();
  Close(&lookup);
  JudgeWalk(lookup, walk, iterator->status());
}

void KeyedWorkload::VerifyByKey(Worker* worker) {
  constexpr int kLookups = 1000;
  for (int i = 0; i < kLookups && !c_.report->failed(); ++i) {
    if (worker->random.OneIn(4)) {
      MultiGet(worker, PickFamily(worker));
    } else {
      Get({PickFamily(worker), worker->random.Uniform(c_.key_count())},
          kNewestStamp);
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

void KeyedWorkload::VerifySome(Worker* worker) {
  constexpr uint64_t kWidth = 10000;
  RangeLookup lookup{RangeAround(Pick(worker), kWidth),
                     "continuous verification"};
  Open(&lookup);
  const AsOf newest(c_.flags);
  ReadOptions options = TotalOrder();
  newest.Limit(&options);
  const std::unique_ptr<Iterator> iterator =
      NewIterator(options, c_.database->family(lookup.range.family));
  Walk walk = NewWalk(lookup.range, iterator.get());
  walk.Forward();
  Close(&lookup);
  JudgeWalk(lookup, walk, iterator->status());
}

void KeyedWorkload::Get(const KeyRef& key, Stamp as_of, const char* call) {
  Lookup lookup{key, call, as_of};
  const AsOf limit(c_.flags, as_of);
  ReadOptions options = Reads();
  limit.Limit(&options);
  const std::string name = c_.format.Key(key.number);
  std::string value, stamp;
  Open(&lookup);
  const Status s =
      has_stamps() ? db()->Get(options, handle(key), name, &value, &stamp)
      : c_.flags.use_async_db_api
          ? engine::GetAsync({db(), options, handle(key)}, name, &value)
          : db()->Get(options, handle(key), name, &value);
  Close(&lookup);
  Judge(lookup, s, value);
  if (has_stamps() && s.ok() &&
      (stamp.size() != sizeof(Stamp) || StampOf(stamp) > as_of)) {
    c_.report->Fail("Get: " + Name(lookup) + " is of " + Hex(stamp));
  }
}

std::unique_ptr<ManagedSnapshot> KeyedWorkload::SnapshotToCompare(
    bool is_asked) const {
  if (!is_asked || c_.database->MayShowLater()) return nullptr;
  return std::make_unique<ManagedSnapshot>(db());
}

void KeyedWorkload::CheckAlone(const Lookup& lookup, const Answer& among,
                               const GetAlone& get) {
  const auto is_answer = [](const Status& s) {
    return s.ok() || s.IsNotFound();
  };
  if (!is_answer(among.status)) return;
  std::string value;
  const Status alone = get(c_.format.Key(lookup.key.number), &value);
  c_.report->Count((std::string(lookup.call) + " compared").c_str());
  if (IsCutOff(alone, lookup.as_of)) return;
  if (!is_answer(alone)) {
    c_.report->Check(alone, "a lookup alone");
    return;
  }
  if (alone.ok() == among.status.ok() &&
      (!alone.ok() || among.value == Slice(value))) {
    return;
  }
  const auto text = [](const Status& s, const Slice& found) {
    return s.ok() ? Hex(found) : std::string("nothing");
  };
  c_.report->Fail(std::string(lookup.call) + ": " + Name(lookup) + " has " +
                  text(among.status, among.value) + ", alone " +
                  text(alone, value));
}

void KeyedWorkload::MultiGet(Worker* worker, size_t family) {
  constexpr size_t kMostKeys = 16;
  const size_t count = 1 + worker->random.Uniform(kMostKeys);
  const AsOf limit(c_.flags, DrawStamp(worker));
  ReadOptions options = Reads();
  limit.Limit(&options);
  std::vector<Lookup> lookups;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    // Now and then the same key twice.
    const KeyRef key = i > 0 && worker->random.OneIn(20)
                           ? lookups.back().key
                           : KeyRef{family, PickKey(worker)};
    names.push_back(c_.format.Key(key.number));
    lookups.push_back({key, "MultiGet", limit.stamp()});
    Open(&lookups.back());
  }
  const std::unique_ptr<ManagedSnapshot> snapshot =
      SnapshotToCompare(c_.flags.check_multiget_consistency);
  if (snapshot != nullptr) options.snapshot = snapshot->snapshot();
  const std::vector<Slice> keys(names.begin(), names.end());
  std::array<PinnableSlice, kMostKeys> values;
  std::array<Status, kMostKeys> statuses;
  ColumnFamilyHandle* const asked = c_.database->family(family);
  if (c_.flags.use_async_db_api) {
    const Status called = engine::MultiGetAsync({db(), options, asked}, keys,
                                                values.data(), statuses.data());
    if (!c_.report->Check(called, "MultiGetAsync")) return;
  } else {
    db()->MultiGet(options, asked, count, keys.data(), values.data(),
                   statuses.data());
  }
  for (size_t i = 0; i < count; ++i) {
    Close(&lookups[i]);
    Judge(lookups[i], statuses[i], values[i]);
    if (snapshot == nullptr) continue;
    CheckAlone(lookups[i], {statuses[i], values[i]},
               [&](const Slice& name, std::string* value) {
                 return db()->Get(options, c_.database->family(family), name,
                                  value);
               });
  }
  c_.report->Count("MultiGet");
}

void KeyedWorkload::GetEntity(Worker* worker, const KeyRef& key) {
  const bool is_lazy = worker->random.OneIn(c_.flags.lazy_entity_read_one_in);
  Lookup lookup{key, is_lazy ? "GetEntityLazy" : "GetEntity"};
  const entities::Reader reader{db(), handle(key), Reads(), EntityForm()};
  const std::string name = c_.format.Key(key.number);
  std::string value;
  Open(&lookup);
  const Status s =
      is_lazy ? reader.GetLazy(name, &value) : reader.Get(name, &value);
  Close(&lookup);
  Judge(lookup, s, value);
  c_.report->Count(lookup.call);
}

void KeyedWorkload::TakeBlockBuffers(ReadOptions* options) {
  if (!c_.flags.read_scoped_block_buffer_provider) return;
  c_.report->Check(engine::SetBlockBuffers(options),
                   "read_scoped_block_buffer_provider");
}

void KeyedWorkload::MultiGetEntity(Worker* worker, size_t family) {
  constexpr size_t kMostKeys = 16;
  const size_t count = 1 + worker->random.Uniform(kMostKeys);
  std::vector<Lookup> lookups;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    lookups.push_back({{family, PickKey(worker)}, "MultiGetEntity"});
    names.push_back(c_.format.Key(lookups.back().key.number));
    Open(&lookups.back());
  }
  ReadOptions options = Reads();
  const std::unique_ptr<ManagedSnapshot> snapshot =
      SnapshotToCompare(c_.flags.check_multiget_entity_consistency);
  if (snapshot != nullptr) options.snapshot = snapshot->snapshot();
  const entities::Reader reader{db(), c_.database->family(family), options,
                                EntityForm()};
  std::vector<std::string> values;
  std::vector<Status> statuses;
  reader.MultiGet({names.begin(), names.end()}, &values, &statuses);
  for (size_t i = 0; i < count; ++i) {
    Close(&lookups[i]);
    Judge(lookups[i], statuses[i], values[i]);
    if (snapshot == nullptr) continue;
    CheckAlone(lookups[i], {statuses[i], values[i]},
               [&](const Slice& name, std::string* value) {
                 return reader.Get(name, value);
               });
  }
  c_.report->Count("MultiGetEntity");
}

void KeyedWorkload::AskMayExist(const KeyRef& key, Stamp as_of) {
  Lookup lookup{key, "KeyMayExist", as_of};
  const AsOf limit(c_.flags, as_of);
  ReadOptions options = Reads();
  limit.Limit(&options);
  Open(&lookup);
  std::string value;
  bool has_value = false;
  const bool may_exist = db()->KeyMayExist(
      options, handle(key), c_.format.Key(key.number), &value, &has_value);
  Close(&lookup);
  if (!may_exist) {
    // It has no way to say that the history is gone, as a lookup has.
    PinnableSlice unused;
    const Status s =
        db()->Get(options, handle(key), c_.format.Key(key.number), &unused);
    Judge(lookup, IsCutOff(s, as_of) ? s : Status::NotFound(), Slice());
  } else if (has_value) {
    Judge(lookup, Status::OK(), value);
  }
  c_.report->Count("KeyMayExist");
}

void KeyedWorkload::Read(Worker* worker) {
  const KeyRef key = Pick(worker);
  const Stamp as_of = DrawStamp(worker);
  if (worker->random.OneIn(c_.flags.key_may_exist_one_in)) {
    AskMayExist(key, as_of);
  }
  if (c_.flags.use_multi_get_entity) {
    MultiGetEntity(worker, key.family);
  } else if (c_.flags.use_get_entity) {
    GetEntity(worker, key);
  } else if (c_.flags.use_multiget) {
    MultiGet(worker, key.family);
  } else {
    Get(key, as_of);
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
  RangeLookup lookup{range, "prefix scan", DrawStamp(worker)};
  Open(&lookup);
  const AsOf limit(c_.flags, lookup.as_of);
  ReadOptions options = Reads();
  limit.Limit(&options);
  const std::string bound = c_.format.Key(range.to);
  const Slice upper(bound);
  options.iterate_upper_bound = &upper;
  if (c_.flags.prefix_size >= 0) {
    options.prefix_same_as_start = true;
  } else {
    options.total_order_seek = true;
  }
  TakeBlockBuffers(&options);
  const std::unique_ptr<Iterator> iterator = NewIterator(options, handle(key));
  Walk walk = NewWalk(range, iterator.get());
  walk.Forward();
  Close(&lookup);
  JudgeWalk(lookup, walk, iterator->status());
}

// Ranges of one part of a family, which the iterator is told of before.
void KeyedWorkload::ScanRanges(Worker* worker) {
  StressRandom* const random = &worker->random;
  const KeyRange part =
      RangeAround(Pick(worker), 1 + random->Uniform(kMostWalked));
  const AsOf limit(c_.flags, DrawStamp(worker));
  engine::ScanRanges ranges;
  ranges.goes_back = c_.flags.multiscan_reverse;
  ranges.is_async = c_.flags.multiscan_use_async_io;
  ranges.max_all_bytes = static_cast<uint64_t>(
      std::max<int64_t>(0, c_.flags.multiscan_max_prefetch_memory_bytes));
  std::vector<RangeLookup> lookups;
  for (uint64_t from = part.from; from < part.to;) {
    const uint64_t to = from + 1 + random->Uniform(part.to - from);
    lookups.push_back(
        {{part.family, from, to}, "scan of several ranges", limit.stamp()});
    ranges.bounds.emplace_back(c_.format.Key(from), c_.format.Key(to));
    from = to + random->Uniform(50);
  }
  for (RangeLookup& lookup : lookups) Open(&lookup);
  ReadOptions options = TotalOrder();
  limit.Limit(&options);
  TakeBlockBuffers(&options);
  // Iterators over several families are told of no ranges.
  const std::unique_ptr<Iterator> iterator(
      db()->NewIterator(options, c_.database->family(part.family)));
  const Status prepared = engine::PrepareScan(ranges, iterator.get());
  if (!IsCutOff(prepared, limit.stamp())) {
    c_.report->Check(prepared, "preparing a scan of several ranges");
  }
  if (ranges.goes_back) std::reverse(lookups.begin(), lookups.end());
  for (RangeLookup& lookup : lookups) {
    Walk walk = NewWalk(lookup.range, iterator.get());
    ranges.goes_back ? walk.Backward() : walk.Forward();
    Close(&lookup);
    JudgeWalk(lookup, walk, iterator->status());
  }
}

void KeyedWorkload::Iterate(Worker* worker) {
  if (c_.flags.use_multiscan && worker->random.OneIn(2)) {
    ScanRanges(worker);
    return;
  }
  const KeyRef key = Pick(worker);
  StressRandom* const random = &worker->random;
  RangeLookup lookup{RangeAround(key, 1 + random->Uniform(kMostWalked)),
                     "iteration", DrawStamp(worker)};
  Open(&lookup);
  const AsOf limit(c_.flags, lookup.as_of);
  ReadOptions options = TotalOrder();
  limit.Limit(&options);
  // Only a snapshot's iterator is refreshed; others see what is newest.
  std::optional<ManagedSnapshot> snapshot;
  if (c_.flags.auto_refresh_iterator_with_snapshot && random->OneIn(2)) {
    snapshot.emplace(db());
    options.snapshot = snapshot->snapshot();
  }
  const std::string from = c_.format.Key(lookup.range.from);
  const std::string to = c_.format.Key(lookup.range.to);
  const Slice lower(from), upper(to);
  if (random->OneIn(3)) options.iterate_lower_bound = &lower;
  if (random->OneIn(3)) options.iterate_upper_bound = &upper;
  if (options.iterate_upper_bound != nullptr) {
    engine::SetAutoReadahead(c_.flags.auto_readahead_size, &options);
  }
  RangeFilters::TableFilter filter;
  if (options.iterate_lower_bound != nullptr &&
      options.iterate_upper_bound != nullptr) {
    filter = c_.database->range_filters().For(lower, upper);
  }
  if (filter != nullptr) {
    c_.report->Check(SetTableFilter(&filter, &options), "a filter of tables");
    c_.report->Count("iterators that leave tables out");
  }
  TakeBlockBuffers(&options);
  const std::unique_ptr<Iterator> iterator = NewIterator(options, handle(key));
  Walk walk = NewWalk(lookup.range, iterator.get());
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
  Close(&lookup);
  JudgeWalk(lookup, walk, iterator->status());
}

}  // namespace ROCKSDB_NAMESPACE::stress
