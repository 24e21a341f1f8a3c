#pragma once

// The commands of `ldb`, for programs that add their own: derive from
// LDBCommand, and hand InitFromCmdLineArgs() a selector that knows the new
// command and asks SelectCommand() for the others.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/ldb_cmd_execute_result.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

// One command with its options, made from the words of a command line.
//
// Order      The constructor takes the words apart; ValidateCmdLineOptions()
//            tells whether every option is one that the command knows; Run()
//            opens the database, if the command wants it, runs DoCommand() and
//            closes the database again.
// Errors     In GetExecuteState(), from the constructor on.
// Threads    One.
class LDBCommand {
 public:
  // The names of the options, without their two hyphens.
  static const std::string ARG_ENV_URI;
  static const std::string ARG_FS_URI;
  static const std::string ARG_DB;
  static const std::string ARG_PATH;
  static const std::string ARG_SECONDARY_PATH;
  static const std::string ARG_LEADER_PATH;
  static const std::string ARG_HEX;
  static const std::string ARG_KEY_HEX;
  static const std::string ARG_VALUE_HEX;
  static const std::string ARG_CF_NAME;
  static const std::string ARG_TTL;
  static const std::string ARG_TTL_START;
  static const std::string ARG_TTL_END;
  static const std::string ARG_USE_TXN;
  static const std::string ARG_TXN_WRITE_POLICY;
  static const std::string ARG_TIMESTAMP;
  static const std::string ARG_TRY_LOAD_OPTIONS;
  static const std::string ARG_IGNORE_UNKNOWN_OPTIONS;
  static const std::string ARG_FROM;
  static const std::string ARG_TO;
  static const std::string ARG_MAX_KEYS;
  static const std::string ARG_BLOOM_BITS;
  static const std::string ARG_FIX_PREFIX_LEN;
  static const std::string ARG_COMPRESSION_TYPE;
  static const std::string ARG_COMPRESSION_MAX_DICT_BYTES;
  static const std::string ARG_BLOCK_SIZE;
  static const std::string ARG_UNIFORM_CV_THRESHOLD;
  static const std::string ARG_AUTO_COMPACTION;
  static const std::string ARG_DB_WRITE_BUFFER_SIZE;
  static const std::string ARG_WRITE_BUFFER_SIZE;
  static const std::string ARG_FILE_SIZE;
  static const std::string ARG_CREATE_IF_MISSING;
  static const std::string ARG_NO_VALUE;
  static const std::string ARG_DISABLE_CONSISTENCY_CHECKS;
  static const std::string ARG_ENABLE_BLOB_FILES;
  static const std::string ARG_MIN_BLOB_SIZE;
  static const std::string ARG_BLOB_FILE_SIZE;
  static const std::string ARG_BLOB_COMPRESSION_TYPE;
  static const std::string ARG_ENABLE_BLOB_GARBAGE_COLLECTION;
  static const std::string ARG_BLOB_GARBAGE_COLLECTION_AGE_CUTOFF;
  static const std::string ARG_BLOB_GARBAGE_COLLECTION_FORCE_THRESHOLD;
  static const std::string ARG_BLOB_COMPACTION_READAHEAD_SIZE;
  static const std::string ARG_BLOB_FILE_STARTING_LEVEL;
  static const std::string ARG_PREPOPULATE_BLOB_CACHE;
  static const std::string ARG_DECODE_BLOB_INDEX;
  static const std::string ARG_DUMP_UNCOMPRESSED_BLOBS;
  static const std::string ARG_READ_TIMESTAMP;
  static const std::string ARG_GET_WRITE_UNIX_TIME;

  // The words of a command line, sorted by kind.
  struct ParsedParams {
    std::string cmd;
    std::vector<std::string> cmd_params;
    std::map<std::string, std::string> option_map;  // --name=value
    std::vector<std::string> flags;                 // --name
  };

  // The command that is called so; nullptr if there is none. The caller
  // deletes it.
  static LDBCommand* SelectCommand(const ParsedParams& parsed_parms);

  // Sorts one word. What is no option goes to `cmd_tokens`.
  static void ParseSingleParam(const std::string& param,
                               ParsedParams& parsed_params,
                               std::vector<std::string>& cmd_tokens);

  // Takes the words after the program's name apart and has `selector` make the
  // command. nullptr without a command, or if `selector` knows it not. The
  // caller deletes it.
  static LDBCommand* InitFromCmdLineArgs(
      const std::vector<std::string>& args, const Options& options,
      const LDBOptions& ldb_options,
      const std::vector<ColumnFamilyDescriptor>* column_families,
      const std::function<LDBCommand*(const ParsedParams&)>& selector =
          SelectCommand);

  // The same with main()'s arguments, of which the first is skipped.
  static LDBCommand* InitFromCmdLineArgs(
      int argc, char const* const* argv, const Options& options,
      const LDBOptions& ldb_options,
      const std::vector<ColumnFamilyDescriptor>* column_families);

  // Whether every option and flag is known, and a database named where one is
  // needed; tells what is wrong on standard error.
  bool ValidateCmdLineOptions();

  // Finds out what the database is to be opened with: its OPTIONS file, then
  // the command line.
  virtual void PrepareOptions();

  // What the command line says of the database, and of each family. Both may
  // set the state to failed.
  virtual void OverrideBaseOptions();
  virtual void OverrideBaseCFOptions(ColumnFamilyOptions* cf_opts);

  virtual void SetDBOptions(Options options) { options_ = options; }

  // nullptr: those that the database has.
  virtual void SetColumnFamilies(
      const std::vector<ColumnFamilyDescriptor>* column_families) {
    if (column_families == nullptr) {
      column_families_.clear();
    } else {
      column_families_ = *column_families;
    }
  }

  void SetLDBOptions(const LDBOptions& ldb_options) {
    ldb_options_ = ldb_options;
  }

  const std::map<std::string, std::string>& TEST_GetOptionMap() {
    return option_map_;
  }
  const std::vector<std::string>& TEST_GetFlags() { return flags_; }

  // The command opens nothing, or what it needs by itself.
  virtual bool NoDBOpen() { return false; }

  // Closes the database, if it is still open.
  virtual ~LDBCommand();

  void Run();
  virtual void DoCommand() = 0;

  LDBCommandExecuteResult GetExecuteState() { return exec_state_; }
  void ClearPreviousRunState() { exec_state_.Reset(); }

  // "0x6B" is "k". Throws a `const char*` for what does not begin with "0x"
  // or is no hex.
  static std::string HexToString(const std::string& str);
  // "k" is "0x6B".
  static std::string StringToHex(const std::string& str);

  // Between a key and its value.
  static const char* DELIM;

 protected:
  LDBCommandExecuteResult exec_state_;
  std::string env_uri_;
  std::string fs_uri_;
  std::string db_path_;
  // Opens as a secondary instance that keeps its files here.
  std::string secondary_path_;
  // Opens as a follower of this database.
  std::string leader_path_;
  std::string column_family_name_;
  std::unique_ptr<DB> db_;
  // What db_ is with --ttl and with --use_txn; not owned.
  DBWithTTL* db_ttl_ = nullptr;
  TransactionDB* db_txn_ = nullptr;
  // By name.
  std::map<std::string, ColumnFamilyHandle*> cf_handles_;
  // By id.
  std::map<uint32_t, const Comparator*> ucmps_;

  bool is_read_only_;
  // Keys and values are given and shown in hex.
  bool is_key_hex_ = false;
  bool is_value_hex_ = false;
  bool is_db_ttl_ = false;
  bool is_db_txn_ = false;
  int txn_write_policy_ = 0;
  // With --ttl: write times are shown.
  bool timestamp_ = false;
  bool try_load_options_ = false;
  bool force_consistency_checks_ = true;
  bool enable_blob_files_ = false;
  bool enable_blob_garbage_collection_ = false;
  bool create_if_missing_ = false;
  std::string read_timestamp_;

  const std::map<std::string, std::string> option_map_;
  const std::vector<std::string> flags_;
  // The options that this command knows.
  const std::vector<std::string> valid_cmd_line_options_;

  // Owns the Env of --env_uri or --fs_uri.
  std::shared_ptr<Env> env_guard_;

  // Splits a line at the first delimiter. False, without a change of the
  // state, if there is none; false with a failed state if a side is bad hex.
  bool ParseKeyValue(const std::string& line, std::string* key,
                     std::string* value, bool is_key_hex, bool is_value_hex);

  LDBCommand(const std::map<std::string, std::string>& options,
             const std::vector<std::string>& flags, bool is_read_only,
             const std::vector<std::string>& valid_cmd_line_options);

  void OpenDB();
  void CloseDB();

  // That of --column_family. Fails the command, and answers the default one,
  // if there is none such.
  ColumnFamilyHandle* GetCfHandle();

  // "<key>[|timestamp:<n>] ==> <value>".
  static std::string PrintKeyValue(const std::string& key,
                                   const std::string& timestamp,
                                   const std::string& value, bool is_key_hex,
                                   bool is_value_hex, const Comparator* ucmp);
  static std::string PrintKeyValue(const std::string& key,
                                   const std::string& timestamp,
                                   const std::string& value, bool is_hex,
                                   const Comparator* ucmp);
  // The columns, if there are any but the default one.
  static std::string PrintKeyValueOrWideColumns(
      const Slice& key, const Slice& timestamp, const Slice& value,
      const WideColumns& wide_columns, bool is_key_hex, bool is_value_hex,
      const Comparator* ucmp);

  static bool IsFlagPresent(const std::vector<std::string>& flags,
                            const std::string& flag);

  // The part of a usage line for commands that take a range of keys.
  static std::string HelpRangeCmdArgs();

  // `options` and those that every command knows.
  static std::vector<std::string> BuildCmdLineOptions(
      std::vector<std::string> options);

  // True if the option is there and good. A bad one fails `exec_state`.
  bool ParseIntOption(const std::map<std::string, std::string>& options,
                      const std::string& option, int& value,
                      LDBCommandExecuteResult& exec_state);
  bool ParseDoubleOption(const std::map<std::string, std::string>& options,
                         const std::string& option, double& value,
                         LDBCommandExecuteResult& exec_state);
  bool ParseStringOption(const std::map<std::string, std::string>& options,
                         const std::string& option, std::string* value);
  bool ParseCompressionTypeOption(
      const std::map<std::string, std::string>& options,
      const std::string& option, CompressionType& value,
      LDBCommandExecuteResult& exec_state);
  // A flag, or an option with true or false in any case. Anything else fails
  // the command.
  bool ParseBooleanOption(const std::map<std::string, std::string>& options,
                          const std::string& option, bool default_val);

  // Sets ropts.timestamp by --read_timestamp, in `*read_timestamp`, which must
  // outlive the read. InvalidArgument if it is given for a family without
  // timestamps, missing for one that has them, or no number.
  Status MaybePopulateReadTimestamp(ColumnFamilyHandle* cfh, ReadOptions& ropts,
                                    Slice* read_timestamp);

  Options options_;
  std::vector<ColumnFamilyDescriptor> column_families_;
  ConfigOptions config_options_;
  LDBOptions ldb_options_;

 private:
  void TakeBooleans();
  void TakeTransactionOptions();
  void LoadOptions();
  void AddListedFamilies();
  void OverrideFamilies();
  void OverrideTableOptions(ColumnFamilyOptions* cf_opts);
  void OverrideBlobOptions(ColumnFamilyOptions* cf_opts);
  void OverrideSizes(ColumnFamilyOptions* cf_opts);
  void OverrideObjects(ColumnFamilyOptions* cf_opts);
  bool AddLibraries();
  bool MakeEnv();
  Status OpenByKind(std::vector<ColumnFamilyHandle*>* handles);
  Status OpenTransactional(std::vector<ColumnFamilyHandle*>* handles);
  Status OpenWithTtl();
  // `value` stays as it is where the option is not given.
  bool IntAbove(const std::string& option, int least, int* value);
  bool Fraction(const std::string& option, double* value);

  // The families are those of the OPTIONS file, or the caller's: the command
  // line is about one of them only.
  bool families_have_options_ = false;
  // What MaybePopulateReadTimestamp() has encoded.
  std::string read_timestamp_bytes_;
};

class LDBCommandRunner {
 public:
  static void PrintHelp(const LDBOptions& ldb_options, const char* exec_name,
                        bool to_stderr = true);

  // Returns the exit code: 0 or 1.
  static int RunCommand(
      int argc, char const* const* argv, const Options& options,
      const LDBOptions& ldb_options,
      const std::vector<ColumnFamilyDescriptor>* column_families);
};

}  // namespace ROCKSDB_NAMESPACE
