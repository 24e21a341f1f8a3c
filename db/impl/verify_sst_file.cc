// VerifySstFileChecksum(): a table file that no database has open.
#include <memory>

#include "file/filename.h"
#include "file/random_access_file_reader.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/table.h"
#include "table/table_reader.h"
#include "table/table_reader_options.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const ReadOptions& read_options,
                             const std::string& file_path) {
  const ImmutableDBOptions db(options);
  const ColumnFamilyOptions sanitized =
      SanitizeColumnFamilyOptions(db, options);
  const ImmutableCFOptions cf(sanitized);
  const MutableCFOptions mutable_cf(sanitized);
  INVARIANT(db.fs != nullptr);
  INVARIANT(mutable_cf.table_factory != nullptr);
  uint64_t size = 0;
  Status s = db.fs->GetFileSize(file_path, IOOptions(), &size, nullptr);
  std::unique_ptr<RandomAccessFileReader> file;
  if (s.ok()) {
    s = RandomAccessFileReader::Create(db.fs, file_path,
                                       FileOptions(env_options), &file);
  }
  if (!s.ok()) return s;
  TableReaderOptions reader_options;
  reader_options.db = &db;
  reader_options.cf = &cf;
  reader_options.mutable_cf = &mutable_cf;
  // One pass over one file: nothing is worth keeping.
  reader_options.use_block_cache = false;
  std::unique_ptr<TableReader> table;
  s = mutable_cf.table_factory->NewTableReader(read_options, reader_options,
                                               std::move(file), size, &table);
  if (!s.ok()) return s;
  INVARIANT(table != nullptr);
  return table->VerifyChecksum(read_options, nullptr);
}

Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const std::string& file_path) {
  return VerifySstFileChecksum(options, env_options, ReadOptions(), file_path);
}

}  // namespace ROCKSDB_NAMESPACE
