#include "db/intake/section_keeper.h"

#include <algorithm>
#include <set>
#include <utility>

#include "db/manifest/needed_logs.h"
#include "db/manifest/version_set.h"
#include "db/wal/prepared_sections.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "db/write/transaction_port.h"
#include "db/write/write_hooks.h"
#include "memtable/memtable.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

SectionKeeper::SectionKeeper(Mutex* mutex, VersionSet* versions,
                             SectionPolicy policy)
    : mutex_(mutex),
      versions_(versions),
      policy_(policy),
      sections_(std::make_unique<PreparedSections>(policy)) {
  INVARIANT(mutex_ != nullptr);
  INVARIANT(versions_ != nullptr);
}

SectionKeeper::~SectionKeeper() = default;

Status SectionKeeper::Adopt(SectionPolicy policy) {
  mutex_->AssertHeld();
  if (policy == this->policy()) return Status::OK();
  // A log is of one policy as soon as it has a section, ended or not.
  if (has_had_some_) {
    return Status::NotSupported(
        "the log holds prepared transactions of another write policy");
  }
  INVARIANT(sections_->sections().empty());
  *sections_ = PreparedSections(policy);
  policy_.store(policy, std::memory_order_relaxed);
  return Status::OK();
}

Status SectionKeeper::UpdatesOf(const WriteBatch& section,
                                WriteBatch* updates) {
  for (BatchReader reader(section.Data()); !reader.AtEnd();) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (entry.type != kTypeLogData && !IsDataEntry(entry.type)) continue;
    Status s = WriteBatchInternal::AddEntry(updates, entry);
    if (!s.ok()) return s;
  }
  return Status::OK();
}

bool SectionKeeper::Has(const std::string& name) {
  MutexLock lock(mutex_);
  return sections_->Find(name) != nullptr;
}

bool SectionKeeper::HasPrepared(const std::string& name) {
  MutexLock lock(mutex_);
  const PreparedSections::Section* const section = sections_->Find(name);
  return section != nullptr && section->is_prepared;
}

uint64_t SectionKeeper::LogOf(const std::string& name) {
  MutexLock lock(mutex_);
  const PreparedSections::Section* const section = sections_->Find(name);
  return section != nullptr ? section->log_number : 0;
}

bool SectionKeeper::IsEmpty() {
  MutexLock lock(mutex_);
  return sections_->sections().empty();
}

Status SectionKeeper::MakeRecords(std::vector<WriteBatch>* records) {
  MutexLock lock(mutex_);
  return sections_->MakeRecords(records);
}

void SectionKeeper::MoveAllTo(uint64_t log_number) {
  mutex_->AssertHeld();
  sections_->MoveAllTo(log_number);
  versions_->logs()->Hold(sections_->MinLog());
}

void SectionKeeper::Recover(const PreparedSections& found) {
  mutex_->AssertHeld();
  *sections_ = found;
  has_had_some_ = !found.sections().empty();
}

std::vector<RecoveredSection> SectionKeeper::TakeRecovered() {
  MutexLock lock(mutex_);
  std::vector<RecoveredSection> taken;
  if (!has_recovered_) return taken;
  has_recovered_ = false;
  for (const auto& [name, section] : sections_->sections()) {
    RecoveredSection& found = taken.emplace_back();
    found.name = name;
    found.updates = section.updates;
    found.log_number = section.log_number;
    found.is_prepared = section.is_prepared;
    found.sequence = section.sequence;
    found.end = section.end;
    for (const KeyInTables& key : section.in_tables) {
      found.in_tables.push_back({key.family_id, key.key, key.sequence});
    }
  }
  return taken;
}

void SectionKeeper::Keep(const SectionWrite& write, const WriteBatch& section,
                         uint64_t log_number) {
  INVARIANT(write.kind == SectionWrite::Kind::kPrepare);
  PreparedSections::Section kept;
  const Status s = UpdatesOf(section, &kept.updates);
  INVARIANT(s.ok());  // It was made of such updates.
  *write.log_number = log_number;
  kept.log_number = log_number;
  kept.is_prepared = write.is_prepared;
  kept.sequence = WriteBatchInternal::Sequence(section);
  kept.end = kept.sequence + write.sequences;
  const std::string name = write.name.ToString();
  MutexLock lock(mutex_);
  has_had_some_ = true;
  if (write.is_all) sections_->Erase(name);
  sections_->Add(name, std::move(kept));
  versions_->logs()->Hold(sections_->MinLog());
}

// What it has inserted is in no log but that of the section: the memtables hold
// it from now on. Updates that were logged anew are in a log that the device
// may not have yet: without the section's log a loss of power would take both.
void SectionKeeper::End(const SectionWrite& write) {
  INVARIANT(write.kind != SectionWrite::Kind::kPrepare);
  INVARIANT(!write.commits_anew || write.kind == SectionWrite::Kind::kRollBack);
  const std::string name = write.name.ToString();
  MutexLock lock(mutex_);
  const PreparedSections::Section* const section = sections_->Find(name);
  if (section == nullptr) return;  // Ended twice at the same time.
  if (write.kind == SectionWrite::Kind::kCommit || write.commits_anew) {
    std::set<uint32_t> families;
    for (BatchReader reader(section->updates.Data()); !reader.AtEnd();) {
      BatchEntry entry;
      const Status s = reader.Next(&entry);
      INVARIANT(s.ok());
      families.insert(entry.column_family_id);
    }
    for (const uint32_t id : families) {
      ColumnFamilyData* const cfd = versions_->families()->Find(id);
      if (cfd == nullptr) continue;
      MemTable* const mem = cfd->mem().get();
      if (mem->log_number() == 0) continue;
      mem->set_log_number(std::min(mem->log_number(), section->log_number));
    }
  }
  sections_->Erase(name);
  versions_->logs()->Hold(sections_->MinLog());
}

}  // namespace ROCKSDB_NAMESPACE
