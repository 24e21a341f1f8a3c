#include "db/ingest/whole_table.h"

#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "db/family/column_family.h"
#include "db/outputs/table_output.h"
#include "db/semantics/job_blobs.h"
#include "db/semantics/tombstone_survivors.h"
#include "db/semantics/value_separator.h"
#include "db/tables/input_iterator.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// One table on its way from blob files into itself.
class WholeTable {
 public:
  explicit WholeTable(const WholeTableRequest& request)
      : request_(request),
        job_(*request.job),
        bulk_(CompactionReadPolicy(*job_.db, *job_.mutable_db,
                                   job_.read_file_options)) {
    INVARIANT(request_.file != nullptr && request_.options != nullptr);
    INVARIANT(request_.storage != nullptr);
    read_.fill_cache = false;
    read_.total_order_seek = true;
    read_.rate_limiter_priority = Env::IO_LOW;
  }

  Status Write(FileRef* made) {
    INVARIANT(made != nullptr);
    std::unique_ptr<TableOutput> output;
    Status s = TableOutput::Open(OutputRequest(), &output);
    if (s.ok()) s = CopyEntries(output.get());
    if (s.ok()) s = CopyTombstones(output.get());
    if (s.ok()) s = output->Finish();
    if (!s.ok()) return s;
    INVARIANT(output->file()->oldest_blob_file == 0);
    *made = output->file();
    return s;
  }

 private:
  bool IsBottommost() const {
    const VersionStorage& storage = *request_.storage;
    for (int level = request_.level + 1; level < storage.level_count();
         ++level) {
      if (!storage.files(level).empty()) return false;
    }
    return true;
  }

  TableOutputRequest OutputRequest() const {
    const FileMeta& file = *request_.file;
    const bool is_bottommost = IsBottommost();
    TableOutputRequest output;
    output.job = &job_;
    output.options = request_.options;
    output.reason = TableFileCreationReason::kMisc;
    output.level = request_.level;
    output.is_bottommost = is_bottommost;
    output.compression = request_.options->CompressionForLevel(
        request_.level, request_.storage->base_level(), is_bottommost);
    output.compression_options =
        request_.options->CompressionOptionsForLevel(is_bottommost);
    output.epoch_number = file.epoch_number;
    output.oldest_ancestor_time = file.oldest_ancestor_time;
    output.file_creation_time = file.file_creation_time;
    output.temperature = file.temperature;
    output.lifetime =
        LifetimeOfTables(job_, request_.level, request_.storage->base_level());
    output.io_priority = Env::IO_LOW;
    output.io_class = IoClass::kMaintenance;
    return output;
  }

  TableCache::IteratorRequest Source() const {
    TableCache::IteratorRequest source;
    source.file = request_.file.get();
    source.level = request_.level;
    source.mutable_cf = request_.options;
    source.table.read_options = &read_;
    source.table.skip_filters = true;
    source.bulk = &bulk_;
    return source;
  }

  Status CopyEntries(TableOutput* output) const {
    JobBlobs::Context from;
    from.storage = request_.storage;
    from.source = job_.cfd->blobs();
    from.read_options = &read_;
    from.bulk = &bulk_;
    from.db = job_.db;
    from.readahead_bytes = request_.options->blob_compaction_readahead_size;
    const JobBlobs blobs(from);
    ValueSeparator::Request to;
    to.output.job = &job_;
    to.output.options = request_.options;
    to.relocates_below = UINT64_MAX;  // All come, and none goes.
    to.blobs = &blobs;
    ValueSeparator values(to);
    std::unique_ptr<InternalIterator> entries;
    Status s = job_.cfd->tables()->NewIterator(Source(), &entries);
    if (!s.ok()) return s;
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
      Slice key = entries->key();
      Slice value = entries->value();
      if (s = values.Apply(&key, &value); !s.ok()) return s;
      output->Add(key, value);
      if (s = output->status(); !s.ok()) return s;
    }
    INVARIANT(values.files().empty());
    return entries->status();
  }

  Status CopyTombstones(TableOutput* output) const {
    std::shared_ptr<const FragmentedTombstones> all;
    Status s = job_.cfd->tables()->TombstonesForBulk(Source(), &all);
    if (!s.ok()) return s;
    // A reader of the export sees only what is newest in it, so no snapshot
    // counts.
    const SnapshotStripes no_snapshots;
    std::vector<RangeTombstone> survivors;
    AppendSurvivors(*all, TombstoneRange(), no_snapshots, /*older=*/nullptr,
                    &survivors);
    for (const RangeTombstone& t : survivors) output->AddTombstone(t);
    return s;
  }

  const WholeTableRequest& request_;
  const JobContext& job_;
  const BulkReadPolicy bulk_;
  ReadOptions read_;
};

}  // namespace

Status WriteWholeTable(const WholeTableRequest& request, FileRef* made) {
  INVARIANT(request.job != nullptr && request.job->cfd != nullptr);
  // The application's collectors and comparators may throw.
  try {
    return WholeTable(request).Write(made);
  } catch (const std::bad_alloc&) {
    return Status::MemoryLimit("export");
  } catch (const std::exception& e) {
    return Status::Aborted("export threw", e.what());
  } catch (...) {
    return Status::Aborted("export threw");
  }
}

}  // namespace ROCKSDB_NAMESPACE
