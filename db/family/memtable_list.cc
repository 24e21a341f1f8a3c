#include "db/family/memtable_list.h"

#include <algorithm>

#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void MemTableList::Add(MemTableRef mem) {
  INVARIANT(mem != nullptr);
  INVARIANT(empty() || mem->id() > current_->front()->id());
  auto next = std::make_shared<MemTableVector>();
  next->reserve(current_->size() + 1);
  next->push_back(std::move(mem));
  next->insert(next->end(), current_->begin(), current_->end());
  current_ = std::move(next);
}

bool MemTableList::IsFlushPending(int min_to_merge) const {
  if (running_ || empty()) return false;
  return current_->back()->id() <= requested_id_ ||
         static_cast<int>(size()) >= min_to_merge;
}

void MemTableList::RequestFlush() {
  if (!empty()) requested_id_ = current_->front()->id();
}

void MemTableList::RequestFile() {
  RequestFlush();
  if (!empty()) file_requested_id_ = requested_id_;
}

bool MemTableList::NeedsFile(const MemTableVector& taken) const {
  INVARIANT(!taken.empty());
  return taken.front()->id() <= file_requested_id_;
}

bool MemTableList::HasPurged() const {
  return !empty() && purged_id_ != 0 && current_->back()->id() == purged_id_;
}

bool MemTableList::AwaitsOthers() const {
  return HasPurged() && size() == 1 && !NeedsFile(*current_);
}

MemTableVector MemTableList::PickForFlush(uint64_t max_id) {
  MemTableVector picked;
  if (running_) return picked;
  for (auto it = current_->rbegin(); it != current_->rend(); ++it) {
    if ((*it)->id() <= max_id) picked.push_back(*it);
  }
  assert(std::is_sorted(picked.begin(), picked.end(),
                        [](const MemTableRef& a, const MemTableRef& b) {
                          return a->id() < b->id();
                        }));
  running_ = !picked.empty();
  return picked;
}

void MemTableList::RollbackFlush() {
  INVARIANT(running_ && !empty());
  running_ = false;
  // Those that were picked are among these.
  RequestFlush();
}

void MemTableList::CommitFlush(const MemTableVector& flushed,
                               size_t history_bytes) {
  INVARIANT(running_ && !flushed.empty());
  running_ = false;
  for (const MemTableRef& mem : flushed) mem->MarkFlushed();
  current_ = Without(flushed);
  if (history_bytes > 0) AddHistory(flushed, history_bytes);
}

std::shared_ptr<MemTableVector> MemTableList::Without(
    const MemTableVector& taken) const {
  auto next = std::make_shared<MemTableVector>();
  for (const MemTableRef& mem : *current_) {
    if (std::find(taken.begin(), taken.end(), mem) == taken.end()) {
      next->push_back(mem);
    }
  }
  INVARIANT(next->size() + taken.size() == current_->size());
  return next;
}

// It has the newest one's id: whoever waits for that one goes on to wait.
void MemTableList::CommitPurge(const MemTableVector& taken, MemTableRef purged,
                               size_t history_bytes) {
  INVARIANT(running_ && !taken.empty() && purged != nullptr);
  INVARIANT(purged->id() == taken.back()->id());
  INVARIANT(!NeedsFile(taken));
  running_ = false;
  purged_id_ = purged->id();
  // What was asked for is done.
  requested_id_ = file_requested_id_;
  std::shared_ptr<MemTableVector> next = Without(taken);
  next->push_back(std::move(purged));
  current_ = std::move(next);
  if (history_bytes > 0) AddHistory(taken, history_bytes);
}

void MemTableList::AddHistory(const MemTableVector& flushed,
                              size_t least_bytes) {
  MemTableVector all(flushed.rbegin(), flushed.rend());
  all.insert(all.end(), history_->begin(), history_->end());
  INVARIANT(std::is_sorted(all.begin(), all.end(),
                           [](const MemTableRef& a, const MemTableRef& b) {
                             return a->id() > b->id();
                           }));
  size_t kept = 0;
  for (size_t bytes = 0; kept < all.size() && bytes < least_bytes; ++kept) {
    bytes += all[kept]->ApproximateMemoryUsage();
  }
  all.resize(kept);
  history_ = std::make_shared<const MemTableVector>(std::move(all));
}

void MemTableList::DropHistory() {
  history_ = std::make_shared<const MemTableVector>();
}

size_t MemTableList::ApproximateMemoryUsage() const {
  size_t bytes = 0;
  for (const MemTableRef& mem : *current_) {
    bytes += mem->ApproximateMemoryUsage();
  }
  return bytes;
}

uint64_t MemTableList::EntryCount() const {
  uint64_t count = 0;
  for (const MemTableRef& mem : *current_) count += mem->entry_count();
  return count;
}

uint64_t MemTableList::DeletionCount() const {
  uint64_t count = 0;
  for (const MemTableRef& mem : *current_) count += mem->counts().deletes();
  return count;
}

uint64_t MemTableList::MinLogNumber() const {
  uint64_t number = 0;
  for (const MemTableRef& mem : *current_) {
    const uint64_t log = mem->log_number();
    if (log != 0 && (number == 0 || log < number)) number = log;
  }
  return number;
}

}  // namespace ROCKSDB_NAMESPACE
