#include "db/tables/row_cache.h"

#include <cassert>
#include <utility>

#include "cache/typed_cache.h"
#include "monitoring/statistics_impl.h"
#include "table/lookup_record.h"
#include "table/point_lookup.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Rows = TypedCache<LookupRecord>;

void ReleaseRow(void* cache, void* handle) {
  static_cast<Cache*>(cache)->Release(static_cast<Cache::Handle*>(handle));
}

}  // namespace

FileRowCache::FileRowCache(std::shared_ptr<Cache> cache, Statistics* statistics)
    : cache_(std::move(cache)), statistics_(statistics), id_(cache_->NewId()) {}

std::string FileRowCache::KeyOf(uint64_t file_number,
                                const Slice& user_key) const {
  std::string key;
  PutVarint64(&key, id_);
  PutVarint64(&key, file_number);
  key.append(user_key.data(), user_key.size());
  return key;
}

bool FileRowCache::Feed(uint64_t file_number, const Slice& user_key,
                        PointLookup* lookup) const {
  assert(!lookup->IsDecided());
  CacheHandle<LookupRecord> found =
      Rows(cache_.get()).Lookup(KeyOf(file_number, user_key));
  if (!found) {
    RecordTick(statistics_, ROW_CACHE_MISS);
    return false;
  }
  RecordTick(statistics_, ROW_CACHE_HIT);
  const LookupRecord& record = *found;
  assert(!record.empty());
  // The lookup may take the pin over, and with it the record.
  Cleanable pin;
  pin.RegisterCleanup(&ReleaseRow, cache_.get(), found.TakeHandle());
  record.FeedTo(user_key, lookup, &pin);
  return true;
}

void FileRowCache::Keep(uint64_t file_number, const PointLookup& lookup,
                        LookupRecord record) const {
  if (record.empty() || !record.is_exact() ||
      lookup.state() == PointLookup::State::kCorrupt) {
    return;
  }
  if (lookup.IsDecided() && !record.EndsInBase()) return;
  auto row = std::make_unique<LookupRecord>(std::move(record));
  const size_t charge = row->memory_bytes();
  IgnoreError(Rows(cache_.get())
                  .Insert(KeyOf(file_number, lookup.user_key()), &row, charge),
              "without room the row is read again");
}

namespace {

// Notes what the file feeds to the keys that the cache did not have.
class RecordingBatch final : public TableBatch {
 public:
  RecordingBatch(const FileRowCache& rows, uint64_t file_number,
                 TableLookup* lookups, size_t count)
      : rows_(rows),
        file_number_(file_number),
        lookups_(lookups),
        records_(count) {
    for (size_t i = 0; i < count; ++i) {
      if (!lookups[i].is_fed) lookups[i].lookup->RecordTo(&records_[i]);
    }
  }
  ~RecordingBatch() override { StopRecording(); }
  RecordingBatch(const RecordingBatch&) = delete;
  RecordingBatch& operator=(const RecordingBatch&) = delete;

  void SetFile(std::unique_ptr<TableBatch> file) { file_ = std::move(file); }

  void Start() override {
    INVARIANT(file_ != nullptr);
    file_->Start();
  }
  bool ReadsFile() const override {
    INVARIANT(file_ != nullptr);
    return file_->ReadsFile();
  }
  void Finish() override {
    INVARIANT(file_ != nullptr);
    file_->Finish();
    StopRecording();
    for (size_t i = 0; i < records_.size(); ++i) {
      const TableLookup& one = lookups_[i];
      if (one.is_fed || !one.status.ok()) continue;
      rows_.Keep(file_number_, *one.lookup, std::move(records_[i]));
    }
    records_.clear();
  }

 private:
  void StopRecording() {
    assert(records_.empty() || lookups_ != nullptr);
    for (size_t i = 0; i < records_.size(); ++i) {
      lookups_[i].lookup->RecordTo(nullptr);
    }
  }

  const FileRowCache& rows_;
  const uint64_t file_number_;
  TableLookup* const lookups_;
  std::vector<LookupRecord> records_;
  std::unique_ptr<TableBatch> file_;
};

}  // namespace

std::unique_ptr<TableBatch> FileRowCache::NewBatch(
    const BatchRequest& request) const {
  INVARIANT(request.reader != nullptr);
  INVARIANT(request.lookups != nullptr || request.count == 0);
  const uint64_t number = request.file_number;
  for (size_t i = 0; i < request.count; ++i) {
    TableLookup& one = request.lookups[i];
    one.is_fed = Feed(number, one.lookup->user_key(), one.lookup);
  }
  const TableBatchOptions& options = request.table;
  if (!options.read_options->fill_cache) {
    return request.reader->NewBatch(options, request.lookups, request.count);
  }
  auto recording = std::make_unique<RecordingBatch>(
      *this, number, request.lookups, request.count);
  recording->SetFile(
      request.reader->NewBatch(options, request.lookups, request.count));
  return recording;
}

}  // namespace ROCKSDB_NAMESPACE
