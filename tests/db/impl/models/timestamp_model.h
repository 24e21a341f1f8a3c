// Random operations on keys with timestamps, and every kind of read as of every
// time, compared with the list of the operations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/multi_scan.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/db/impl/timestamp_text.h"
#include "util/builtin_merge_operators.h"
#include "util/key/internal_key.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

struct TimedOperation {
  enum class Kind { kPut, kMerge, kDelete, kSingleDelete, kDeleteRange };
  Kind kind = Kind::kPut;
  uint64_t first = 0;  // key number
  uint64_t last = 0;   // not in it
  uint64_t timestamp = 0;
  std::string value;
};

struct TimestampShape {
  const char* name;
  bool is_reversed = false;
  bool has_merges = true;
  bool has_history = true;  // full_history_ts_low goes up
  bool has_blobs = false;
  bool is_universal = false;
  bool has_prefixes = false;
  bool is_in_memory = false;  // Files do without timestamps.
};

class TimestampModel : public DbFixture {
 protected:
  // What a reader sees of a key.
  struct Seen {
    std::string value;
    uint64_t timestamp = 0;
  };
  using State = std::map<uint64_t, Seen>;

  struct Moment {
    uint64_t timestamp = 0;
    size_t count = SIZE_MAX;  // how many operations the snapshot sees
    const Snapshot* snapshot = nullptr;
  };

  static constexpr uint64_t kKeys = 120;

  static std::string KeyOf(uint64_t number) {
    return "key" + std::to_string(1000 + number);
  }
  static uint64_t NumberOf(const Slice& key) {
    return std::stoull(key.ToString().substr(3)) - 1000;
  }
  // Where two lists differ first; empty if nowhere.
  static std::string Difference(const std::vector<std::string>& found,
                                const std::vector<std::string>& expected) {
    const auto at = [](const std::vector<std::string>& list, size_t i) {
      return i < list.size() ? list[i] : "the end";
    };
    for (size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
      if (at(found, i) == at(expected, i)) continue;
      return "found " + at(found, i) + ", expected " + at(expected, i);
    }
    return "";
  }

  // A new list of operations, for a new database.
  void Begin(const TimestampShape& shape, uint64_t seed) {
    shape_ = shape;
    random_.emplace(seed);
    operations_.clear();
    std::fill(newest_, newest_ + kKeys, 0);
    now_ = low_ = 0;
    options_.comparator = shape.is_reversed
                              ? ReverseBytewiseComparatorWithU64Ts()
                              : BytewiseComparatorWithU64Ts();
    options_.merge_operator = NewStringAppendOperator(",");
    options_.persist_user_defined_timestamps = !shape.is_in_memory;
  }
  // A read that must answer as any other does.
  virtual void DrawRead(const Moment& /*moment*/, ReadOptions* /*read*/) {}

  void TearDown() override { ReleaseSnapshots(); }

  void ReleaseSnapshots() {
    for (const Moment& m : snapshots_) db_->ReleaseSnapshot(m.snapshot);
    snapshots_.clear();
  }

  // Timestamps of a key never go back.
  uint64_t NextTimestamp(uint64_t first, uint64_t last) {
    uint64_t newest = now_ > 20 ? now_ - 20 : 0;
    for (uint64_t i = first; i < last; ++i) {
      newest = std::max(newest, newest_[i]);
    }
    // A put and its single deletion of one timestamp would leave no trace.
    const uint64_t least = first >= kKeys - 10 ? 1 : 0;
    const uint64_t timestamp = newest + least + random_->Uniform(4);
    for (uint64_t i = first; i < last; ++i) newest_[i] = timestamp;
    now_ = std::max(now_, timestamp);
    return timestamp;
  }

  Status Write() {
    using Kind = TimedOperation::Kind;
    TimedOperation op;
    op.first = random_->Uniform(kKeys);
    op.last = op.first + 1;
    const uint64_t dice = random_->Uniform(20);
    if (dice == 0) {
      op.kind = Kind::kDeleteRange;
      op.last = std::min(kKeys, op.first + 1 + random_->Uniform(15));
    } else if (dice <= 4) {
      op.kind = Kind::kDelete;
    } else if (dice <= 7 && shape_.has_merges) {
      op.kind = Kind::kMerge;
    }
    // The last keys are put once, and then deleted once.
    if (op.kind != Kind::kDeleteRange && op.first >= kKeys - 10) {
      const bool is_there = StateAt({UINT64_MAX}).contains(op.first);
      op.kind = is_there ? Kind::kSingleDelete : Kind::kPut;
    }
    op.timestamp = NextTimestamp(op.first, op.last);
    if (op.kind == Kind::kPut || op.kind == Kind::kMerge) {
      op.value = std::to_string(operations_.size()) +
                 std::string(random_->Uniform(60), 'v');
    }
    operations_.push_back(op);
    return Apply(op);
  }

  Status Apply(const TimedOperation& op) {
    using Kind = TimedOperation::Kind;
    const WriteOptions options;
    ColumnFamilyHandle* family = db_->DefaultColumnFamily();
    const std::string key = KeyOf(op.first), ts = Ts(op.timestamp);
    switch (op.kind) {
      case Kind::kPut:
        return db_->Put(options, key, ts, op.value);
      case Kind::kMerge:
        return db_->Merge(options, family, key, ts, op.value);
      case Kind::kDelete:
        return db_->Delete(options, key, ts);
      case Kind::kSingleDelete:
        return db_->SingleDelete(options, key, ts);
      case Kind::kDeleteRange:
        break;
    }
    std::string begin = key, end = KeyOf(op.last);
    if (shape_.is_reversed) {
      begin = KeyOf(op.last - 1);
      // Behind `key` in this order, and before the key below it.
      end = op.first == 0 ? "key0" : KeyOf(op.first - 1) + "x";
    }
    return db_->DeleteRange(options, family, begin, end, ts);
  }

  static bool IsSeen(const TimedOperation& op, size_t index,
                     const Moment& moment) {
    return index < moment.count && op.timestamp <= moment.timestamp;
  }

  State StateAt(const Moment& moment) const {
    using Kind = TimedOperation::Kind;
    State state;
    for (size_t i = 0; i < operations_.size(); ++i) {
      const TimedOperation& op = operations_[i];
      if (!IsSeen(op, i, moment)) continue;
      if (op.kind == Kind::kPut) {
        state[op.first] = {op.value, op.timestamp};
      } else if (op.kind == Kind::kMerge) {
        auto [at, is_new] = state.try_emplace(op.first);
        if (!is_new) at->second.value += ",";
        at->second.value += op.value;
        at->second.timestamp = op.timestamp;
      } else {
        state.erase(state.lower_bound(op.first), state.lower_bound(op.last));
      }
    }
    return state;
  }

  // Keys as text, in the order of the database.
  std::vector<std::string> Expected(const State& state) const {
    std::vector<std::string> list;
    for (const auto& [number, seen] : state) {
      list.push_back(KeyOf(number) + "=" + seen.value + "@" +
                     ShownTimestamp(seen.timestamp));
    }
    if (shape_.is_reversed) std::reverse(list.begin(), list.end());
    return list;
  }
  // What is history may have lost its timestamp.
  std::string ShownTimestamp(uint64_t timestamp) const {
    return timestamp < low_ ? "past" : std::to_string(timestamp);
  }
  std::string Shown(const Iterator& it) const {
    return it.key().ToString() + "=" + it.value().ToString() + "@" +
           ShownTimestamp(TsOf(it.timestamp()));
  }

  void CheckWalks(const Moment& moment, const State& state) {
    AsOf read(moment.timestamp, moment.snapshot);
    DrawRead(moment, &read.options);
    read.options.total_order_seek = true;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
    const std::vector<std::string> expected = Expected(state);
    std::vector<std::string> list;
    for (it->SeekToFirst(); it->Valid(); it->Next()) list.push_back(Shown(*it));
    ASSERT_OK(it->status());
    ASSERT_EQ(Difference(list, expected), "");
    list.clear();
    for (it->SeekToLast(); it->Valid(); it->Prev()) list.push_back(Shown(*it));
    ASSERT_OK(it->status());
    std::reverse(list.begin(), list.end());
    ASSERT_EQ(Difference(list, expected), "");
    ASSERT_NO_FATAL_FAILURE(CheckTurns(expected, it.get()));
  }

  // A walk that turns at random, from random seeks.
  void CheckTurns(const std::vector<std::string>& expected, Iterator* it) {
    std::map<std::string, size_t> places;  // each key's index in `expected`
    for (size_t i = 0; i < expected.size(); ++i) {
      places[expected[i].substr(0, expected[i].find('='))] = i;
    }
    for (int seek = 0; seek < 6; ++seek) {
      const std::string key = KeyOf(random_->Uniform(kKeys));
      const bool is_up = random_->OneIn(2);
      if (is_up) {
        it->Seek(key);
      } else {
        it->SeekForPrev(key);
      }
      // From the target up in the order of the database, or down.
      const bool wants_larger = is_up != shape_.is_reversed;
      auto found =
          wants_larger ? places.lower_bound(key) : places.upper_bound(key);
      if (!wants_larger) {
        found = found == places.begin() ? places.end() : std::prev(found);
      }
      ASSERT_EQ(it->Valid(), found != places.end()) << key;
      if (!it->Valid()) continue;
      auto at = static_cast<int64_t>(found->second);
      for (int step = 0; step < 12; ++step) {
        ASSERT_EQ(Shown(*it), expected[static_cast<size_t>(at)]);
        const bool goes_up = random_->OneIn(2);
        at += goes_up ? 1 : -1;
        if (goes_up) {
          it->Next();
        } else {
          it->Prev();
        }
        const bool is_inside =
            at >= 0 && at < static_cast<int64_t>(expected.size());
        ASSERT_EQ(it->Valid(), is_inside);
        if (!is_inside) break;
      }
      ASSERT_OK(it->status());
    }
  }

  void CheckBounds(const Moment& moment, const State& state) {
    AsOf read(moment.timestamp, moment.snapshot);
    DrawRead(moment, &read.options);
    uint64_t low = random_->Uniform(kKeys), high = random_->Uniform(kKeys);
    if (low > high) std::swap(low, high);
    std::string lower = KeyOf(low), upper = KeyOf(high);
    State inside(state.lower_bound(low), state.lower_bound(high));
    if (shape_.is_reversed) {
      std::swap(lower, upper);
      inside = State(state.upper_bound(low), state.upper_bound(high));
    }
    const Slice lower_slice(lower), upper_slice(upper);
    read.options.total_order_seek = true;
    read.options.iterate_lower_bound = &lower_slice;
    read.options.iterate_upper_bound = &upper_slice;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
    std::vector<std::string> list;
    for (it->SeekToFirst(); it->Valid(); it->Next()) list.push_back(Shown(*it));
    ASSERT_EQ(Difference(list, Expected(inside)), "") << lower << " " << upper;
    list.clear();
    for (it->SeekToLast(); it->Valid(); it->Prev()) list.push_back(Shown(*it));
    std::reverse(list.begin(), list.end());
    ASSERT_EQ(Difference(list, Expected(inside)), "") << lower << " " << upper;
    ASSERT_OK(it->status());
  }

  void CheckLookups(const Moment& moment, const State& state) {
    AsOf read(moment.timestamp, moment.snapshot);
    DrawRead(moment, &read.options);
    std::vector<std::string> texts;
    for (int i = 0; i < 20; ++i)
      texts.push_back(KeyOf(random_->Uniform(kKeys)));
    const std::vector<Slice> keys(texts.begin(), texts.end());
    std::vector<std::string> values, timestamps;
    const std::vector<Status> statuses =
        db_->MultiGet(read.options, keys, &values, &timestamps);
    for (size_t i = 0; i < keys.size(); ++i) {
      std::string value, timestamp;
      const Status s = db_->Get(read.options, keys[i], &value, &timestamp);
      const auto found = state.find(NumberOf(keys[i]));
      ASSERT_EQ(s.ok(), found != state.end()) << texts[i] << s.ToString();
      ASSERT_EQ(statuses[i].code(), s.code()) << texts[i];
      if (!s.ok()) {
        ASSERT_TRUE(s.IsNotFound()) << s.ToString();
        continue;
      }
      ASSERT_TRUE(db_->KeyMayExist(read.options, keys[i], nullptr));
      ASSERT_EQ(value, found->second.value) << texts[i];
      ASSERT_EQ(values[i], value);
      // A compaction may have ended between the two.
      ASSERT_EQ(ShownTimestamp(TsOf(timestamps[i])),
                ShownTimestamp(TsOf(timestamp)));
      ASSERT_EQ(ShownTimestamp(TsOf(timestamp)),
                ShownTimestamp(found->second.timestamp));
      PinnableWideColumns columns;
      ASSERT_OK(db_->GetEntity(read.options, db_->DefaultColumnFamily(),
                               keys[i], &columns));
      ASSERT_EQ(columns.columns().front().value(), Slice(value));
    }
  }

  // One of the forms that take several keys, ranges or families.
  void CheckForm(const Moment& moment, const State& state) {
    AsOf read(moment.timestamp, moment.snapshot);
    DrawRead(moment, &read.options);
    read.options.total_order_seek = true;
    const std::vector<ColumnFamilyHandle*> family = {
        db_->DefaultColumnFamily()};
    std::vector<std::string> list;
    const auto walk = [&](Iterator* it) {
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        list.push_back(Shown(*it));
      }
      ASSERT_OK(it->status());
      ASSERT_EQ(Difference(list, Expected(state)), "");
    };
    const uint64_t form = random_->Uniform(5);
    SCOPED_TRACE("form " + std::to_string(form));
    if (form == 0) {
      CheckArrays(read.options, state);
    } else if (form == 1) {
      CheckScans(read.options, state);
    } else if (form == 2) {
      walk(db_->NewCoalescingIterator(read.options, family).get());
    } else if (form == 3) {
      const auto it = db_->NewAttributeGroupIterator(read.options, family);
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        const WideColumns& columns = it->attribute_groups().front().columns();
        list.push_back(it->key().ToString() + "=" +
                       columns.front().value().ToString());
      }
      ASSERT_OK(it->status());
      ASSERT_EQ(Difference(list, WithoutTimestamps(Expected(state))), "");
    } else {
      read.options.snapshot = nullptr;
      read.options.auto_refresh_iterator_with_snapshot = false;
      const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
      it->SeekToFirst();
      ASSERT_OK(it->Refresh(moment.snapshot));
      walk(it.get());
    }
  }
  static std::vector<std::string> WithoutTimestamps(
      std::vector<std::string> list) {
    for (std::string& text : list) text.resize(text.rfind('@'));
    return list;
  }

  void CheckArrays(const ReadOptions& options, const State& state) {
    constexpr size_t kCount = 20;
    std::vector<ColumnFamilyHandle*> families(kCount,
                                              db_->DefaultColumnFamily());
    std::vector<std::string> texts, timestamps(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      texts.push_back(KeyOf(random_->Uniform(kKeys)));
    }
    const std::vector<Slice> keys(texts.begin(), texts.end());
    std::vector<PinnableSlice> values(kCount);
    std::vector<PinnableWideColumns> columns(kCount);
    std::vector<Status> statuses(kCount), entities(kCount);
    db_->MultiGet(options, kCount, families.data(), keys.data(), values.data(),
                  timestamps.data(), statuses.data());
    db_->MultiGetEntity(options, kCount, families.data(), keys.data(),
                        columns.data(), entities.data());
    for (size_t i = 0; i < kCount; ++i) {
      const auto found = state.find(NumberOf(keys[i]));
      const bool is_there = found != state.end();
      ASSERT_EQ(statuses[i].ok(), is_there) << statuses[i].ToString();
      ASSERT_EQ(entities[i].code(), statuses[i].code()) << texts[i];
      if (!is_there) {
        ASSERT_TRUE(statuses[i].IsNotFound()) << statuses[i].ToString();
        continue;
      }
      ASSERT_EQ(values[i], found->second.value) << texts[i];
      ASSERT_EQ(columns[i].columns().front().value(), found->second.value);
      ASSERT_EQ(ShownTimestamp(TsOf(timestamps[i])),
                ShownTimestamp(found->second.timestamp));
    }
  }

  // Two ranges, in the order of the database.
  void CheckScans(const ReadOptions& options, const State& state) {
    uint64_t cuts[4];
    std::string bounds[4];
    for (uint64_t& cut : cuts) cut = random_->Uniform(kKeys);
    std::sort(cuts, cuts + 4);
    if (shape_.is_reversed) std::reverse(cuts, cuts + 4);
    for (int i = 0; i < 4; ++i) bounds[i] = KeyOf(cuts[i]);
    MultiScanArgs args(options_.comparator);
    args.use_async_io = random_->OneIn(2);
    std::vector<std::string> list, expected;
    for (const int at : {0, 2}) {
      if (cuts[at] == cuts[at + 1]) continue;
      args.insert(bounds[at], bounds[at + 1]);
      const State range = shape_.is_reversed
                              ? State(state.upper_bound(cuts[at + 1]),
                                      state.upper_bound(cuts[at]))
                              : State(state.lower_bound(cuts[at]),
                                      state.lower_bound(cuts[at + 1]));
      for (std::string& text : WithoutTimestamps(Expected(range))) {
        expected.push_back(std::move(text));
      }
    }
    if (args.empty()) return;
    const auto scans =
        db_->NewMultiScan(options, db_->DefaultColumnFamily(), args);
    for (auto scan : *scans) {
      for (auto entry : scan) {
        list.push_back(entry.first.ToString() + "=" + entry.second.ToString());
      }
    }
    ASSERT_EQ(Difference(list, expected), "");
  }

  // All versions since `oldest`, as the operations have them.
  std::vector<std::string> Versions(const Moment& moment,
                                    uint64_t oldest) const {
    using Kind = TimedOperation::Kind;
    std::map<uint64_t, std::map<uint64_t, std::string, std::greater<>>> all;
    for (size_t i = 0; i < operations_.size(); ++i) {
      const TimedOperation& op = operations_[i];
      if (!IsSeen(op, i, moment)) continue;
      if (op.kind == Kind::kDeleteRange) {
        all.erase(all.lower_bound(op.first), all.lower_bound(op.last));
      } else if (op.timestamp >= oldest) {
        all[op.first][op.timestamp] = op.kind == Kind::kPut ? op.value : "-";
      }
    }
    std::vector<std::string> list;
    for (const auto& [number, versions] : all) {
      std::vector<std::string> own;
      for (const auto& [timestamp, text] : versions) {
        own.push_back(KeyOf(number) + "@" + std::to_string(timestamp) + "=" +
                      text);
      }
      list.insert(shape_.is_reversed ? list.begin() : list.end(), own.begin(),
                  own.end());
    }
    return list;
  }
  static std::string ShownVersion(const Iterator& it) {
    const Slice stored = ExtractUserKey(it.key());
    const Slice given(stored.data(), stored.size() - 8);
    const bool is_value = ExtractType(it.key()) == kTypeValue ||
                          ExtractType(it.key()) == kTypeBlobIndex;
    return given.ToString() + "@" + std::to_string(TsOf(it.timestamp())) + "=" +
           (is_value ? it.value().ToString() : "-");
  }

  void CheckHistory(const Moment& moment) {
    const uint64_t oldest =
        low_ + random_->Uniform(moment.timestamp - low_ + 1);
    AsOf read(moment.timestamp, moment.snapshot);
    read.From(oldest);
    const std::vector<std::string> expected = Versions(moment, oldest);
    const std::unique_ptr<Iterator> it(db_->NewIterator(read.options));
    std::vector<std::string> list;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      list.push_back(ShownVersion(*it));
    }
    ASSERT_OK(it->status());
    ASSERT_EQ(Difference(list, expected), "") << "from " << oldest;
    list.clear();
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      list.push_back(ShownVersion(*it));
    }
    ASSERT_OK(it->status());
    std::reverse(list.begin(), list.end());
    ASSERT_EQ(Difference(list, expected), "") << "from " << oldest;
    it->Seek(KeyOf(kKeys / 2));
    for (size_t at = 0; at + 1 < list.size() && it->Valid(); ++at) {
      const std::string here = ShownVersion(*it);
      it->Next();
      if (!it->Valid()) break;
      it->Prev();
      ASSERT_TRUE(it->Valid());
      ASSERT_EQ(ShownVersion(*it), here);
      it->Next();
    }
  }

  // Flushes move it on.
  void FollowHistory() {
    if (!shape_.is_in_memory) return;
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    std::string low;
    ASSERT_OK(db_->GetFullHistoryTsLow(db_->DefaultColumnFamily(), &low));
    if (low.empty()) return;
    ASSERT_GE(TsOf(low), low_);
    // A flush takes what it finds, and no more.
    ASSERT_LE(TsOf(low), now_ + 1);
    low_ = TsOf(low);
    now_ = std::max(now_, low_);
  }

  void Check() {
    ASSERT_NO_FATAL_FAILURE(FollowHistory());
    std::vector<Moment> moments(2);
    moments[0].timestamp = now_ + 1;
    moments[1].timestamp = low_ + random_->Uniform(now_ - low_ + 1);
    for (Moment m : snapshots_) {
      m.timestamp = low_ + random_->Uniform(now_ - low_ + 2);
      moments.push_back(m);
    }
    for (const Moment& moment : moments) {
      SCOPED_TRACE("as of " + std::to_string(moment.timestamp));
      const State state = StateAt(moment);
      ASSERT_NO_FATAL_FAILURE(CheckWalks(moment, state));
      ASSERT_NO_FATAL_FAILURE(CheckBounds(moment, state));
      ASSERT_NO_FATAL_FAILURE(CheckLookups(moment, state));
      ASSERT_NO_FATAL_FAILURE(CheckForm(moment, state));
      if (!shape_.has_merges) {
        ASSERT_NO_FATAL_FAILURE(CheckHistory(moment));
      }
    }
  }

  void RaiseHistory() {
    ASSERT_NO_FATAL_FAILURE(FollowHistory());
    if (!shape_.has_history || now_ < low_ + 5) return;
    low_ += random_->Uniform(now_ - low_);
    if (random_->OneIn(2)) {
      ASSERT_OK(
          db_->IncreaseFullHistoryTsLow(db_->DefaultColumnFamily(), Ts(low_)));
    } else {
      CompactRangeOptions options;
      const std::string low = Ts(low_);
      const Slice slice(low);
      options.full_history_ts_low = &slice;
      options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      ASSERT_OK(db_->CompactRange(options, nullptr, nullptr));
    }
    if (low_ == 0) return;
    const AsOf past(low_ - 1);
    std::string value;
    ASSERT_TRUE(db_->Get(past.options, "key", &value).IsInvalidArgument());
  }

  void Step() {
    const uint64_t dice = random_->Uniform(400);
    if (dice == 0) {
      ReleaseSnapshots();
      Reopen();
    } else if (dice <= 4) {
      ASSERT_OK(Flush());
    } else if (dice == 5) {
      ASSERT_OK(CompactAll(/*force=*/random_->OneIn(2)));
    } else if (dice == 6) {
      ASSERT_NO_FATAL_FAILURE(RaiseHistory());
    } else if (dice == 7 && snapshots_.size() < 3) {
      snapshots_.push_back({0, operations_.size(), db_->GetSnapshot()});
    } else if (dice == 8 && !snapshots_.empty()) {
      db_->ReleaseSnapshot(snapshots_.back().snapshot);
      snapshots_.pop_back();
    } else {
      ASSERT_OK(Write());
    }
  }

  TimestampShape shape_;
  std::optional<Random64> random_;
  std::vector<TimedOperation> operations_;
  std::vector<Moment> snapshots_;
  uint64_t newest_[kKeys] = {};  // timestamp of each key
  uint64_t now_ = 0;
  uint64_t low_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
