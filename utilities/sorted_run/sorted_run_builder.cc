#include "rocksdb/utilities/sorted_run_builder.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "rocksdb/db.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/metadata.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kLoadedFilesBeforeAStop = 1 << 30;

// A database that takes whatever comes, unsorted, until it is told to sort.
Options LoadOptions(const SortedRunBuilderOptions& wanted) {
  Options options;
  options.create_if_missing = true;
  options.error_if_exists = true;
  if (wanted.comparator != nullptr) options.comparator = wanted.comparator;
  if (wanted.table_factory != nullptr) {
    options.table_factory = wanted.table_factory;
  }
  options.compression = wanted.compression;
  options.target_file_size_base = wanted.target_file_size_bytes;
  options.write_buffer_size = wanted.write_buffer_size;
  options.max_write_buffer_number = wanted.max_write_buffer_number;
  options.max_background_jobs = wanted.max_compaction_threads;
  options.max_subcompactions =
      static_cast<uint32_t>(std::max(wanted.max_compaction_threads, 1));
  options.memtable_factory = std::make_shared<VectorRepFactory>();
  options.allow_concurrent_memtable_write = false;
  options.disable_auto_compactions = true;
  options.level0_file_num_compaction_trigger = kLoadedFilesBeforeAStop;
  options.level0_slowdown_writes_trigger = kLoadedFilesBeforeAStop;
  options.level0_stop_writes_trigger = kLoadedFilesBeforeAStop;
  options.soft_pending_compaction_bytes_limit = 0;
  options.hard_pending_compaction_bytes_limit = 0;
  return options;
}

class LoadedDB final : public SortedRunBuilder {
 public:
  LoadedDB(const SortedRunBuilderOptions& wanted, const Options& options,
           std::unique_ptr<DB> db)
      : wanted_(wanted), options_(options), db_(std::move(db)) {}
  ~LoadedDB() override {
    IgnoreError(Cleanup(), "the caller did not want to know");
  }

  Status Add(const Slice& key, const Slice& value) override {
    if (Status s = CheckIsLoading(); !s.ok()) return s;
    Status s = db_->Put(Unlogged(), key, value);
    if (s.ok()) CountAdded(1, key.size() + value.size());
    return s;
  }

  Status AddBatch(WriteBatch* batch) override {
    if (batch == nullptr) return Status::InvalidArgument("no batch");
    if (Status s = CheckIsLoading(); !s.ok()) return s;
    Status s = db_->Write(Unlogged(), batch);
    if (s.ok()) CountAdded(batch->Count(), batch->GetDataSize());
    return s;
  }

  Status Finish() override {
    if (Status s = CheckIsLoading(); !s.ok()) return s;
    is_loading_ = false;
    Status s = db_->Flush(FlushOptions());
    if (!s.ok()) return s;
    CompactRangeOptions all;
    all.max_subcompactions = options_.max_subcompactions;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    s = db_->CompactRange(all, nullptr, nullptr);
    if (s.ok()) NoteOutput();
    return s;
  }

  const std::vector<std::string>& GetOutputFiles() const override {
    return files_;
  }
  uint64_t GetNumEntries() const override { return entry_count_.load(); }
  uint64_t GetDataSize() const override { return data_bytes_.load(); }

  Iterator* NewIterator(const ReadOptions& options) override {
    if (!is_sorted_) {
      return NewErrorIterator(Status::InvalidArgument("nothing is sorted"));
    }
    return db_->NewIterator(options);
  }

  Status Cleanup() override {
    if (db_ == nullptr) return Status::OK();
    is_loading_ = false;
    is_sorted_ = false;
    files_.clear();
    Status s = db_->Close();
    db_.reset();
    if (wanted_.keep_temp_db) return s;
    Status destroyed = DestroyDB(wanted_.temp_dir, options_);
    return s.ok() ? destroyed : s;
  }

 private:
  static WriteOptions Unlogged() {
    WriteOptions options;
    options.disableWAL = true;
    return options;
  }
  Status CheckIsLoading() const {
    return is_loading_ ? Status::OK()
                       : Status::InvalidArgument("Finish() has been called");
  }
  void CountAdded(uint64_t count, uint64_t bytes) {
    entry_count_ += count;
    data_bytes_ += bytes;
  }

  // From now on what counts is in the files, of one level.
  void NoteOutput() {
    std::vector<LiveFileMetaData> tables;
    db_->GetLiveFilesMetaData(&tables);
    const Comparator* const order = options_.comparator;
    std::sort(tables.begin(), tables.end(),
              [order](const auto& a, const auto& b) {
                return order->Compare(a.smallestkey, b.smallestkey) < 0;
              });
    uint64_t entries = 0, bytes = 0;
    for (const LiveFileMetaData& table : tables) {
      INVARIANT(table.level == tables.front().level);
      files_.push_back(table.db_path + table.name);
      entries += table.num_entries;
      bytes += table.size;
    }
    entry_count_ = entries;
    data_bytes_ = bytes;
    is_sorted_ = true;
  }

  const SortedRunBuilderOptions wanted_;
  const Options options_;
  std::unique_ptr<DB> db_;  // null: cleaned up
  bool is_loading_ = true;
  bool is_sorted_ = false;
  std::vector<std::string> files_;
  std::atomic<uint64_t> entry_count_{0};
  std::atomic<uint64_t> data_bytes_{0};
};

}  // namespace

Status SortedRunBuilder::Create(const SortedRunBuilderOptions& options,
                                std::unique_ptr<SortedRunBuilder>* result) {
  if (options.temp_dir.empty()) {
    return Status::InvalidArgument("SortedRunBuilderOptions::temp_dir",
                                   "is empty");
  }
  if (options.max_compaction_threads < 1) {
    return Status::InvalidArgument(
        "SortedRunBuilderOptions::max_compaction_threads",
        std::to_string(options.max_compaction_threads));
  }
  const Options db_options = LoadOptions(options);
  std::unique_ptr<DB> db;
  Status s = DB::Open(db_options, options.temp_dir, &db);
  if (!s.ok()) return s;
  *result = std::make_unique<LoadedDB>(options, db_options, std::move(db));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
