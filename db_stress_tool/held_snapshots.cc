#include "db_stress_tool/held_snapshots.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>

#include "db_stress_tool/stamps.h"
#include "rocksdb/snapshot.h"

namespace ROCKSDB_NAMESPACE::stress {

bool HeldSnapshots::Read(const Held& held, Entries* entries) {
  ReadOptions options;
  options.total_order_seek = true;
  options.verify_checksums = c_.flags.verify_checksum;
  options.snapshot = held.snapshot;
  // Writes after the snapshot have newer stamps, and are newer than it, too.
  const AsOf newest(c_.flags);
  newest.Limit(&options);
  const Slice upper(held.to);
  if (!held.to.empty()) options.iterate_upper_bound = &upper;
  const std::unique_ptr<Iterator> iterator(c_.database->db()->NewIterator(
      options, c_.database->family(held.family)));
  const std::hash<std::string_view> hash;
  for (iterator->Seek(held.from); iterator->Valid(); iterator->Next()) {
    entries->emplace_back(iterator->key().ToString(),
                          hash(iterator->value().ToStringView()));
  }
  return c_.report->Check(iterator->status(), "scan of a snapshot");
}

void HeldSnapshots::Acquire(Worker* worker) {
  constexpr uint64_t kWidth = 200;
  Held held{};
  held.worker = worker->index;
  held.family = worker->random.Uniform(c_.database->family_count());
  held.due_op = worker->op + c_.flags.snapshot_hold_ops;
  if (c_.flags.long_running_snapshots && worker->random.OneIn(10)) {
    held.due_op += 9 * c_.flags.snapshot_hold_ops;
  }
  if (!c_.flags.compare_full_db_state_snapshot) {
    const uint64_t from = worker->random.Uniform(c_.key_count());
    const std::string prefix = c_.flags.test_batches_snapshots ? "5" : "";
    held.from = prefix + c_.format.Key(from);
    held.to = prefix + c_.format.Key(from + kWidth);
  }
  Transactions* const transactions = c_.database->transactions();
  if (transactions != nullptr && worker->random.OneIn(2)) {
    held.shared = transactions->NewestSnapshot();
  }
  held.snapshot = held.shared != nullptr ? held.shared.get()
                                         : c_.database->db()->GetSnapshot();
  if (held.snapshot == nullptr) return;
  if (!Read(held, &held.entries)) return Release(held);
  if (held.shared != nullptr) c_.report->Count("snapshots with timestamps");
  c_.report->Count("snapshots");
  std::lock_guard<std::mutex> lock(mutex_);
  held_.push_back(std::move(held));
}

std::optional<HeldSnapshots::Held> HeldSnapshots::TakeDue(
    const Worker& worker) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto due =
      std::find_if(held_.begin(), held_.end(), [&](const Held& held) {
        return held.worker == worker.index && held.due_op <= worker.op;
      });
  if (due == held_.end()) return std::nullopt;
  Held held = std::move(*due);
  held_.erase(due);
  return held;
}

void HeldSnapshots::Verify(const Held& held) {
  Entries now;
  if (!Read(held, &now) || now == held.entries) return;
  // What was being written when it was taken may have come since.
  if (c_.database->MayShowLater()) return;
  const auto [was, is] = std::mismatch(held.entries.begin(), held.entries.end(),
                                       now.begin(), now.end());
  const auto name = [](const Entries& entries, Entries::const_iterator at) {
    return at == entries.end() ? "the end" : Hex(at->first);
  };
  c_.report->Fail("the snapshot at " +
                  std::to_string(held.snapshot->GetSequenceNumber()) +
                  " changed: of family " + std::to_string(held.family) +
                  " it showed " + std::to_string(held.entries.size()) +
                  " entries, now " + std::to_string(now.size()) + "; where " +
                  name(held.entries, was) + " was, there is " + name(now, is));
}

void HeldSnapshots::Release(const Held& held) {
  if (held.shared != nullptr) return;  // The last who has it gives it back.
  c_.database->db()->ReleaseSnapshot(held.snapshot);
}

void HeldSnapshots::ReleaseDue(const Worker& worker) {
  while (const std::optional<Held> held = TakeDue(worker)) {
    Verify(*held);
    Release(*held);
  }
}

void HeldSnapshots::ReleaseAll() {
  for (const Held& held : held_) {
    if (!c_.report->failed()) Verify(held);
    Release(held);
  }
  held_.clear();
}

}  // namespace ROCKSDB_NAMESPACE::stress
