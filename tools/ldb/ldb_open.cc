// The part of every command that finds the options and opens the database.

#include <chrono>
#include <cstdio>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/ldb_cmd.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/version.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/named_objects.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Lets databases be read whose operator is unknown here.
void GiveMergeOperator(ColumnFamilyOptions* options) {
  if (options->merge_operator == nullptr) {
    options->merge_operator = NewStringAppendOperator(":");
  }
}

}  // namespace

bool LDBCommand::AddLibraries() {
  const auto found = option_map_.find(kLoadLibrary);
  if (found == option_map_.end()) return true;
  const Status s = LoadLibraries(found->second);
  if (!s.ok()) exec_state_ = LDBCommandExecuteResult::Failed(s.ToString());
  return s.ok();
}

void LDBCommand::OverrideObjects(ColumnFamilyOptions* cf_opts) {
  Status s;
  if (const auto found = option_map_.find(kComparator);
      found != option_map_.end()) {
    s = FindComparator(found->second, &cf_opts->comparator);
  }
  if (const auto found = option_map_.find(kMergeOperator);
      s.ok() && found != option_map_.end()) {
    s = FindMergeOperator(found->second, &cf_opts->merge_operator);
  }
  if (!s.ok()) exec_state_ = LDBCommandExecuteResult::Failed(s.ToString());
}

bool LDBCommand::MakeEnv() {
  if (env_uri_.empty() && fs_uri_.empty()) return true;
  if (!env_uri_.empty() && !fs_uri_.empty()) {
    const std::string text =
        "Invalid argument: cannot specify both fs_uri and env_uri";
    std::fprintf(stderr, "%s\n", text.c_str());
    exec_state_ = LDBCommandExecuteResult::Failed(text);
    return false;
  }
  if (options_.env != Env::Default()) return true;
  Env* env = options_.env;
  const Status s =
      Env::CreateFromUri(config_options_, env_uri_, fs_uri_, &env, &env_guard_);
  if (!s.ok()) {
    exec_state_ = LDBCommandExecuteResult::Failed(s.ToString());
    return false;
  }
  options_.env = env;
  return true;
}

void LDBCommand::Run() {
  if (!exec_state_.IsNotStarted()) return;
  if (!AddLibraries() || !MakeEnv()) return;
  if (!NoDBOpen()) {
    OpenDB();
    // A command may still have something to do without a database, but not
    // if the options are unknown.
    if (exec_state_.IsFailed() && try_load_options_) return;
  }
  DoCommand();
  CloseDB();
  if (exec_state_.IsNotStarted()) {
    exec_state_ = LDBCommandExecuteResult::Succeed("");
  }
}

void LDBCommand::LoadOptions() {
  config_options_.env = options_.env;
  // What the program set, and no file can hold.
  Env* const env = options_.env;
  const Comparator* const comparator = options_.comparator;
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  const Status s =
      LoadLatestOptions(config_options_, db_path_, &loaded, &families);
  if (s.IsNotFound() || s.IsPathNotFound()) return;
  if (!s.ok()) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        s.ToString() + "\nThis tool was built with version " +
        GetRocksVersionAsString() +
        ". If your db is in a different version, please try again with option "
        "--ignore_unknown_options.");
    return;
  }
  static_cast<DBOptions&>(options_) = loaded;
  options_.env = env;
  column_families_ = std::move(families);
  families_have_options_ = true;
  for (ColumnFamilyDescriptor& family : column_families_) {
    if (comparator != BytewiseComparator()) {
      family.options.comparator = comparator;
    }
    GiveMergeOperator(&family.options);
  }
}

void LDBCommand::AddListedFamilies() {
  std::vector<std::string> names;
  // Without a database there is nothing to list, and opening it says so.
  const Status s = DB::ListColumnFamilies(options_, db_path_, &names);
  if (!s.ok()) return;
  for (const std::string& name : names) {
    column_families_.emplace_back(name, options_);
  }
}

void LDBCommand::PrepareOptions() {
  families_have_options_ = !column_families_.empty();
  if (!families_have_options_ && try_load_options_ && !create_if_missing_) {
    LoadOptions();
    if (exec_state_.IsFailed()) return;
  }
  if (!options_.wal_dir.empty() &&
      options_.env->FileExists(options_.wal_dir).IsNotFound()) {
    options_.wal_dir = db_path_;
    std::fprintf(stderr,
                 "wal_dir of the OPTIONS file does not exist; the database's "
                 "directory is taken\n");
  }
  GiveMergeOperator(&options_);
  const bool was_failed = exec_state_.IsFailed();
  OverrideBaseOptions();
  if (!was_failed && exec_state_.IsFailed()) return;
  if (column_families_.empty()) AddListedFamilies();
  OverrideFamilies();
}

void LDBCommand::OverrideFamilies() {
  bool is_found = column_family_name_ == "default" && column_families_.empty();
  for (ColumnFamilyDescriptor& family : column_families_) {
    const bool is_named = family.name == column_family_name_;
    is_found = is_found || is_named;
    // Families without options of their own have taken those of the line.
    if (is_named && families_have_options_) {
      OverrideBaseCFOptions(&family.options);
    }
  }
  if (!is_found && !exec_state_.IsFailed()) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        "Non-existing column family " + column_family_name_);
  }
}

void LDBCommand::OverrideBaseOptions() {
  options_.create_if_missing = false;
  OverrideBaseCFOptions(&options_);
}

void LDBCommand::OverrideBaseCFOptions(ColumnFamilyOptions* cf_opts) {
  cf_opts->force_consistency_checks = force_consistency_checks_;
  cf_opts->enable_blob_files = enable_blob_files_;
  cf_opts->enable_blob_garbage_collection = enable_blob_garbage_collection_;
  OverrideObjects(cf_opts);
  OverrideBlobOptions(cf_opts);
  OverrideTableOptions(cf_opts);
  OverrideSizes(cf_opts);
}

bool LDBCommand::IntAbove(const std::string& option, int least, int* value) {
  int number = 0;
  if (!ParseIntOption(option_map_, option, number, exec_state_)) return false;
  if (number < least) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        option + (least == 0 ? " must be >= 0." : " must be > 0."));
    return false;
  }
  *value = number;
  return true;
}

bool LDBCommand::Fraction(const std::string& option, double* value) {
  double number = 0;
  if (!ParseDoubleOption(option_map_, option, number, exec_state_)) {
    return false;
  }
  if (!(number >= 0 && number <= 1)) {
    exec_state_ =
        LDBCommandExecuteResult::Failed(option + " must be >= 0 and <= 1.");
    return false;
  }
  *value = number;
  return true;
}

void LDBCommand::OverrideBlobOptions(ColumnFamilyOptions* cf_opts) {
  int number = 0;
  if (IntAbove(ARG_MIN_BLOB_SIZE, 0, &number)) cf_opts->min_blob_size = number;
  if (IntAbove(ARG_BLOB_FILE_SIZE, 1, &number)) {
    cf_opts->blob_file_size = number;
  }
  Fraction(ARG_BLOB_GARBAGE_COLLECTION_AGE_CUTOFF,
           &cf_opts->blob_garbage_collection_age_cutoff);
  Fraction(ARG_BLOB_GARBAGE_COLLECTION_FORCE_THRESHOLD,
           &cf_opts->blob_garbage_collection_force_threshold);
  if (IntAbove(ARG_BLOB_COMPACTION_READAHEAD_SIZE, 1, &number)) {
    cf_opts->blob_compaction_readahead_size = number;
  }
  IntAbove(ARG_BLOB_FILE_STARTING_LEVEL, 0, &cf_opts->blob_file_starting_level);
  ParseCompressionTypeOption(option_map_, ARG_BLOB_COMPRESSION_TYPE,
                             cf_opts->blob_compression_type, exec_state_);
  if (!ParseIntOption(option_map_, ARG_PREPOPULATE_BLOB_CACHE, number,
                      exec_state_)) {
    return;
  }
  if (number == 0 || number == 1) {
    cf_opts->prepopulate_blob_cache = number == 0
                                          ? PrepopulateBlobCache::kDisable
                                          : PrepopulateBlobCache::kFlushOnly;
  } else {
    exec_state_ = LDBCommandExecuteResult::Failed(
        ARG_PREPOPULATE_BLOB_CACHE + " must be 0 (disable) or 1 (flush only).");
  }
}

void LDBCommand::OverrideTableOptions(ColumnFamilyOptions* cf_opts) {
  BlockBasedTableOptions table;
  bool is_given = false;
  int number = 0;
  if (IntAbove(ARG_BLOOM_BITS, 1, &number)) {
    table.filter_policy.reset(NewBloomFilterPolicy(number));
    is_given = true;
  }
  if (IntAbove(ARG_BLOCK_SIZE, 1, &number)) {
    table.block_size = number;
    is_given = true;
  }
  if (ParseDoubleOption(option_map_, ARG_UNIFORM_CV_THRESHOLD,
                        table.uniform_cv_threshold, exec_state_)) {
    is_given = true;
  }
  if (is_given) cf_opts->table_factory.reset(NewBlockBasedTableFactory(table));
}

void LDBCommand::OverrideSizes(ColumnFamilyOptions* cf_opts) {
  if (IsFlagPresent(flags_, ARG_AUTO_COMPACTION) ||
      option_map_.contains(ARG_AUTO_COMPACTION)) {
    cf_opts->disable_auto_compactions =
        !ParseBooleanOption(option_map_, ARG_AUTO_COMPACTION, true);
  }
  ParseCompressionTypeOption(option_map_, ARG_COMPRESSION_TYPE,
                             cf_opts->compression, exec_state_);
  int number = 0;
  if (IntAbove(ARG_COMPRESSION_MAX_DICT_BYTES, 0, &number)) {
    cf_opts->compression_opts.max_dict_bytes = number;
  }
  if (IntAbove(ARG_WRITE_BUFFER_SIZE, 1, &number)) {
    cf_opts->write_buffer_size = number;
  }
  if (IntAbove(ARG_FILE_SIZE, 1, &number)) {
    cf_opts->target_file_size_base = number;
  }
  if (IntAbove(ARG_FIX_PREFIX_LEN, 1, &number)) {
    cf_opts->prefix_extractor.reset(NewFixedPrefixTransform(number));
  }
}

void LDBCommand::OpenDB() {
  PrepareOptions();
  if (!exec_state_.IsNotStarted()) return;
  std::vector<ColumnFamilyHandle*> handles;
  Status s;
  if (!secondary_path_.empty() && !leader_path_.empty()) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        "Cannot provide both secondary and leader paths");
    return;
  }
  if (is_db_ttl_ && is_db_txn_) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        "Cannot use both --ttl and --use_txn flags together");
    return;
  }
  if (is_db_ttl_) {
    s = OpenWithTtl();
  } else if (is_db_txn_) {
    s = OpenTransactional(&handles);
  } else {
    s = OpenByKind(&handles);
  }
  if (!s.ok()) {
    exec_state_ = LDBCommandExecuteResult::Failed(s.ToString());
    return;
  }
  if (db_ == nullptr) return;  // The state says why.
  for (ColumnFamilyHandle* handle : handles) {
    cf_handles_[handle->GetName()] = handle;
    ucmps_[handle->GetID()] = handle->GetComparator();
  }
  if (handles.empty()) {
    ColumnFamilyHandle* const handle = db_->DefaultColumnFamily();
    ucmps_[handle->GetID()] = handle->GetComparator();
  }
}

Status LDBCommand::OpenWithTtl() {
  if (!secondary_path_.empty() || !leader_path_.empty()) {
    exec_state_ = LDBCommandExecuteResult::Failed(
        "Open as secondary or follower is not supported for TTL DB yet.");
    return Status::OK();
  }
  const Status s =
      DBWithTTL::Open(options_, db_path_, &db_ttl_, 0, is_read_only_);
  if (!s.ok()) return s;
  db_.reset(db_ttl_);
  // The command goes on, with the default family, and fails in the end.
  exec_state_ = LDBCommandExecuteResult::Failed(
      "ldb doesn't support TTL DB with multiple column families");
  return Status::OK();
}

Status LDBCommand::OpenTransactional(
    std::vector<ColumnFamilyHandle*>* handles) {
  const char* refusal = nullptr;
  if (is_read_only_) {
    refusal = "TransactionDB does not support read-only mode";
  } else if (!secondary_path_.empty() || !leader_path_.empty()) {
    refusal = "TransactionDB does not support secondary or follower mode";
  }
  if (refusal != nullptr) {
    exec_state_ = LDBCommandExecuteResult::Failed(refusal);
    return Status::OK();
  }
  TransactionDBOptions transactions;
  transactions.write_policy = static_cast<TxnDBWritePolicy>(txn_write_policy_);
  const Status s =
      column_families_.empty()
          ? TransactionDB::Open(options_, transactions, db_path_, &db_txn_)
          : TransactionDB::Open(options_, transactions, db_path_,
                                column_families_, handles, &db_txn_);
  if (s.ok()) db_.reset(db_txn_);
  return s;
}

Status LDBCommand::OpenByKind(std::vector<ColumnFamilyHandle*>* handles) {
  // A database that is to be made has no families yet.
  std::vector<ColumnFamilyDescriptor> families = column_families_;
  if (families.empty()) families.emplace_back("default", options_);
  if (!secondary_path_.empty()) {
    return DB::OpenAsSecondary(options_, db_path_, secondary_path_, families,
                               handles, &db_);
  }
  if (!leader_path_.empty()) {
    return DB::OpenAsFollower(options_, db_path_, leader_path_, families,
                              handles, &db_);
  }
  if (is_read_only_) {
    Status s = DB::OpenForReadOnly(options_, db_path_, families, handles, &db_);
    if (s.ok() || !options_.use_direct_reads) return s;
    // Direct reads only spare others: without them it is read as well.
    options_.use_direct_reads = false;
    handles->clear();
    return DB::OpenForReadOnly(options_, db_path_, families, handles, &db_);
  }
  return DB::Open(options_, db_path_, families, handles, &db_);
}

namespace {

// A compaction that opening has begun is thrown away by closing, so that small
// files could gather for ever under a row of short commands. What is small is
// waited for; what would keep the operator waiting is left to the database's
// owner.
void FinishSmallCompactions(DB* db) {
  constexpr uint64_t kMostBytes = 1 << 20;
  uint64_t pending = 0;
  if (!db->GetAggregatedIntProperty(
          DB::Properties::kEstimatePendingCompactionBytes, &pending) ||
      pending == 0 || pending > kMostBytes) {
    return;
  }
  WaitForCompactOptions options;
  options.abort_on_pause = true;
  // Something else may be running that is not small.
  options.timeout = std::chrono::seconds(1);
  IgnoreError(db->WaitForCompact(options),
              "the command is done, and its answer stands");
}

}  // namespace

void LDBCommand::CloseDB() {
  if (db_ == nullptr) return;
  if (!is_read_only_) FinishSmallCompactions(db_.get());
  for (auto& [name, handle] : cf_handles_) {
    IgnoreError(db_->DestroyColumnFamilyHandle(handle),
                "the handle is gone, whatever is said");
  }
  cf_handles_.clear();
  ucmps_.clear();
  const Status s = db_->Close();
  // NotSupported: this kind of database has no Close(); its destructor closes.
  if (!s.ok() && !s.IsNotSupported() && !exec_state_.IsFailed()) {
    exec_state_ = LDBCommandExecuteResult::Failed(s.ToString());
  }
  db_.reset();
  db_ttl_ = nullptr;
  db_txn_ = nullptr;
}

ColumnFamilyHandle* LDBCommand::GetCfHandle() {
  if (cf_handles_.empty()) return db_->DefaultColumnFamily();
  const auto found = cf_handles_.find(column_family_name_);
  if (found != cf_handles_.end()) return found->second;
  exec_state_ = LDBCommandExecuteResult::Failed(
      "Cannot find column family " + column_family_name_ +
      "; it was not among those that were opened");
  return db_->DefaultColumnFamily();
}

Status LDBCommand::MaybePopulateReadTimestamp(ColumnFamilyHandle* cfh,
                                              ReadOptions& ropts,
                                              Slice* read_timestamp) {
  const size_t size = cfh->GetComparator()->timestamp_size();
  if (read_timestamp_.empty()) {
    return size == 0 ? Status::OK()
                     : Status::InvalidArgument(
                           "column family enables user-defined timestamp while "
                           "--read_timestamp is not provided.");
  }
  if (size == 0) {
    return Status::InvalidArgument(
        "column family does not enable user-defined timestamps while "
        "--read_timestamp is provided.");
  }
  uint64_t number = 0;
  if (!WholeNumber(read_timestamp_, &number)) {
    return Status::InvalidArgument(
        "user provided timestamp is not a valid uint64 value.");
  }
  read_timestamp_bytes_.clear();
  PutFixed64(&read_timestamp_bytes_, number);
  *read_timestamp = read_timestamp_bytes_;
  ropts.timestamp = read_timestamp;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
