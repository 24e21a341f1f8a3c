// DB::Open() and its kin: options checked, and a database of the kind that
// starts.
#include "db/impl/builtin_objects.h"
#include "db/impl/following_db.h"
#include "db/impl/open_request.h"
#include "db/impl/primary_db.h"
#include "db/impl/read_only_db.h"
#include "db/recovery/primary_mark.h"
#include "db/write/transaction_port.h"
#include "file/auto_roll_logger.h"
#include "monitoring/io_activity.h"
#include "monitoring/thread_tracking.h"
#include "options/constraints.h"
#include "options/sanitize.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

const std::string kDefaultColumnFamilyName("default");
const std::string kPersistentStatsColumnFamilyName(
    "___rocksdb_stats_history___");

namespace {

Status CheckOptions(const DBOptions& db_options,
                    const std::vector<ColumnFamilyDescriptor>& families) {
  if (Status s = ValidateDBOptions(db_options); !s.ok()) return s;
  for (const ColumnFamilyDescriptor& family : families) {
    Status s = ValidateColumnFamilyOptions(db_options, family.options);
    if (!s.ok()) return s;
    if (family.name == kDefaultColumnFamilyName &&
        family.options.disallow_memtable_writes) {
      return Status::InvalidArgument(
          "Default column family cannot use disallow_memtable_writes=true");
    }
  }
  return Status::OK();
}

// A file system takes away what it cannot do; what changes how files are read
// is to be said.
Status CheckFileSystem(const DBOptions& options) {
  Env* const env = options.env != nullptr ? options.env : Env::Default();
  FileOptions possible(options);
  env->GetFileSystem()->SanitizeFileOptions(&possible);
  const char* refused = nullptr;
  if (possible.use_mmap_reads != options.allow_mmap_reads) {
    refused = "allow_mmap_reads";
  } else if (possible.use_mmap_writes != options.allow_mmap_writes) {
    refused = "allow_mmap_writes";
  }
  if (refused == nullptr) return Status::OK();
  return Status::InvalidArgument("Found options incompatible with filesystem",
                                 refused);
}

// A handle was asked for by name twice, or the default family is not listed.
Status CheckFamilies(const std::vector<ColumnFamilyDescriptor>& families) {
  bool has_default = false;
  for (size_t i = 0; i < families.size(); ++i) {
    if (families[i].name.empty()) {
      return Status::InvalidArgument("a column family has an empty name");
    }
    has_default = has_default || families[i].name == kDefaultColumnFamilyName;
    for (size_t j = 0; j < i; ++j) {
      if (families[i].name == families[j].name) {
        return Status::InvalidArgument("column family listed twice",
                                       families[i].name);
      }
    }
  }
  if (!has_default) {
    return Status::InvalidArgument("Default column family not specified");
  }
  return Status::OK();
}

// An empty path is none, as for the operating system; its files would be those
// of the root directory.
Status CheckName(const std::string& name) {
  if (!name.empty()) return Status::OK();
  return Status::PathNotFound("While mkdir if missing",
                              "the database has no name");
}

// Before anything is touched.
Status CheckRequest(const OpenRequest& request) {
  EnsureBuiltinObjects();
  Status s = CheckName(request.name);
  if (s.ok()) s = CheckFamilies(request.families);
  if (s.ok()) s = CheckOptions(request.options, request.families);
  if (s.ok()) s = CheckFileSystem(request.options);
  return s;
}

}  // namespace

Status OpenAs(MakeKind make, const OpenRequest& request,
              std::vector<ColumnFamilyHandle*>* handles,
              std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  dbptr->reset();
  if (handles != nullptr) handles->clear();
  Status s = CheckRequest(request);
  if (!s.ok()) return s;
  const DBOptions sanitized = SanitizeDBOptions(
      request.leader.empty() ? request.name : request.leader, request.options);
  std::unique_ptr<EngineDB> db = make(sanitized, request);
  s = db->Start(request.families, handles);
  if (!s.ok()) {
    if (handles != nullptr) {
      for (ColumnFamilyHandle* handle : *handles) {
        const std::unique_ptr<ColumnFamilyHandle> owned(handle);
      }
      handles->clear();
    }
    return s;
  }
  db->TellChangedOptions(request.options, request.families);
  *dbptr = std::move(db);
  INVARIANT(*dbptr != nullptr);
  return s;
}

namespace {

// The forms whose result is a plain pointer.
template <class Open>
Status ToPlainPointer(const Open& open, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  std::unique_ptr<DB> db;
  Status s = open(&db);
  INVARIANT(s.ok() == (db != nullptr));
  *dbptr = db.release();
  return s;
}

// What the manifest names may go while it is being opened: somebody else may
// write the database.
template <class Kind>
Status OpenToRead(const OpenRequest& request,
                  std::vector<ColumnFamilyHandle*>* handles,
                  std::unique_ptr<DB>* dbptr) {
  Env* const env =
      request.options.env != nullptr ? request.options.env : Env::Default();
  const IoActivityScope activity(Env::IOActivity::kDBOpen);
  const TrackedOperation tracked(
      {.is_enabled = request.options.enable_thread_tracking,
       .type = ThreadStatus::OP_DBOPEN,
       .db_name = request.name});
  return OpenBesideWriter(env->GetFileSystem().get(), request.name, [&] {
    return OpenImpl<Kind>(request, handles, dbptr);
  });
}

std::vector<ColumnFamilyDescriptor> DefaultFamily(const Options& options) {
  return {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
}

}  // namespace

Status DB::Open(const Options& options, const std::string& name,
                std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  const DBOptions db_options(options);
  return OpenImpl<PrimaryDB>({db_options, name, DefaultFamily(options)},
                             nullptr, dbptr);
}

Status DB::Open(const Options& options, const std::string& name, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) { return Open(options, name, db); }, dbptr);
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr);
  return OpenImpl<PrimaryDB>({db_options, name, column_families}, handles,
                             dbptr);
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return Open(db_options, name, column_families, handles, db);
      },
      dbptr);
}

Status TransactionPort::Open(
    SectionPolicy policy, const DBOptions& options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* db) {
  return OpenImpl<PrimaryDB>({.options = options,
                              .name = name,
                              .families = families,
                              .section_policy = policy},
                             handles, db);
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           std::unique_ptr<DB>* dbptr,
                           bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  const DBOptions db_options(options);
  return OpenToRead<ReadOnlyDB>(
      {db_options, name, DefaultFamily(options), error_if_wal_file_exists},
      nullptr, dbptr);
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           DB** dbptr, bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenForReadOnly(options, name, db, error_if_wal_file_exists);
      },
      dbptr);
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
    bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return OpenToRead<ReadOnlyDB>(
      {db_options, name, column_families, error_if_wal_file_exists}, handles,
      dbptr);
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
    bool error_if_wal_file_exists) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenForReadOnly(db_options, name, column_families, handles, db,
                               error_if_wal_file_exists);
      },
      dbptr);
}

Status DB::OpenAndTrimHistory(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
    std::string trim_ts) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenAndTrimHistory(db_options, name, column_families, handles,
                                  db, std::move(trim_ts));
      },
      dbptr);
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path,
                           std::unique_ptr<DB>* dbptr) {
  const std::vector<ColumnFamilyDescriptor> families{
      {kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
  std::vector<ColumnFamilyHandle*> handles;
  Status s = OpenAsSecondary(DBOptions(options), name, secondary_path, families,
                             &handles, dbptr);
  for (ColumnFamilyHandle* handle : handles) {
    const std::unique_ptr<ColumnFamilyHandle> owned(handle);
  }
  return s;
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenAsSecondary(options, name, secondary_path, db);
      },
      dbptr);
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  INVARIANT(dbptr != nullptr && handles != nullptr);
  DBOptions options = db_options;
  // The primary is in the middle of its last record.
  options.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  dbptr->reset();
  handles->clear();
  const Status checked = CheckRequest({options, name, column_families});
  if (!checked.ok()) return checked;
  if (options.info_log == nullptr) {
    // Not in the directory of the primary, which writes its own there.
    // Without a directory there is no log, and without it reads go on.
    std::shared_ptr<Logger> logger;
    Status logged = options.env->CreateDirIfMissing(secondary_path);
    if (logged.ok()) {
      logged = CreateLoggerFromOptions(secondary_path, options, &logger);
    }
    if (logged.ok()) options.info_log = logger;
  }
  return OpenToRead<SecondaryDB>({options, name, column_families}, handles,
                                 dbptr);
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  INVARIANT(dbptr != nullptr);
  return ToPlainPointer(
      [&](std::unique_ptr<DB>* db) {
        return OpenAsSecondary(db_options, name, secondary_path,
                               column_families, handles, db);
      },
      dbptr);
}

}  // namespace ROCKSDB_NAMESPACE
