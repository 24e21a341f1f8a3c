#include "db/observe/persistent_stats.h"

#include <algorithm>
#include <cassert>
#include <cinttypes>
#include <cstdio>
#include <string_view>
#include <utility>

#include "rocksdb/iterator.h"
#include "rocksdb/write_batch.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kTimeDigits = 10;

// All of `text` is a number of one to twenty digits that fits.
bool ParseDigits(const Slice& text, uint64_t* number) {
  if (text.empty()) return false;
  uint64_t result = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (result > (UINT64_MAX - digit) / 10) return false;
    result = result * 10 + digit;
  }
  *number = result;
  return true;
}

class DiskIterator final : public StatsHistoryIterator {
 public:
  DiskIterator(std::unique_ptr<Iterator> entries, uint64_t from, uint64_t to)
      : entries_(std::move(entries)), to_(to) {
    INVARIANT(entries_ != nullptr);
    entries_->Seek(PersistentStats::KeyOf(from, Slice()));
    Load();
  }

  bool Valid() const override { return valid_; }
  Status status() const override { return status_; }
  void Next() override {
    if (valid_) Load();
  }
  uint64_t GetStatsTime() const override { return seconds_; }
  int GetFormatVersion() const override {
    return PersistentStats::kFormatVersion;
  }
  const PersistentStats::Counts& GetStatsMap() const override {
    return counts_;
  }

 private:
  // All entries of the time that entries_ stands on; it ends up behind them.
  void Load() {
    valid_ = false;
    counts_.clear();
    for (; entries_->Valid(); entries_->Next()) {
      uint64_t seconds = 0, count = 0;
      Slice ticker;
      // What is no snapshot lies behind all of them.
      if (!PersistentStats::ParseKey(entries_->key(), &seconds, &ticker)) break;
      if (seconds >= to_ || (valid_ && seconds != seconds_)) break;
      if (!ParseDigits(entries_->value(), &count)) {
        status_ = Status::Corruption(
            "statistics history at " + entries_->key().ToString(),
            "not a number: " + entries_->value().ToString(true));
        valid_ = false;
        return;
      }
      seconds_ = seconds;
      valid_ = true;
      counts_.emplace_hint(counts_.end(), ticker.ToString(), count);
    }
    if (!entries_->status().ok()) {
      status_ = entries_->status();
      valid_ = false;
    }
  }

  const std::unique_ptr<Iterator> entries_;
  const uint64_t to_;
  Status status_;
  bool valid_ = false;
  uint64_t seconds_ = 0;
  PersistentStats::Counts counts_;
};

}  // namespace

// A few hundred small entries every ten minutes, read by hand.
ColumnFamilyOptions PersistentStats::FamilyOptions() {
  ColumnFamilyOptions options;
  options.write_buffer_size = 2 << 20;
  options.target_file_size_base = 2 << 20;
  options.max_bytes_for_level_base = 10 << 20;
  return options;
}

std::string PersistentStats::KeyOf(uint64_t seconds, const Slice& ticker) {
  char time[kTimeDigits + 16];
  const int n = snprintf(time, sizeof(time), "%010" PRIu64 "#", seconds);
  INVARIANT(n > static_cast<int>(kTimeDigits));
  std::string key(time, static_cast<size_t>(n));
  key.append(ticker.data(), ticker.size());
  return key;
}

bool PersistentStats::ParseKey(const Slice& key, uint64_t* seconds,
                               Slice* ticker) {
  INVARIANT(seconds != nullptr && ticker != nullptr);
  const std::string_view text = key.ToStringView();
  const size_t end = text.find('#');
  if (end == std::string_view::npos || end < kTimeDigits ||
      !ParseDigits(Slice(key.data(), end), seconds)) {
    return false;
  }
  *ticker = Slice(key.data() + end + 1, key.size() - end - 1);
  return true;
}

PersistentStats::PersistentStats(DB* db,
                                 std::unique_ptr<ColumnFamilyHandle> family)
    : db_(db), family_(std::move(family)) {
  INVARIANT(db_ != nullptr);
  INVARIANT(family_ != nullptr);
}

Status PersistentStats::Check() const {
  std::string value;
  Status s = db_->Get(ReadOptions(), family_.get(), kCompatibleKey, &value);
  if (s.IsNotFound()) return Status::OK();
  if (!s.ok()) return s;
  uint64_t version = 0;
  if (!ParseDigits(value, &version)) {
    return Status::Corruption("the version of the statistics history",
                              Slice(value).ToString(true));
  }
  return version <= kFormatVersion
             ? Status::OK()
             : Status::NotSupported("statistics history of version", value);
}

Status PersistentStats::Prepare() {
  std::string value;
  Status s = db_->Get(ReadOptions(), family_.get(), kFormatKey, &value);
  if (s.ok()) return Check();
  if (!s.IsNotFound()) return s;
  const std::string version = std::to_string(kFormatVersion);
  WriteBatch batch;
  s = batch.Put(family_.get(), kFormatKey, version);
  if (s.ok()) s = batch.Put(family_.get(), kCompatibleKey, version);
  return s.ok() ? db_->Write(WriteOptions(), &batch) : s;
}

Status PersistentStats::Write(uint64_t now_seconds, const Counts& totals) {
  if (!std::exchange(has_begun_, true)) {
    last_totals_ = totals;
    return Status::OK();
  }
  // Each has a second of its own, by which it is found; they ascend.
  now_seconds = std::max(now_seconds, last_seconds_ + 1);
  WriteBatch batch;
  Status s;
  for (const auto& [name, total] : totals) {
    const auto before = last_totals_.find(name);
    const uint64_t base = before == last_totals_.end() ? 0 : before->second;
    // A ticker that was set back has counted anew.
    const uint64_t count = total >= base ? total - base : total;
    if (s.ok()) {
      s = batch.Put(family_.get(), KeyOf(now_seconds, name),
                    std::to_string(count));
    }
  }
  // Users' writes come first: what has to wait is told with the next snapshot.
  WriteOptions options;
  options.no_slowdown = true;
  options.low_pri = true;
  if (s.ok()) s = db_->Write(options, &batch);
  if (!s.ok()) return s;
  last_totals_ = totals;
  last_seconds_ = now_seconds;
  return s;
}

std::unique_ptr<StatsHistoryIterator> PersistentStats::NewIterator(
    uint64_t from, uint64_t to) const {
  ReadOptions options;
  options.total_order_seek = true;
  std::unique_ptr<Iterator> entries(db_->NewIterator(options, family_.get()));
  return std::make_unique<DiskIterator>(std::move(entries), from, to);
}

}  // namespace ROCKSDB_NAMESPACE
