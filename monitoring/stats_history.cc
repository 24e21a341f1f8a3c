#include "monitoring/stats_history.h"

#include <algorithm>
#include <utility>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

size_t StatsHistory::Snapshot::Bytes() const {
  return sizeof(*this) + counts.capacity() * sizeof(counts[0]);
}

// Statistics have the same names all the time, but for those of users.
std::shared_ptr<const StatsHistory::Names> StatsHistory::NamesOf(
    const Counts& totals) {
  const bool is_same =
      names_ != nullptr && names_->size() == totals.size() &&
      std::equal(
          names_->begin(), names_->end(), totals.begin(),
          [](const auto& name, const auto& e) { return name == e.first; });
  if (!is_same) {
    auto names = std::make_shared<Names>();
    for (const auto& entry : totals) names->push_back(entry.first);
    names_ = std::move(names);
  }
  return names_;
}

void StatsHistory::Add(uint64_t now_seconds, const Counts& totals,
                       size_t budget_bytes) {
  MutexLock lock(&mutex_);
  if (std::exchange(has_begun_, true)) {
    // Each has a second of its own, by which it is found; they ascend.
    const uint64_t first_free =
        snapshots_.empty() ? 0 : snapshots_.back().seconds + 1;
    Snapshot snapshot{std::max(now_seconds, first_free), NamesOf(totals), {}};
    snapshot.counts.reserve(totals.size());
    for (const auto& [name, total] : totals) {
      const auto before = last_totals_.find(name);
      const uint64_t base = before == last_totals_.end() ? 0 : before->second;
      // A ticker that was set back has counted anew.
      snapshot.counts.push_back(total >= base ? total - base : total);
    }
    bytes_ += snapshot.Bytes();
    snapshots_.push_back(std::move(snapshot));
  }
  last_totals_ = totals;
  while (!snapshots_.empty() && bytes_ > budget_bytes) {
    INVARIANT(bytes_ >= snapshots_.front().Bytes());
    bytes_ -= snapshots_.front().Bytes();
    snapshots_.pop_front();
  }
}

bool StatsHistory::Find(uint64_t from, uint64_t to, uint64_t* seconds,
                        Counts* counts) const {
  INVARIANT(seconds != nullptr && counts != nullptr);
  MutexLock lock(&mutex_);
  for (const Snapshot& snapshot : snapshots_) {
    if (snapshot.seconds < from) continue;
    if (snapshot.seconds >= to) return false;
    *seconds = snapshot.seconds;
    counts->clear();
    INVARIANT(snapshot.names->size() == snapshot.counts.size());
    for (size_t i = 0; i < snapshot.counts.size(); ++i) {
      counts->emplace_hint(counts->end(), (*snapshot.names)[i],
                           snapshot.counts[i]);
    }
    return true;
  }
  return false;
}

size_t StatsHistory::MemoryBytes() const {
  MutexLock lock(&mutex_);
  return bytes_;
}

namespace {

class HistoryIterator final : public StatsHistoryIterator {
 public:
  HistoryIterator(std::shared_ptr<const StatsHistory> history, uint64_t from,
                  uint64_t to)
      : history_(std::move(history)), to_(to) {
    INVARIANT(history_ != nullptr);
    Load(from);
  }

  bool Valid() const override { return valid_; }
  Status status() const override { return Status::OK(); }
  void Next() override {
    INVARIANT(valid_);
    Load(seconds_ + 1);
  }
  uint64_t GetStatsTime() const override {
    INVARIANT(valid_);
    return seconds_;
  }
  const std::map<std::string, uint64_t>& GetStatsMap() const override {
    INVARIANT(valid_);
    return counts_;
  }

 private:
  void Load(uint64_t from) {
    valid_ = history_->Find(from, to_, &seconds_, &counts_);
  }

  const std::shared_ptr<const StatsHistory> history_;
  const uint64_t to_;
  bool valid_ = false;
  uint64_t seconds_ = 0;
  StatsHistory::Counts counts_;
};

}  // namespace

std::unique_ptr<StatsHistoryIterator> NewStatsHistoryIterator(
    std::shared_ptr<const StatsHistory> history, uint64_t from, uint64_t to) {
  return std::make_unique<HistoryIterator>(std::move(history), from, to);
}

}  // namespace ROCKSDB_NAMESPACE
