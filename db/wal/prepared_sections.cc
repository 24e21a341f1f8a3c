#include "db/wal/prepared_sections.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "db/wal/memtable_inserter.h"
#include "db/wal/sub_batches.h"
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

// The sequences that a section takes for itself. RocksDB needs one for what is
// not committed, also if there is nothing.
uint64_t SequencesOf(const WriteBatch& updates) {
  return std::max<uint64_t>(1, updates.Count());
}

}  // namespace

Status PreparedSections::CheckBegin(ValueType marker) const {
  const bool is_committed = policy_ == SectionPolicy::kWriteCommitted;
  if (marker == kTypeBeginPrepareXID) {
    if (is_committed) return Status::OK();
    return Status::NotSupported(
        "prepared transactions of the policy write-committed");
  }
  if (is_committed) {
    return Status::NotSupported(
        "prepared transactions of the policies write-prepared and "
        "write-unprepared");
  }
  if (marker == kTypeBeginUnprepareXID &&
      policy_ != SectionPolicy::kWriteUnprepared) {
    return Status::NotSupported(
        "transactions of the policy write-unprepared that are not prepared");
  }
  return Status::OK();
}

bool PreparedSections::Concerns(const WriteBatch& batch) {
  return batch.HasBeginPrepare() || batch.HasEndPrepare() ||
         batch.HasCommit() || batch.HasRollback();
}

Status PreparedSections::Expand(uint64_t log_number,
                                const TimestampSizes& sizes, WriteBatch* batch,
                                uint64_t* taken) {
  INVARIANT(batch != nullptr);
  const SequenceNumber first = WriteBatchInternal::Sequence(*batch);
  uint64_t own_sequences = 0;
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
        s = CheckBegin(entry.type);
        if (s.ok() && section) {
          s = Unpaired("a prepared section inside another one");
        }
        if (!s.ok()) break;
        section.emplace().log_number = log_number;
        section->is_prepared = entry.type != kTypeBeginUnprepareXID;
        break;
      case kTypeEndPrepareXID:
        if (!section) {
          s = Unpaired("the end of a prepared section without its begin");
          break;
        }
        if (policy_ != SectionPolicy::kWriteCommitted) {
          section->sequence = first + own_sequences;
          own_sequences += SequencesOf(section->updates);
          section->end = first + own_sequences;
        }
        s = Keep(name, &*section);
        section.reset();
        break;
      case kTypeCommitXID:
      case kTypeCommitXIDAndTimestamp:
        s = Commit(name, sizes, entry.value, &plain);
        break;
      case kTypeRollbackXID:
        sections_.erase(name);
        // What is in front undoes the section for RocksDB, which has applied
        // it. It takes sequences; applied here, it would be a second value, of
        // which a SingleDelete() takes one away.
        if (policy_ != SectionPolicy::kWriteCommitted) {
          own_sequences += plain.Count();
          plain.Clear();
        }
        break;
      default:
        break;
    }
  }
  if (s.ok() && section) s = Unpaired("a prepared section without its end");
  if (!s.ok()) return s;
  WriteBatchInternal::SetSequence(&plain, first);
  *batch = std::move(plain);
  if (taken != nullptr) *taken = own_sequences;
  return s;
}

// A name that is not known is that of data in table files.
Status PreparedSections::Commit(const std::string& name,
                                const TimestampSizes& sizes,
                                const Slice& timestamp, WriteBatch* to) {
  const auto found = sections_.find(name);
  if (found == sections_.end()) return Status::OK();
  WriteBatch updates;
  Status s = UpdatesThatCount(found->second, &updates);
  for (BatchReader reader(updates.Data()); s.ok() && !reader.AtEnd();) {
    BatchEntry update;
    s = reader.Next(&update);
    if (s.ok()) s = AddStamped(update, sizes, timestamp, to);
  }
  sections_.erase(found);
  return s;
}

Status PreparedSections::UpdatesThatCount(const Section& section,
                                          WriteBatch* updates) const {
  if (policy_ != SectionPolicy::kWriteCommitted) {
    return FoldUpdates(section.updates, updates);
  }
  return WriteBatchInternal::Append(updates, section.updates,
                                    WriteBatchInternal::Part::kAll);
}

Status PreparedSections::ExpandSubBatches(uint64_t log_number,
                                          std::vector<SubBatch> parts,
                                          ColumnFamilyMemTables* families,
                                          std::vector<ReplayedBatch>* effects) {
  INVARIANT(families != nullptr && effects != nullptr);
  Section section;
  for (SubBatch& part : parts) {
    const std::string name = part.name.ToString();
    switch (part.kind) {
      case SubBatch::Kind::kPlain:
        effects->push_back({std::move(part.updates), log_number});
        break;
      case SubBatch::Kind::kSection:
      case SubBatch::Kind::kUnprepared: {
        const bool is_prepared = part.kind == SubBatch::Kind::kSection;
        Status s = CheckBegin(is_prepared ? kTypeBeginPersistedPrepareXID
                                          : kTypeBeginUnprepareXID);
        if (s.ok()) s = AddSubBatch(part, *families, log_number, &section);
        if (!s.ok()) return s;
        break;
      }
      case SubBatch::Kind::kEnd:
        section.log_number = log_number;
        section.is_prepared = part.is_prepared;
        if (Status s = Keep(name, &section); !s.ok()) return s;
        section = Section();
        break;
      case SubBatch::Kind::kCommit: {
        const auto found = sections_.find(name);
        if (found == sections_.end()) break;
        for (WriteBatch& updates : found->second.sub_batches) {
          effects->push_back({std::move(updates), found->second.log_number});
        }
        sections_.erase(found);
        break;
      }
      case SubBatch::Kind::kRollback:
        sections_.erase(name);
        break;
    }
  }
  return Status::OK();
}

// Entries of families whose tables are newer than the log are in tables.
Status PreparedSections::AddSubBatch(const SubBatch& part,
                                     ColumnFamilyMemTables& families,
                                     uint64_t log_number, Section* section) {
  const SequenceNumber sequence = WriteBatchInternal::Sequence(part.updates);
  for (BatchReader reader(part.updates.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    ColumnFamilyMemTables::Target target;
    if (families.Find(entry.column_family_id, &target) &&
        log_number < target.log_number) {
      section->in_tables.push_back(
          {entry.column_family_id, entry.key.ToString(), sequence});
    }
  }
  if (section->sequence == 0) section->sequence = sequence;
  section->end = sequence + 1;
  section->sub_batches.push_back(part.updates);
  return WriteBatchInternal::Append(&section->updates, part.updates,
                                    WriteBatchInternal::Part::kAll);
}

// A section that is prepared already was logged again; one that is not gets
// another part.
Status PreparedSections::Keep(const std::string& name, Section* section) {
  INVARIANT(section != nullptr);
  const auto [at, is_new] = sections_.try_emplace(name);
  Section& kept = at->second;
  if (is_new) {
    kept = std::move(*section);
    return Status::OK();
  }
  if (policy_ == SectionPolicy::kWriteCommitted) {
    if (section->log_number == kept.log_number ||
        section->updates.Data() != kept.updates.Data()) {
      return Status::Corruption("write batch: prepared twice", name);
    }
    kept = std::move(*section);
    return Status::OK();
  }
  return Take(section, &kept);
}

Status PreparedSections::Take(Section* section, Section* kept) {
  if (kept->is_prepared) {
    *kept = std::move(*section);
    return Status::OK();
  }
  Status s = WriteBatchInternal::Append(&kept->updates, section->updates,
                                        WriteBatchInternal::Part::kAll);
  if (!s.ok()) return s;
  kept->is_prepared = section->is_prepared;
  kept->end = section->end;
  std::move(section->sub_batches.begin(), section->sub_batches.end(),
            std::back_inserter(kept->sub_batches));
  std::move(section->in_tables.begin(), section->in_tables.end(),
            std::back_inserter(kept->in_tables));
  return s;
}

Status PreparedSections::MakeRecord(const std::string& name,
                                    const Section& section,
                                    WriteBatch* record) const {
  WriteBatch logged;
  WriteBatchInternal::AddMarker(&logged, kTypeNoop);
  Status s = WriteBatchInternal::Append(&logged, section.updates,
                                        WriteBatchInternal::Part::kAll);
  const ValueType begin = policy_ == SectionPolicy::kWriteCommitted
                              ? kTypeBeginPrepareXID
                          : section.is_prepared ? kTypeBeginPersistedPrepareXID
                                                : kTypeBeginUnprepareXID;
  if (s.ok()) s = WriteBatchInternal::MarkEndPrepare(&logged, name, begin);
  if (!s.ok()) return s;
  // What older logs have of it is void: parts, which are not to be added to it,
  // and what RocksDB takes for a section prepared twice.
  WriteBatchInternal::AddTransactionMarker(record, kTypeRollbackXID, name);
  s = WriteBatchInternal::Append(record, logged,
                                 WriteBatchInternal::Part::kAll);
  if (policy_ != SectionPolicy::kWriteCommitted) EndCountedBatch(record);
  return s;
}

Status PreparedSections::MakeRecords(std::vector<WriteBatch>* records) const {
  INVARIANT(records != nullptr);
  std::vector<WriteBatch> made;
  for (const auto& [name, section] : sections_) {
    Status s = MakeRecord(name, section, &made.emplace_back());
    if (!s.ok()) return s;
  }
  *records = std::move(made);
  return Status::OK();
}

void PreparedSections::Add(const std::string& name, Section section) {
  INVARIANT(section.log_number != 0);
  const auto [at, is_new] = sections_.try_emplace(name);
  if (is_new || policy_ == SectionPolicy::kWriteCommitted) {
    at->second = std::move(section);
    return;
  }
  const Status s = Take(&section, &at->second);
  INVARIANT(s.ok());  // The log has taken it.
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
