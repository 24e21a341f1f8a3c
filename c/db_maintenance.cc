// Flushes, compactions and what else keeps a database in shape.

#include <string>
#include <unordered_map>
#include <vector>

#include "c/handles.h"
#include "rocksdb/convenience.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// A range of keys whose ends may be open.
class OpenRange {
 public:
  OpenRange(const char* start, size_t start_size, const char* limit,
            size_t limit_size)
      : start_bytes_(BytesOf(start, start_size)),
        limit_bytes_(BytesOf(limit, limit_size)),
        start_(start == nullptr ? nullptr : &start_bytes_),
        limit_(limit == nullptr ? nullptr : &limit_bytes_) {}
  OpenRange(const OpenRange&) = delete;
  OpenRange& operator=(const OpenRange&) = delete;

  const Slice* start() const { return start_; }
  const Slice* limit() const { return limit_; }

 private:
  Slice start_bytes_;
  Slice limit_bytes_;
  const Slice* start_;
  const Slice* limit_;
};

void Compact(DB* db, const CompactRangeOptions& options,
             ColumnFamilyHandle* family, const OpenRange& range) {
  IgnoreError(db->CompactRange(options, family, range.start(), range.limit()),
              "compacting through C has no error channel");
}

// Files to compact, and where the names of the new ones go.
struct FileCompaction {
  const char* const* inputs;
  size_t input_count;
  int output_level;
  int output_path_id;
  char*** output_names;
  size_t* output_count;
  rocksdb_compactionjobinfo_t* info;
};

void CompactTheFiles(DB* db, ColumnFamilyHandle* family,
                     const rocksdb_compaction_options_t* options,
                     const FileCompaction& job, char** errptr) {
  std::vector<std::string> inputs;
  for (size_t i = 0; i < job.input_count; ++i) {
    inputs.push_back(TextOf(job.inputs[i]));
  }
  std::vector<std::string> outputs;
  const bool wants_names =
      job.output_names != nullptr && job.output_count != nullptr;
  const Status s =
      db->CompactFiles(options->rep, family, inputs, job.output_level,
                       job.output_path_id, wants_names ? &outputs : nullptr,
                       job.info == nullptr ? nullptr : &Rep(job.info));
  if (Fails(s, errptr) || !wants_names) return;
  *job.output_names =
      static_cast<char**>(calloc(outputs.size() + 1, sizeof(char*)));
  if (*job.output_names == nullptr) abort();
  for (size_t i = 0; i < outputs.size(); ++i) {
    (*job.output_names)[i] = CopyText(outputs[i]);
  }
  *job.output_count = outputs.size();
}

void ClearNames(char*** names, size_t* count) {
  if (names != nullptr) *names = nullptr;
  if (count != nullptr) *count = 0;
}

std::unordered_map<std::string, std::string> MapOf(int count,
                                                   const char* const names[],
                                                   const char* const values[]) {
  std::unordered_map<std::string, std::string> map;
  for (int i = 0; i < count; ++i) map[TextOf(names[i])] = TextOf(values[i]);
  return map;
}

Status FlushAll(DB* db, const FlushOptions& options, int count,
                rocksdb_column_family_handle_t** column_families) {
  std::vector<ColumnFamilyHandle*> families;
  for (int i = 0; i < count; ++i) {
    if (column_families[i] == nullptr) {
      return Status::InvalidArgument("a required handle is NULL",
                                     "column_families[i]");
    }
    families.push_back(column_families[i]->rep);
  }
  return db->Flush(options, families);
}

Status Ingest(DB* db, ColumnFamilyHandle* family, const char* const* names,
              size_t count, const IngestExternalFileOptions& options) {
  std::vector<std::string> files;
  for (size_t i = 0; i < count; ++i) {
    if (names[i] == nullptr) {
      return Status::InvalidArgument("the name of a file is NULL");
    }
    files.emplace_back(names[i]);
  }
  return db->IngestExternalFile(family, files, options);
}

void Suggest(DB* db, ColumnFamilyHandle* family, const OpenRange& range,
             char** errptr) {
  (void)Fails(db->SuggestCompactRange(family, range.start(), range.limit()),
              errptr);
}

}  // namespace

extern "C" {

// Writes the default family's memtable to table files.
void rocksdb_flush(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                   char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  (void)Fails(db->rep->Flush(options->rep), errptr);
}

void rocksdb_flush_cf(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                      rocksdb_column_family_handle_t* column_family,
                      char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  (void)Fails(db->rep->Flush(options->rep, column_family->rep), errptr);
}

void rocksdb_flush_cfs(rocksdb_t* db, const rocksdb_flushoptions_t* options,
                       rocksdb_column_family_handle_t** column_families,
                       int num_column_families, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_families, "column_families", errptr)) {
    return;
  }
  (void)Fails(
      FlushAll(db->rep, options->rep, num_column_families, column_families),
      errptr);
}

// Hands the log's buffered bytes to the system; with `sync`, to the device.
void rocksdb_flush_wal(rocksdb_t* db, unsigned char sync, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->FlushWAL(sync != 0), errptr);
}

void rocksdb_try_catch_up_with_primary(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->TryCatchUpWithPrimary(), errptr);
}

void rocksdb_flush_wal_with_options(rocksdb_t* db,
                                    const rocksdb_flushwaloptions_t* options,
                                    char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  (void)Fails(db->rep->FlushWAL(options->rep), errptr);
}

// Compacts the keys in [start_key, limit_key] and waits for it.
void rocksdb_compact_range(rocksdb_t* db, const char* start_key,
                           size_t start_key_size, const char* limit_key,
                           size_t limit_key_size) {
  Compact(db->rep, CompactRangeOptions(), db->rep->DefaultColumnFamily(),
          OpenRange(start_key, start_key_size, limit_key, limit_key_size));
}

void rocksdb_compact_range_cf(rocksdb_t* db,
                              rocksdb_column_family_handle_t* column_family,
                              const char* start_key, size_t start_key_size,
                              const char* limit_key, size_t limit_key_size) {
  Compact(db->rep, CompactRangeOptions(), column_family->rep,
          OpenRange(start_key, start_key_size, limit_key, limit_key_size));
}

void rocksdb_compact_range_opt(rocksdb_t* db, rocksdb_compactoptions_t* options,
                               const char* start_key, size_t start_key_size,
                               const char* limit_key, size_t limit_key_size) {
  Compact(db->rep, options->rep, db->rep->DefaultColumnFamily(),
          OpenRange(start_key, start_key_size, limit_key, limit_key_size));
}

void rocksdb_compact_range_cf_opt(rocksdb_t* db,
                                  rocksdb_column_family_handle_t* column_family,
                                  rocksdb_compactoptions_t* options,
                                  const char* start_key, size_t start_key_size,
                                  const char* limit_key,
                                  size_t limit_key_size) {
  Compact(db->rep, options->rep, column_family->rep,
          OpenRange(start_key, start_key_size, limit_key, limit_key_size));
}

// Has the files of a range compacted soon; does not wait.
void rocksdb_suggest_compact_range(rocksdb_t* db, const char* start_key,
                                   size_t start_key_size, const char* limit_key,
                                   size_t limit_key_size, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  Suggest(db->rep, db->rep->DefaultColumnFamily(),
          OpenRange(start_key, start_key_size, limit_key, limit_key_size),
          errptr);
}

void rocksdb_suggest_compact_range_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_size, const char* limit_key,
    size_t limit_key_size, char** errptr) {
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  Suggest(db->rep, column_family->rep,
          OpenRange(start_key, start_key_size, limit_key, limit_key_size),
          errptr);
}

// Compacts just these files into a level. Where output_file_names and its
// count are given they receive the new files' names, which go back to
// rocksdb_compact_files_output_file_names_destroy(); `info`, if not NULL, is
// filled in.
void rocksdb_compact_files(rocksdb_t* db,
                           const rocksdb_compaction_options_t* options,
                           const char* const* input_file_names,
                           size_t num_input_files, int output_level,
                           int output_path_id, char*** output_file_names,
                           size_t* num_output_files,
                           rocksdb_compactionjobinfo_t* info, char** errptr) {
  ClearNames(output_file_names, num_output_files);
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(input_file_names, "input_file_names", errptr)) {
    return;
  }
  CompactTheFiles(db->rep, db->rep->DefaultColumnFamily(), options,
                  {input_file_names, num_input_files, output_level,
                   output_path_id, output_file_names, num_output_files, info},
                  errptr);
}

void rocksdb_compact_files_cf(rocksdb_t* db,
                              rocksdb_column_family_handle_t* column_family,
                              const rocksdb_compaction_options_t* options,
                              const char* const* input_file_names,
                              size_t num_input_files, int output_level,
                              int output_path_id, char*** output_file_names,
                              size_t* num_output_files,
                              rocksdb_compactionjobinfo_t* info,
                              char** errptr) {
  ClearNames(output_file_names, num_output_files);
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr) ||
      IsNull(column_family, "column_family", errptr) ||
      IsNull(input_file_names, "input_file_names", errptr)) {
    return;
  }
  CompactTheFiles(db->rep, column_family->rep, options,
                  {input_file_names, num_input_files, output_level,
                   output_path_id, output_file_names, num_output_files, info},
                  errptr);
}

void rocksdb_compact_files_output_file_names_destroy(char** names,
                                                     size_t count) {
  if (names == nullptr) return;
  for (size_t i = 0; i < count; ++i) free(names[i]);
  free(names);
}

// Until no flush and no compaction is pending or running.
void rocksdb_wait_for_compact(rocksdb_t* db,
                              rocksdb_wait_for_compact_options_t* options,
                              char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  (void)Fails(db->rep->WaitForCompact(options->rep), errptr);
}

void rocksdb_pause_background_work(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->PauseBackgroundWork(), errptr);
}

void rocksdb_continue_background_work(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->ContinueBackgroundWork(), errptr);
}

// Ends background work for good, as before closing; with `wait`, waits for it.
void rocksdb_cancel_all_background_work(rocksdb_t* db, unsigned char wait) {
  CancelAllBackgroundWork(db->rep, wait != 0);
}

void rocksdb_disable_manual_compaction(rocksdb_t* db) {
  db->rep->DisableManualCompaction();
}

void rocksdb_enable_manual_compaction(rocksdb_t* db) {
  db->rep->EnableManualCompaction();
}

// Keeps obsolete files until as many enable calls follow.
void rocksdb_disable_file_deletions(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->DisableFileDeletions(), errptr);
}

void rocksdb_enable_file_deletions(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->EnableFileDeletions(), errptr);
}

// Drops the files of which all keys lie in the range.
void rocksdb_delete_file_in_range(rocksdb_t* db, const char* start_key,
                                  size_t start_key_size, const char* limit_key,
                                  size_t limit_key_size, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  const OpenRange range(start_key, start_key_size, limit_key, limit_key_size);
  (void)Fails(DeleteFilesInRange(db->rep, db->rep->DefaultColumnFamily(),
                                 range.start(), range.limit()),
              errptr);
}

void rocksdb_delete_file_in_range_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_size, const char* limit_key,
    size_t limit_key_size, char** errptr) {
  if (IsNull(db, "db", errptr) ||
      IsNull(column_family, "column_family", errptr)) {
    return;
  }
  const OpenRange range(start_key, start_key_size, limit_key, limit_key_size);
  (void)Fails(DeleteFilesInRange(db->rep, column_family->rep, range.start(),
                                 range.limit()),
              errptr);
}

// Changes dynamic options by name: all of them, or none.
void rocksdb_set_options(rocksdb_t* db, int count, const char* const names[],
                         const char* const values[], char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(names, "names", errptr) ||
      IsNull(values, "values", errptr)) {
    return;
  }
  (void)Fails(db->rep->SetOptions(MapOf(count, names, values)), errptr);
}

void rocksdb_set_options_cf(rocksdb_t* db,
                            rocksdb_column_family_handle_t* column_family,
                            int count, const char* const names[],
                            const char* const values[], char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(names, "names", errptr) ||
      IsNull(column_family, "column_family", errptr) ||
      IsNull(values, "values", errptr)) {
    return;
  }
  (void)Fails(
      db->rep->SetOptions(column_family->rep, MapOf(count, names, values)),
      errptr);
}

void rocksdb_set_db_options(rocksdb_t* db, int count, const char* const names[],
                            const char* const values[], char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(names, "names", errptr) ||
      IsNull(values, "values", errptr)) {
    return;
  }
  (void)Fails(db->rep->SetDBOptions(MapOf(count, names, values)), errptr);
}

// Reads every block of every live table and verifies its checksum.
void rocksdb_verify_checksum(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->VerifyChecksum(), errptr);
}

void rocksdb_verify_checksum_with_options(rocksdb_t* db,
                                          const rocksdb_readoptions_t* options,
                                          char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  (void)Fails(db->rep->VerifyChecksum(options->rep), errptr);
}

// Reads every live table as a whole and compares it with the checksum that the
// manifest has of it.
void rocksdb_verify_file_checksums(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  (void)Fails(db->rep->VerifyFileChecksums(ReadOptions()), errptr);
}

void rocksdb_verify_file_checksums_with_options(
    rocksdb_t* db, const rocksdb_readoptions_t* options, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(options, "options", errptr)) return;
  (void)Fails(db->rep->VerifyFileChecksums(options->rep), errptr);
}

// Brings files into a family; see rocksdb_sstfilewriter_create().
void rocksdb_ingest_external_file(
    rocksdb_t* db, const char* const* file_list, const size_t list_size,
    const rocksdb_ingestexternalfileoptions_t* options, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(file_list, "file_list", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  (void)Fails(Ingest(db->rep, db->rep->DefaultColumnFamily(), file_list,
                     list_size, options->rep),
              errptr);
}

void rocksdb_ingest_external_file_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* const* file_list, const size_t list_size,
    const rocksdb_ingestexternalfileoptions_t* options, char** errptr) {
  if (IsNull(db, "db", errptr) || IsNull(file_list, "file_list", errptr) ||
      IsNull(column_family, "column_family", errptr) ||
      IsNull(options, "options", errptr)) {
    return;
  }
  (void)Fails(
      Ingest(db->rep, column_family->rep, file_list, list_size, options->rep),
      errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
