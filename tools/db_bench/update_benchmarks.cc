// Benchmarks whose threads both read and write, or merge.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "rocksdb/snapshot.h"
#include "rocksdb/write_batch.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

Budget WriteBudget() {
  return Budget(static_cast<uint64_t>(WriteCount()),
                Budget::Limit::kOperationsOrDuration);
}

// Lookups and writes of random keys, as the threads of this file do them.
class Access {
 public:
  explicit Access(Worker& worker)
      : worker_(worker),
        key_(worker.MakeKeyBuffer()),
        values_(worker.value_shape, worker.random.Next()) {}

  // Draws one of the keys with the numbers [0, count).
  void DrawKey(uint64_t count) {
    const uint64_t number = worker_.random.Below(count);
    name_ = key_.Make(number);
    target_ = worker_.At(number);
  }
  const Target& target() const { return target_; }
  const Slice& name() const { return name_; }
  Slice NextValue() { return values_.Next(); }

  // Looks the drawn key up; its value is old_value(), empty if there is none.
  Status Read() {
    old_value_.Reset();
    Status s =
        target_.db->Get(worker_.ReadsNow(), target_.family, name_, &old_value_);
    if (s.ok()) {
      ++found_;
      worker_.stats.AddBytes(name_.size() + old_value_.size());
    }
    return worker_.EndsWith(s) ? s : Status::OK();
  }
  const PinnableSlice& old_value() const { return old_value_; }

  Status Put(const Slice& value) {
    Account(value);
    return worker_.Put(target_, name_, value);
  }
  Status Merge(const Slice& operand) {
    Account(operand);
    return worker_.Merge(target_, name_, operand);
  }

  uint64_t found() const { return found_; }
  uint64_t written() const { return written_; }

 private:
  void Account(const Slice& value) {
    const uint64_t bytes = name_.size() + value.size();
    worker_.shared->write_pacer.Wait(bytes);
    worker_.stats.AddBytes(bytes);
    ++written_;
  }

  Worker& worker_;
  KeyBuffer key_;
  ValueGenerator values_;
  Slice name_;
  Target target_;
  PinnableSlice old_value_;
  uint64_t found_ = 0;
  uint64_t written_ = 0;
};

// What is written in place of a key's old value.
using Change = void (*)(const Slice& old_value, const Slice& fresh,
                        std::string* changed);

void Replace(const Slice& /*old_value*/, const Slice& fresh,
             std::string* changed) {
  changed->assign(fresh.data(), fresh.size());
}

void Append(const Slice& old_value, const Slice& fresh, std::string* changed) {
  changed->assign(old_value.data(), old_value.size());
  if (!old_value.empty()) changed->push_back(',');
  changed->append(fresh.data(), fresh.size());
}

// Byte by byte; what one of them has more stays.
void Xor(const Slice& old_value, const Slice& fresh, std::string* changed) {
  const Slice& longer = old_value.size() > fresh.size() ? old_value : fresh;
  const Slice& shorter = old_value.size() > fresh.size() ? fresh : old_value;
  changed->assign(longer.data(), longer.size());
  for (size_t i = 0; i < shorter.size(); ++i) {
    (*changed)[i] = static_cast<char>((*changed)[i] ^ shorter[i]);
  }
}

// Reads a random key, and writes it back changed.
Status Update(Worker& worker, Change change) {
  Access access(worker);
  Budget budget = WriteBudget();
  std::string changed;
  while (budget.Take(1)) {
    access.DrawKey(worker.KeyCount());
    if (Status s = access.Read(); !s.ok()) return s;
    change(access.old_value(), access.NextValue(), &changed);
    if (Status s = access.Put(changed); !s.ok()) return s;
    worker.stats.Finished(1, Operation::kUpdate);
  }
  worker.stats.SetTally(
      {"( updates:", access.written(), " found:", access.found(), ")"});
  return Status::OK();
}

Status UpdateRandom(Worker& worker) { return Update(worker, Replace); }
Status AppendRandom(Worker& worker) { return Update(worker, Append); }
Status XorUpdateRandom(Worker& worker) { return Update(worker, Xor); }

bool HasChance(Worker& worker, int32_t percent) {
  return worker.random.Below(100) < static_cast<uint64_t>(percent);
}

// --readwritepercent of a hundred operations are lookups, the others writes.
Status ReadRandomWriteRandom(Worker& worker) {
  Access access(worker);
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t reads = 0;
  while (budget.Take(1)) {
    access.DrawKey(worker.KeyCount());
    const bool is_read = HasChance(worker, FLAGS_readwritepercent);
    reads += is_read;
    Status s = is_read ? access.Read() : access.Put(access.NextValue());
    if (!s.ok()) return s;
    worker.stats.Finished(1, is_read ? Operation::kRead : Operation::kWrite);
  }
  worker.stats.SetMessage("( reads:" + std::to_string(reads) +
                          " writes:" + std::to_string(access.written()) +
                          " found:" + std::to_string(access.found()) + ")");
  return Status::OK();
}

uint64_t MergeKeyCount(const Worker& worker) {
  if (FLAGS_merge_keys < 0) return worker.KeyCount();
  const auto asked = static_cast<uint64_t>(FLAGS_merge_keys);
  return worker.existing_keys == nullptr ? asked
                                         : std::min(asked, worker.KeyCount());
}

Status ReadRandomMergeRandom(Worker& worker) {
  Access access(worker);
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t reads = 0;
  while (budget.Take(1)) {
    access.DrawKey(MergeKeyCount(worker));
    const bool is_read = HasChance(worker, FLAGS_mergereadpercent);
    reads += is_read;
    Status s = is_read ? access.Read() : access.Merge(access.NextValue());
    if (!s.ok()) return s;
    worker.stats.Finished(1, is_read ? Operation::kRead : Operation::kMerge);
  }
  worker.stats.SetMessage("( reads:" + std::to_string(reads) +
                          " merges:" + std::to_string(access.written()) +
                          " found:" + std::to_string(access.found()) + ")");
  return Status::OK();
}

Status MergeRandom(Worker& worker) {
  Access access(worker);
  Budget budget = WriteBudget();
  while (budget.Take(1)) {
    access.DrawKey(MergeKeyCount(worker));
    if (Status s = access.Merge(access.NextValue()); !s.ok()) return s;
    worker.stats.Finished(1, Operation::kMerge);
  }
  worker.stats.SetMessage("( updates:" + std::to_string(access.written()) +
                          ")");
  return Status::OK();
}

// The operands of one key, oldest first, and where they are kept.
class Operands {
 public:
  Status Read(Worker& worker, const Access& access) {
    Status s = TryToRead(worker, access);
    // There are more than there is room for: now it is known how many.
    if (!s.IsIncomplete()) return s;
    values_ = std::vector<PinnableSlice>(static_cast<size_t>(count_));
    return TryToRead(worker, access);
  }
  size_t count() const { return static_cast<size_t>(count_); }
  const PinnableSlice& operator[](size_t i) const { return values_[i]; }

 private:
  Status TryToRead(Worker& worker, const Access& access) {
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = static_cast<int>(values_.size());
    for (PinnableSlice& value : values_) value.Reset();
    count_ = 0;
    const Target& target = access.target();
    return target.db->GetMergeOperands(worker.ReadsNow(), target.family,
                                       access.name(), values_.data(), &options,
                                       &count_);
  }

  std::vector<PinnableSlice> values_ = std::vector<PinnableSlice>(16);
  int count_ = 0;
};

Status ReadRandomOperands(Worker& worker) {
  Access access(worker);
  Operands operands;
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t found = 0;
  uint64_t total = 0;
  while (budget.Take(1)) {
    access.DrawKey(MergeKeyCount(worker));
    Status s = operands.Read(worker, access);
    if (!s.ok() && !s.IsNotFound()) return s;
    found += s.ok();
    ++total;
    for (size_t i = 0; s.ok() && i < operands.count(); ++i) {
      worker.stats.AddBytes(operands[i].size());
    }
    worker.stats.Finished(1, Operation::kRead);
    worker.WaitToRead(1);
  }
  worker.stats.SetTally(FoundTally(found, total));
  return Status::OK();
}

// Merges an operand to a random key and reads all that the key has: one at
// least, as a flush may have joined them.
Status MergeAndReadOperands(Worker& worker) {
  Access access(worker);
  Operands operands;
  Budget budget = WriteBudget();
  uint64_t read = 0;
  while (budget.Take(1)) {
    access.DrawKey(MergeKeyCount(worker));
    Status s = access.Merge(access.NextValue());
    if (s.ok()) s = operands.Read(worker, access);
    if (!s.ok()) return s;
    if (operands.count() == 0) {
      return Status::Corruption("getmergeoperands: what was merged is lost",
                                access.name().ToString(/*hex=*/true));
    }
    read += operands.count();
    worker.stats.Finished(1, Operation::kMerge);
  }
  worker.stats.SetTally(
      {"( merges:", access.written(), " operands read:", read, ")"});
  return Status::OK();
}

// Ten keys that are written, and deleted, at once: whoever reads them as of one
// time finds one value in all of them, or none. They are longer than the keys
// of other benchmarks, which are not among them.
class KeysOfTen {
 public:
  explicit KeysOfTen(Worker& worker)
      : worker_(worker),
        key_(std::max<size_t>(static_cast<size_t>(FLAGS_key_size),
                              sizeof(uint64_t)) +
                 1,
             /*existing=*/nullptr) {}

  void Draw(uint64_t groups) {
    group_ = worker_.random.Below(groups);
    target_ = worker_.At(group_);
  }
  Status Put(const Slice& value) {
    batch_.Clear();
    for (uint64_t i = 0; i < kKeys; ++i) {
      if (Status s = batch_.Put(target_.family, Name(i), value); !s.ok())
        return s;
    }
    return worker_.Write(target_.db, worker_.write_options, &batch_);
  }
  Status Delete() {
    batch_.Clear();
    for (uint64_t i = 0; i < kKeys; ++i) {
      if (Status s = batch_.Delete(target_.family, Name(i)); !s.ok()) return s;
    }
    return worker_.Write(target_.db, worker_.write_options, &batch_);
  }
  // Corruption unless all ten agree.
  Status Verify(bool* is_found) {
    ReadOptions options = worker_.read_options;
    worker_.StampReads(&options);
    ManagedSnapshot snapshot(target_.db);
    options.snapshot = snapshot.snapshot();
    std::array<std::string, kKeys> values;
    uint64_t found = 0;
    for (uint64_t i = 0; i < kKeys; ++i) {
      Status s = target_.db->Get(options, target_.family, Name(i), &values[i]);
      if (!s.ok() && !s.IsNotFound()) return s;
      found += s.ok();
    }
    *is_found = found == kKeys;
    const bool agree = std::all_of(
        values.begin(), values.end(),
        [&](const std::string& value) { return value == values.front(); });
    if (agree && (found == 0 || found == kKeys)) return Status::OK();
    return Status::Corruption("randomwithverify: keys of one batch differ",
                              Name(0).ToString(/*hex=*/true));
  }

 private:
  static constexpr uint64_t kKeys = 10;
  Slice Name(uint64_t i) { return key_.Make(group_ * kKeys + i); }

  Worker& worker_;
  KeyBuffer key_;
  WriteBatch batch_ = worker_.MakeBatch();
  Target target_;
  uint64_t group_ = 0;
};

Status RandomWithVerify(Worker& worker) {
  KeysOfTen keys(worker);
  ValueGenerator values(worker.value_shape, worker.random.Next());
  Budget budget(static_cast<uint64_t>(ReadCount()),
                Budget::Limit::kOperationsOrDuration);
  uint64_t gets = 0;
  uint64_t puts = 0;
  uint64_t deletes = 0;
  uint64_t found = 0;
  while (budget.Take(1)) {
    keys.Draw(static_cast<uint64_t>(FLAGS_numdistinct));
    const auto dice = static_cast<int32_t>(worker.random.Below(100));
    Status s;
    Operation operation = Operation::kWrite;
    if (dice < FLAGS_readwritepercent) {
      bool is_found = false;
      s = keys.Verify(&is_found);
      found += is_found;
      ++gets;
      operation = Operation::kRead;
    } else if (dice < FLAGS_readwritepercent + FLAGS_deletepercent) {
      s = keys.Delete();
      ++deletes;
      operation = Operation::kDelete;
    } else {
      s = keys.Put(values.Next());
      ++puts;
    }
    if (!s.ok()) return s;
    worker.stats.Finished(1, operation);
  }
  worker.stats.SetMessage("( get:" + std::to_string(gets) +
                          " put:" + std::to_string(puts) +
                          " del:" + std::to_string(deletes) +
                          " found:" + std::to_string(found) + ")");
  return Status::OK();
}

}  // namespace

std::vector<Benchmark> UpdateBenchmarks() {
  constexpr auto kMergeOperator = Benchmark::Needs::kMergeOperator;
  return {
      {.name = "updaterandom", .run = UpdateRandom},
      {.name = "appendrandom", .run = AppendRandom},
      {.name = "xorupdaterandom", .run = XorUpdateRandom},
      {.name = "readrandomwriterandom", .run = ReadRandomWriteRandom},
      {.name = "randomwithverify", .run = RandomWithVerify},
      {.name = "mergerandom", .run = MergeRandom, .needs = kMergeOperator},
      {.name = "readrandommergerandom",
       .run = ReadRandomMergeRandom,
       .needs = kMergeOperator},
      {.name = "readrandomoperands",
       .run = ReadRandomOperands,
       .needs = kMergeOperator},
      {.name = "getmergeoperands",
       .run = MergeAndReadOperands,
       .needs = kMergeOperator},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
