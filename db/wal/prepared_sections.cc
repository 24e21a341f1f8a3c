#include "db/wal/prepared_sections.h"

#include <algorithm>
#include <optional>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool HasValue(ValueType type) {
  return type != kTypeDeletion && type != kTypeSingleDeletion;
}

Status AddCopy(const BatchEntry& entry, WriteBatch* to) {
  assert(IsDataEntry(entry.type));
  const SliceParts value(&entry.value, 1);
  return WriteBatchInternal::Add(to, entry.type, entry.column_family_id,
                                 SliceParts(&entry.key, 1),
                                 HasValue(entry.type) ? &value : nullptr);
}

// The last bytes of a key of a family with timestamps are its timestamp, which
// is known when the transaction commits.
Status AddStamped(BatchEntry entry, const TimestampSizes& sizes,
                  const Slice& timestamp, WriteBatch* to) {
  const auto size = sizes.find(entry.column_family_id);
  if (size == sizes.end() || timestamp.empty()) return AddCopy(entry, to);
  if (timestamp.size() != size->second || entry.key.size() < size->second) {
    return Status::Corruption("write batch",
                              "a commit with a timestamp of another size");
  }
  const auto stamp = [&](const Slice& key) {
    return std::string(key.data(), key.size() - timestamp.size())
        .append(timestamp.data(), timestamp.size());
  };
  const std::string key = stamp(entry.key);
  entry.key = key;
  if (entry.type != kTypeRangeDeletion) return AddCopy(entry, to);
  if (entry.value.size() < timestamp.size()) {
    return Status::Corruption("write batch", "a key without its timestamp");
  }
  const std::string end = stamp(entry.value);
  entry.value = end;
  return AddCopy(entry, to);
}

Status Unpaired(const char* what) {
  return Status::Corruption("write batch", what);
}

Status BeginSection(ValueType marker, bool is_inside) {
  if (marker != kTypeBeginPrepareXID) {
    return Status::NotSupported(
        "prepared transactions of the policies write-prepared and "
        "write-unprepared");
  }
  return is_inside ? Unpaired("a prepared section inside another one")
                   : Status::OK();
}

}  // namespace

bool PreparedSections::Concerns(const WriteBatch& batch) {
  return batch.HasBeginPrepare() || batch.HasEndPrepare() ||
         batch.HasCommit() || batch.HasRollback();
}

Status PreparedSections::Expand(uint64_t log_number,
                                const TimestampSizes& sizes,
                                WriteBatch* batch) {
  INVARIANT(batch != nullptr);
  WriteBatch plain;
  std::optional<Section> section;  // while inside of one
  Status s;
  for (BatchReader reader(batch->Data()); s.ok() && !reader.AtEnd();) {
    BatchEntry entry;
    if (s = reader.Next(&entry); !s.ok()) break;
    if (IsDataEntry(entry.type)) {
      s = AddCopy(entry, section ? &section->updates : &plain);
      continue;
    }
    const std::string name = entry.key.ToString();
    switch (entry.type) {
      case kTypeBeginPrepareXID:
      case kTypeBeginPersistedPrepareXID:
      case kTypeBeginUnprepareXID:
        s = BeginSection(entry.type, section.has_value());
        if (s.ok()) section.emplace().log_number = log_number;
        break;
      case kTypeEndPrepareXID:
        s = section
                ? Keep(name, &*section)
                : Unpaired("the end of a prepared section without its begin");
        section.reset();
        break;
      case kTypeCommitXID:
      case kTypeCommitXIDAndTimestamp: {
        // A name that is not known is that of data in table files.
        const auto found = sections_.find(name);
        if (found == sections_.end()) break;
        const WriteBatch& updates = found->second.updates;
        for (BatchReader r(updates.Data()); s.ok() && !r.AtEnd();) {
          BatchEntry update;
          s = r.Next(&update);
          if (s.ok()) s = AddStamped(update, sizes, entry.value, &plain);
        }
        sections_.erase(found);
        break;
      }
      case kTypeRollbackXID:
        sections_.erase(name);
        break;
      default:
        break;
    }
  }
  if (s.ok() && section) s = Unpaired("a prepared section without its end");
  if (!s.ok()) return s;
  WriteBatchInternal::SetSequence(&plain, WriteBatchInternal::Sequence(*batch));
  *batch = std::move(plain);
  return s;
}

Status PreparedSections::Keep(const std::string& name, Section* section) {
  INVARIANT(section != nullptr);
  const auto [at, is_new] = sections_.try_emplace(name);
  if (!is_new && (section->log_number == at->second.log_number ||
                  section->updates.Data() != at->second.updates.Data())) {
    return Status::Corruption("write batch: prepared twice", name);
  }
  at->second = std::move(*section);
  return Status::OK();
}

Status PreparedSections::MakeRecords(std::vector<WriteBatch>* records) const {
  INVARIANT(records != nullptr);
  std::vector<WriteBatch> made;
  for (const auto& [name, section] : sections_) {
    WriteBatch& record = made.emplace_back();
    WriteBatchInternal::AddMarker(&record, kTypeNoop);
    Status s = WriteBatchInternal::Append(&record, section.updates,
                                          WriteBatchInternal::Part::kAll);
    if (s.ok()) {
      s = WriteBatchInternal::MarkEndPrepare(&record, name,
                                             kTypeBeginPrepareXID);
    }
    if (!s.ok()) return s;
  }
  *records = std::move(made);
  return Status::OK();
}

void PreparedSections::Add(const std::string& name, uint64_t log_number,
                           WriteBatch updates) {
  INVARIANT(log_number != 0);
  Section& section = sections_[name];
  section.log_number = log_number;
  section.updates = std::move(updates);
}

const PreparedSections::Section* PreparedSections::Find(
    const std::string& name) const {
  const auto found = sections_.find(name);
  return found != sections_.end() ? &found->second : nullptr;
}

void PreparedSections::MoveAllTo(uint64_t log_number) {
  for (auto& [name, section] : sections_) {
    INVARIANT(section.log_number <= log_number);
    section.log_number = log_number;
  }
}

uint64_t PreparedSections::MinLog() const {
  uint64_t min_log = UINT64_MAX;
  for (const auto& [name, section] : sections_) {
    INVARIANT(section.log_number != 0);
    min_log = std::min(min_log, section.log_number);
  }
  return min_log;
}

}  // namespace ROCKSDB_NAMESPACE
