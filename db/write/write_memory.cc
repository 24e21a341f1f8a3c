#include "db/write/write_memory.h"

#include <algorithm>

#include "db/registry/family_registry.h"
#include "db/tables/fresh_stage.h"
#include "db/write/family_publisher.h"
#include "memtable/memtable.h"
#include "options/db_options.h"
#include "util/invariant.h"
#include "util/memory_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::shared_ptr<WriteBufferManager> ManagerOf(const ImmutableDBOptions& db) {
  if (db.write_buffer_manager != nullptr) return db.write_buffer_manager;
  return std::make_shared<WriteBufferManager>(db.db_write_buffer_size);
}

std::unique_ptr<FreshStage> NewFreshStage(
    const ImmutableDBOptions& db, std::shared_ptr<WriteBufferManager> manager) {
  // Fresh images get at most one part in so many of the memory that the process
  // may use.
  constexpr uint64_t kFreshPart = 16;
  const uint64_t bytes = std::min<uint64_t>(
      db.fresh_level0_bytes, MemoryLimitOfProcess() / kFreshPart);
  if (bytes == 0) return nullptr;
  return std::make_unique<FreshStage>(bytes, std::move(manager));
}

}  // namespace

WriteMemory::WriteMemory(const Context& context)
    : context_(context),
      manager_(ManagerOf(*context.db)),
      fresh_(NewFreshStage(*context.db, manager_)) {
  INVARIANT(context_.families != nullptr);
  INVARIANT(context_.publisher != nullptr);
}

WriteMemory::~WriteMemory() = default;

void WriteMemory::DropSpare() {
  DropHistories();
  if (fresh_ != nullptr) fresh_->DropAll();
}

bool WriteMemory::DropHistories() {
  bool has_dropped = false;
  for (ColumnFamilyData* cfd : context_.families->All()) {
    if (cfd->imm()->history()->empty()) continue;
    cfd->imm()->DropHistory();
    context_.publisher->Publish(cfd);
    has_dropped = true;
  }
  return has_dropped;
}

bool WriteMemory::MustFlush() {
  if (!manager_->ShouldFlush()) return false;
  if (DropHistories()) return false;
  if (fresh_ == nullptr || fresh_->bytes() == 0) return true;
  fresh_->DropAll();
  return manager_->ShouldFlush();
}

ColumnFamilyData* WriteMemory::LargestActive() const {
  ColumnFamilyData* largest = nullptr;
  for (const auto& entry : *context_.families) {
    ColumnFamilyData* cfd = entry.second->cfd.get();
    if (cfd->mem()->empty()) continue;
    if (largest == nullptr || cfd->mem()->ApproximateMemoryUsage() >
                                  largest->mem()->ApproximateMemoryUsage()) {
      largest = cfd;
    }
  }
  return largest;
}

void WriteMemory::PrepareToWait() {
  stall_.Prepare();
  // References that only wait to be freed may be all that is too much.
  context_.publisher->FreeAndTell();
  manager_->BeginWriteStall(&stall_);
}

}  // namespace ROCKSDB_NAMESPACE
