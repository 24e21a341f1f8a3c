// VerifySstFileChecksum(): a table file that no database has open.
#include <memory>

#include "db/tables/external_table.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "table/table_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const ReadOptions& _read_options,
                             const std::string& file_path,
                             const SequenceNumber& /*largest_seqno*/) {
  const ImmutableDBOptions db(options);
  const ColumnFamilyOptions sanitized =
      SanitizeColumnFamilyOptions(db, options);
  const ImmutableCFOptions cf(sanitized);
  const MutableCFOptions mutable_cf(sanitized);
  INVARIANT(db.fs != nullptr);
  INVARIANT(mutable_cf.table_factory != nullptr);
  ExternalTableRequest request;
  request.db = &db;
  request.cf = &cf;
  request.mutable_cf = &mutable_cf;
  request.file_options = FileOptions(env_options);
  request.path = file_path;
  std::unique_ptr<TableReader> table;
  uint64_t size_bytes = 0;
  Status s = OpenExternalTable(request, &table, &size_bytes);
  if (!s.ok()) return s;
  INVARIANT(table != nullptr);
  return table->VerifyChecksum(_read_options, nullptr);
}

Status VerifySstFileChecksum(const Options& options,
                             const EnvOptions& env_options,
                             const std::string& file_path) {
  return VerifySstFileChecksum(options, env_options, ReadOptions(), file_path);
}

}  // namespace ROCKSDB_NAMESPACE
