#include "db/family/column_family.h"

#include <algorithm>

#include "db/blob/blob_source.h"
#include "db/tables/cache_charges.h"
#include "memtable/entry_store.h"
#include "memtable/memtable.h"
#include "monitoring/thread_tracking.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

TableCache::Context TablesFor(const ColumnFamilyData::Context& context,
                              const ImmutableCFOptions& ioptions) {
  TableCache::Context tables = context.tables;
  tables.db = context.db;
  tables.cf = &ioptions;
  if (!context.links_directory.empty()) {
    tables.paths = {context.links_directory};
  } else if (!ioptions.cf_paths.empty()) {
    tables.paths.clear();
    for (const DbPath& path : ioptions.cf_paths) {
      tables.paths.push_back(path.path);
    }
  }
  return tables;
}

// Blob files lie in the first of the family's paths.
BlobSource::Context BlobsFor(const ColumnFamilyData::Context& context,
                             uint32_t id, const ImmutableCFOptions& ioptions,
                             const MutableCFOptions& options,
                             const TableCache& tables) {
  BlobSource::Context blobs;
  blobs.db = context.db;
  blobs.column_family = id;
  blobs.directory = tables.paths().front();
  blobs.file_options = context.db->fs->OptimizeForBlobFileRead(
      context.tables.file_options, *context.db);
  blobs.readers = context.tables.cache;
  blobs.pins_readers = context.tables.pins_readers;
  blobs.db_session_id = context.tables.db_session_id;
  blobs.governor = context.tables.governor;
  blobs.blob_cache = ioptions.blob_cache;
  blobs.cache_charge = BlobCacheCharge(options, ioptions.blob_cache.get());
  blobs.left_out_timestamp_bytes = ioptions.left_out_timestamp_bytes();
  return blobs;
}

std::unique_ptr<TrackedNames> TrackedNamesFor(
    const ColumnFamilyData::Context& context, const std::string& name) {
  if (!context.db->enable_thread_tracking || context.db_name.empty()) {
    return nullptr;
  }
  return std::make_unique<TrackedNames>(context.db_name, name);
}

}  // namespace

ColumnFamilyData::ColumnFamilyData(uint32_t id, std::string name,
                                   const ColumnFamilyOptions& sanitized,
                                   const Context& context)
    : id_(id),
      name_(std::move(name)),
      context_(context),
      tracked_names_(TrackedNamesFor(context, name_)),
      ioptions_(sanitized),
      options_(std::make_shared<const MutableCFOptions>(sanitized)),
      tables_(TablesFor(context, ioptions_)),
      blobs_(std::make_unique<BlobSource>(
          BlobsFor(context, id, ioptions_, *options_, tables_))),
      file_charge_(FileMetadataCharge(*options_)),
      uncache_aggressiveness_(std::make_shared<std::atomic<uint32_t>>(
          sanitized.uncache_aggressiveness)),
      tracked_work_(tracked_names_ != nullptr ? tracked_names_->work()
                                              : TrackedWork::kNone),
      states_(context.db->stats, context.mutex) {
  INVARIANT(context_.db != nullptr);
  INVARIANT(context_.mutex != nullptr);
  INVARIANT(ioptions_.num_levels >= 1);
  if (ioptions_.cf_allow_ingest_behind) {
    next_epoch_ = kReservedEpoch + 1;  // That one is for what comes behind.
  }
}

ColumnFamilyData::~ColumnFamilyData() = default;

void ColumnFamilyData::SetOptions(
    std::shared_ptr<const MutableCFOptions> options) {
  INVARIANT(options != nullptr);
  options_ = std::move(options);
  uncache_aggressiveness_->store(options_->uncache_aggressiveness,
                                 std::memory_order_relaxed);
  if (mem_ != nullptr) mem_->SetWriteBufferSize(options_->write_buffer_size);
}

MemTableRef ColumnFamilyData::NewMemTable(SequenceNumber earliest) {
  return MakeMemTable(earliest, next_memtable_id_++);
}

MemTableRef ColumnFamilyData::NewPurgedMemTable(const MemTableVector& sealed) {
  INVARIANT(!sealed.empty());
  MemTableRef mem = MakeMemTable(sealed.front()->options().earliest_sequence,
                                 sealed.back()->id());
  uint64_t log_number = UINT64_MAX;
  for (const MemTableRef& one : sealed) {
    if (one->log_number() != 0) {
      log_number = std::min(log_number, one->log_number());
    }
    if (one->has_unlogged()) mem->MarkUnlogged();
  }
  mem->set_log_number(log_number != UINT64_MAX ? log_number : 0);
  mem->set_next_log_number(sealed.back()->next_log_number());
  mem->InheritTime(*sealed.front());
  return mem;
}

MemTableRef ColumnFamilyData::MakeMemTable(SequenceNumber earliest,
                                           uint64_t id) {
  MemTableOptions options;
  options.order = ioptions_.internal_comparator;
  options.write_buffer_size = options_->write_buffer_size;
  options.arena_block_size = options_->arena_block_size;
  options.huge_page_size = options_->memtable_huge_page_size;
  options.max_range_deletions = options_->memtable_max_range_deletions;
  options.write_buffer_manager = context_.write_buffer_manager;
  options.id = id;
  options.earliest_sequence = earliest;
  options.rep_factory = ioptions_.memtable_factory.get();
  options.family_id = id_;
  options.logger = context_.db->logger;
  options.prefix_extractor = options_->prefix_extractor;
  options.hint_extractor = ioptions_.memtable_insert_with_hint_prefix_extractor;
  options.filter.bytes =
      static_cast<size_t>(static_cast<double>(options_->write_buffer_size) *
                          options_->memtable_prefix_bloom_size_ratio);
  options.filter.has_whole_keys = options_->memtable_whole_key_filtering;
  options.filter.keeps_to_line = ioptions_.bloom_locality > 0;
  options.max_successive_merges = options_->max_successive_merges;
  options.checks = {
      .checksum_bytes = options_->memtable_protection_bytes_per_key,
      .order = options_->paranoid_memory_checks,
      .searches = options_->memtable_verify_per_key_checksum_on_seek,
      .key_text = KeyTextOf(context_.db->allow_data_in_errors)};
  if (ioptions_.inplace_update_support) {
    options.in_place_locks =
        std::max<size_t>(options_->inplace_update_num_locks, 1);
    options.in_place_callback = ioptions_.inplace_callback;
  }
  options.clock = context_.db->clock;
  options.keeps_newest_timestamp = ioptions_.left_out_timestamp_bytes() != 0;
  options.keeps_write_times = options_->preclude_last_level_data_seconds > 0 ||
                              options_->preserve_internal_time_seconds > 0;
  if (ioptions_.disallow_memtable_writes) {
    options.takes_entries = false;
    options.filter = {};
  }
  if (LacksPrefixes(options.rep_factory, options.prefix_extractor.get())) {
    ROCKSDB_NAMESPACE::Warn(
        context_.db->logger,
        "[%s] %s needs a prefix_extractor: the memtable is an ordered tree",
        name_.c_str(), options.rep_factory->Name());
  }
  std::erase_if(memtables_, [](const auto& m) { return m.expired(); });
  auto memtable = std::make_shared<MemTable>(options);
  memtables_.push_back(memtable);
  return memtable;
}

size_t ColumnFamilyData::AllMemTableBytes() {
  context_.mutex->AssertHeld();
  size_t bytes = 0;
  for (const auto& weak : memtables_) {
    if (const MemTableRef memtable = weak.lock()) {
      bytes += memtable->ApproximateMemoryUsage();
    }
  }
  return bytes;
}

MemTableRef ColumnFamilyData::SwitchMemTable(MemTableRef mem) {
  INVARIANT(mem != nullptr);
  std::swap(mem_, mem);
  return mem;
}

uint64_t ColumnFamilyData::OldestLogBeside(uint64_t newest_id) const {
  uint64_t oldest = mem_->log_number() != 0 ? mem_->log_number() : UINT64_MAX;
  for (const MemTableRef& sealed : *imm_.current()) {
    if (sealed->id() <= newest_id || sealed->log_number() == 0) continue;
    oldest = std::min(oldest, sealed->log_number());
  }
  return oldest;
}

uint64_t ColumnFamilyData::MinLogNumberNeeded() const {
  uint64_t number = UINT64_MAX;
  if (const uint64_t waiting = imm_.MinLogNumber(); waiting != 0) {
    number = waiting;
  }
  if (mem_ != nullptr && mem_->log_number() != 0) {
    number = std::min(number, mem_->log_number());
  }
  return number == UINT64_MAX ? log_number() : number;
}

void ColumnFamilyData::InstallSuperVersion(
    WriteStallCondition stall, std::vector<SuperVersion*>* garbage) {
  context_.mutex->AssertHeld();
  auto next = std::make_unique<SuperVersion>();
  INVARIANT(mem_ != nullptr && current_ != nullptr);
  next->cfd = this;
  next->owner = shared_from_this();
  next->mem = mem_;
  next->imm = imm_.current();
  next->history = imm_.history();
  next->current = current_;
  next->options = options_;
  next->full_history_ts_low = ts_low_;
  next->stall = stall;
  states_.Publish(std::move(next), garbage);
}

ColumnFamilyOptions ColumnFamilyData::CopyOptions() const {
  MutexLock lock(context_.mutex);
  INVARIANT(options_ != nullptr);
  return BuildColumnFamilyOptions(ioptions_, *options_);
}

void ColumnFamilySet::Add(ColumnFamilyRef cfd) {
  INVARIANT(cfd != nullptr);
  INVARIANT(Find(cfd->id()) == nullptr);
  by_name_[cfd->name()] = cfd.get();
  by_id_[cfd->id()] = cfd.get();
  NoteMaxId(cfd->id());
  if (cfd->ioptions().inplace_update_support) ++in_place_count_;
  families_.push_back(std::move(cfd));
}

void ColumnFamilySet::Remove(uint32_t id) {
  const auto found = by_id_.find(id);
  INVARIANT(found != by_id_.end());
  if (found->second->ioptions().inplace_update_support) --in_place_count_;
  by_name_.erase(found->second->name());
  by_id_.erase(found);
  std::erase_if(families_,
                [id](const ColumnFamilyRef& cfd) { return cfd->id() == id; });
}

ColumnFamilyData* ColumnFamilySet::Find(uint32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

ColumnFamilyData* ColumnFamilySet::Find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

}  // namespace ROCKSDB_NAMESPACE
