// Write-ahead logs: their files, the updates in them, and filters of replay.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/transaction_log.h"

struct rocksdb_wal_file_t {
  std::unique_ptr<ROCKSDB_NAMESPACE::WalFile> rep;
  std::string path_name;
};

struct rocksdb_wal_files_t {
  std::vector<rocksdb_wal_file_t> files;
};

struct rocksdb_wal_iterator_t {
  std::unique_ptr<ROCKSDB_NAMESPACE::TransactionLogIterator> rep;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

class CallbackWalFilter : public WalFilter {
 public:
  using MapFn = rocksdb_walfilter_column_family_log_number_map_cb;
  using RecordFn = rocksdb_walfilter_log_record_found_cb;

  CallbackWalFilter(void* state, void (*destructor)(void*), MapFn map,
                    RecordFn record, const char* (*name)(void*))
      : state_(state),
        destructor_(destructor),
        map_(map),
        record_(record),
        name_(name) {}
  CallbackWalFilter(const CallbackWalFilter&) = delete;
  CallbackWalFilter& operator=(const CallbackWalFilter&) = delete;
  ~CallbackWalFilter() override {
    if (destructor_ != nullptr) destructor_(state_);
  }

  const char* Name() const override { return name_(state_); }

  void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& log_numbers,
      const std::map<std::string, uint32_t>& ids_of_names) override {
    if (map_ == nullptr) return;
    std::vector<uint32_t> ids;
    std::vector<uint64_t> logs;
    for (const auto& [id, log] : log_numbers) {
      ids.push_back(id);
      logs.push_back(log);
    }
    std::vector<const char*> names;
    std::vector<size_t> name_sizes;
    std::vector<uint32_t> name_ids;
    for (const auto& [name, id] : ids_of_names) {
      names.push_back(name.data());
      name_sizes.push_back(name.size());
      name_ids.push_back(id);
    }
    map_(state_, ids.data(), logs.data(), ids.size(), names.data(),
         name_sizes.data(), name_ids.data(), names.size());
  }

  WalProcessingOption LogRecordFound(unsigned long long log_number,
                                     const std::string& log_file_name,
                                     const WriteBatch& batch,
                                     WriteBatch* new_batch,
                                     bool* batch_changed) override {
    if (record_ == nullptr) return WalProcessingOption::kContinueProcessing;
    const rocksdb_writebatch_t given{batch, {}};
    rocksdb_writebatch_t changed;
    unsigned char is_changed = 0;
    const int answer =
        record_(state_, log_number, log_file_name.data(), log_file_name.size(),
                &given, &changed, &is_changed);
    *batch_changed = is_changed != 0;
    if (*batch_changed) *new_batch = changed.rep;
    return static_cast<WalProcessingOption>(answer);
  }

 private:
  void* const state_;
  void (*const destructor_)(void*);
  const MapFn map_;
  const RecordFn record_;
  const char* (*const name_)(void*);
};

rocksdb_wal_file_t FileOf(std::unique_ptr<WalFile> file) {
  rocksdb_wal_file_t result;
  result.path_name = file->PathName();
  result.rep = std::move(file);
  return result;
}

}  // namespace

extern "C" {

// The log files, oldest first.
rocksdb_wal_files_t* rocksdb_get_sorted_wal_files(rocksdb_t* db,
                                                  char** errptr) {
  if (IsNull(db, "db", errptr)) return nullptr;
  VectorWalPtr files;
  if (Fails(db->rep->GetSortedWalFiles(files), errptr)) return nullptr;
  auto* result = Own<rocksdb_wal_files_t>();
  for (auto& file : files) result->files.push_back(FileOf(std::move(file)));
  return result;
}

void rocksdb_wal_files_destroy(rocksdb_wal_files_t* files) { End(files); }

size_t rocksdb_wal_files_count(const rocksdb_wal_files_t* files) {
  return files->files.size();
}

// A part of the list; NULL if there is no such file.
const rocksdb_wal_file_t* rocksdb_wal_files_get_wal_file(
    const rocksdb_wal_files_t* files, size_t index) {
  return index < files->files.size() ? &files->files[index] : nullptr;
}

// The log that is written to now, for rocksdb_wal_file_destroy().
rocksdb_wal_file_t* rocksdb_get_current_wal_file(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return nullptr;
  std::unique_ptr<WalFile> file;
  if (Fails(db->rep->GetCurrentWalFile(&file), errptr)) return nullptr;
  return Own<rocksdb_wal_file_t>(FileOf(std::move(file)));
}

void rocksdb_wal_file_destroy(rocksdb_wal_file_t* file) { End(file); }

// Relative to the directory of the logs.
const char* rocksdb_wal_file_path_name(const rocksdb_wal_file_t* file) {
  return file->path_name.c_str();
}

uint64_t rocksdb_wal_file_log_number(const rocksdb_wal_file_t* file) {
  return file->rep->LogNumber();
}

// rocksdb_wal_file_type_archived_log or rocksdb_wal_file_type_alive_log.
int rocksdb_wal_file_type(const rocksdb_wal_file_t* file) {
  return static_cast<int>(file->rep->Type());
}

uint64_t rocksdb_wal_file_start_sequence(const rocksdb_wal_file_t* file) {
  return file->rep->StartSequence();
}

uint64_t rocksdb_wal_file_size_file_bytes(const rocksdb_wal_file_t* file) {
  return file->rep->SizeFileBytes();
}

// The batches from the one that holds `sequence` on; `options` may be NULL.
rocksdb_wal_iterator_t* rocksdb_get_updates_since(
    rocksdb_t* db, uint64_t sequence, const rocksdb_wal_readoptions_t* options,
    char** errptr) {
  if (IsNull(db, "db", errptr)) return nullptr;
  TransactionLogIterator::ReadOptions read_options;
  if (options != nullptr) read_options = options->rep;
  auto result = std::make_unique<rocksdb_wal_iterator_t>();
  const Status s =
      db->rep->GetUpdatesSince(sequence, &result->rep, read_options);
  return Fails(s, errptr) ? nullptr : result.release();
}

void rocksdb_wal_iter_destroy(const rocksdb_wal_iterator_t* iterator) {
  End(iterator);
}

unsigned char rocksdb_wal_iter_valid(const rocksdb_wal_iterator_t* iterator) {
  return iterator->rep->Valid() ? 1 : 0;
}

void rocksdb_wal_iter_next(rocksdb_wal_iterator_t* iterator) {
  iterator->rep->Next();
}

void rocksdb_wal_iter_status(const rocksdb_wal_iterator_t* iterator,
                             char** errptr) {
  if (IsNull(iterator, "iterator", errptr)) return;
  (void)Fails(iterator->rep->status(), errptr);
}

// The batch, which the caller owns, and its first sequence number.
rocksdb_writebatch_t* rocksdb_wal_iter_get_batch(
    const rocksdb_wal_iterator_t* iterator, uint64_t* sequence) {
  BatchResult result = iterator->rep->GetBatch();
  if (sequence != nullptr) *sequence = result.sequence;
  if (result.writeBatchPtr == nullptr) return nullptr;
  auto* batch = Own<rocksdb_writebatch_t>();
  batch->rep = std::move(*result.writeBatchPtr);
  return batch;
}

// Asked about each record while logs are replayed, in one thread. `record`
// answers rocksdb_wal_filter_*; it may fill the second batch and set the flag
// behind it to replace the record. The filter must outlive the options.
rocksdb_walfilter_t* rocksdb_walfilter_create(
    void* state, void (*destructor)(void*),
    rocksdb_walfilter_column_family_log_number_map_cb log_number_map,
    rocksdb_walfilter_log_record_found_cb record, const char* (*name)(void*)) {
  auto* result = Own<rocksdb_walfilter_t>();
  result->rep = std::make_unique<CallbackWalFilter>(
      state, destructor, log_number_map, record, name);
  return result;
}

void rocksdb_walfilter_destroy(rocksdb_walfilter_t* filter) { End(filter); }

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
