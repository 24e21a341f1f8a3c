// The part of every command that is about words and texts.

#include "rocksdb/utilities/ldb_cmd.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "tools/ldb/entry_text.h"
#include "tools/ldb/hex.h"
#include "tools/ldb/named_objects.h"

namespace ROCKSDB_NAMESPACE {

const std::string LDBCommand::ARG_ENV_URI = "env_uri";
const std::string LDBCommand::ARG_FS_URI = "fs_uri";
const std::string LDBCommand::ARG_DB = "db";
const std::string LDBCommand::ARG_PATH = "path";
const std::string LDBCommand::ARG_SECONDARY_PATH = "secondary_path";
const std::string LDBCommand::ARG_LEADER_PATH = "leader_path";
const std::string LDBCommand::ARG_HEX = "hex";
const std::string LDBCommand::ARG_KEY_HEX = "key_hex";
const std::string LDBCommand::ARG_VALUE_HEX = "value_hex";
const std::string LDBCommand::ARG_CF_NAME = "column_family";
const std::string LDBCommand::ARG_TTL = "ttl";
const std::string LDBCommand::ARG_TTL_START = "start_time";
const std::string LDBCommand::ARG_TTL_END = "end_time";
const std::string LDBCommand::ARG_USE_TXN = "use_txn";
const std::string LDBCommand::ARG_TXN_WRITE_POLICY = "txn_write_policy";
const std::string LDBCommand::ARG_TIMESTAMP = "timestamp";
const std::string LDBCommand::ARG_TRY_LOAD_OPTIONS = "try_load_options";
const std::string LDBCommand::ARG_IGNORE_UNKNOWN_OPTIONS =
    "ignore_unknown_options";
const std::string LDBCommand::ARG_FROM = "from";
const std::string LDBCommand::ARG_TO = "to";
const std::string LDBCommand::ARG_MAX_KEYS = "max_keys";
const std::string LDBCommand::ARG_BLOOM_BITS = "bloom_bits";
const std::string LDBCommand::ARG_FIX_PREFIX_LEN = "fix_prefix_len";
const std::string LDBCommand::ARG_COMPRESSION_TYPE = "compression_type";
const std::string LDBCommand::ARG_COMPRESSION_MAX_DICT_BYTES =
    "compression_max_dict_bytes";
const std::string LDBCommand::ARG_BLOCK_SIZE = "block_size";
const std::string LDBCommand::ARG_UNIFORM_CV_THRESHOLD = "uniform_cv_threshold";
const std::string LDBCommand::ARG_AUTO_COMPACTION = "auto_compaction";
const std::string LDBCommand::ARG_DB_WRITE_BUFFER_SIZE = "db_write_buffer_size";
const std::string LDBCommand::ARG_WRITE_BUFFER_SIZE = "write_buffer_size";
const std::string LDBCommand::ARG_FILE_SIZE = "file_size";
const std::string LDBCommand::ARG_CREATE_IF_MISSING = "create_if_missing";
const std::string LDBCommand::ARG_NO_VALUE = "no_value";
const std::string LDBCommand::ARG_DISABLE_CONSISTENCY_CHECKS =
    "disable_consistency_checks";
const std::string LDBCommand::ARG_ENABLE_BLOB_FILES = "enable_blob_files";
const std::string LDBCommand::ARG_MIN_BLOB_SIZE = "min_blob_size";
const std::string LDBCommand::ARG_BLOB_FILE_SIZE = "blob_file_size";
const std::string LDBCommand::ARG_BLOB_COMPRESSION_TYPE =
    "blob_compression_type";
const std::string LDBCommand::ARG_ENABLE_BLOB_GARBAGE_COLLECTION =
    "enable_blob_garbage_collection";
const std::string LDBCommand::ARG_BLOB_GARBAGE_COLLECTION_AGE_CUTOFF =
    "blob_garbage_collection_age_cutoff";
const std::string LDBCommand::ARG_BLOB_GARBAGE_COLLECTION_FORCE_THRESHOLD =
    "blob_garbage_collection_force_threshold";
const std::string LDBCommand::ARG_BLOB_COMPACTION_READAHEAD_SIZE =
    "blob_compaction_readahead_size";
const std::string LDBCommand::ARG_BLOB_FILE_STARTING_LEVEL =
    "blob_file_starting_level";
const std::string LDBCommand::ARG_PREPOPULATE_BLOB_CACHE =
    "prepopulate_blob_cache";
const std::string LDBCommand::ARG_DECODE_BLOB_INDEX = "decode_blob_index";
const std::string LDBCommand::ARG_DUMP_UNCOMPRESSED_BLOBS =
    "dump_uncompressed_blobs";
const std::string LDBCommand::ARG_READ_TIMESTAMP = "read_timestamp";
const std::string LDBCommand::ARG_GET_WRITE_UNIX_TIME = "get_write_unix_time";

const char* LDBCommand::DELIM = " ==> ";

namespace {

std::string TextOfOption(const std::map<std::string, std::string>& options,
                         const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? std::string() : found->second;
}

std::string BytesOrHex(const Slice& bytes, bool is_hex) {
  return is_hex ? "0x" + HexDigits(bytes) : bytes.ToString();
}

std::string KeyWithTime(const Slice& key, const Slice& timestamp, bool is_hex,
                        const Comparator* comparator) {
  std::string text = BytesOrHex(key, is_hex);
  if (!timestamp.empty() && comparator != nullptr) {
    text += "|timestamp:" + comparator->TimestampToString(timestamp);
  }
  return text;
}

struct NamedCodec {
  const char* word;
  CompressionType type;
};

constexpr NamedCodec kCodecWords[] = {
    {"no", kNoCompression},         {"snappy", kSnappyCompression},
    {"zlib", kZlibCompression},     {"bzip2", kBZip2Compression},
    {"lz4", kLZ4Compression},       {"lz4hc", kLZ4HCCompression},
    {"xpress", kXpressCompression}, {"zstd", kZSTD},
};

}  // namespace

LDBCommand::LDBCommand(const std::map<std::string, std::string>& options,
                       const std::vector<std::string>& flags, bool is_read_only,
                       const std::vector<std::string>& valid_cmd_line_options)
    : env_uri_(TextOfOption(options, ARG_ENV_URI)),
      fs_uri_(TextOfOption(options, ARG_FS_URI)),
      db_path_(TextOfOption(options, ARG_DB)),
      secondary_path_(TextOfOption(options, ARG_SECONDARY_PATH)),
      leader_path_(TextOfOption(options, ARG_LEADER_PATH)),
      column_family_name_(TextOfOption(options, ARG_CF_NAME)),
      is_read_only_(is_read_only),
      read_timestamp_(TextOfOption(options, ARG_READ_TIMESTAMP)),
      option_map_(options),
      flags_(flags),
      valid_cmd_line_options_(valid_cmd_line_options) {
  if (column_family_name_.empty()) column_family_name_ = "default";
  TakeBooleans();
  TakeTransactionOptions();
}

LDBCommand::~LDBCommand() { CloseDB(); }

void LDBCommand::TakeBooleans() {
  const bool is_hex = ParseBooleanOption(option_map_, ARG_HEX, false);
  // Both are parsed in any case, so that a bad one is told.
  is_key_hex_ = ParseBooleanOption(option_map_, ARG_KEY_HEX, false) || is_hex;
  is_value_hex_ =
      ParseBooleanOption(option_map_, ARG_VALUE_HEX, false) || is_hex;
  is_db_ttl_ = IsFlagPresent(flags_, ARG_TTL);
  timestamp_ = IsFlagPresent(flags_, ARG_TIMESTAMP);
  create_if_missing_ = IsFlagPresent(flags_, ARG_CREATE_IF_MISSING);
  force_consistency_checks_ =
      !IsFlagPresent(flags_, ARG_DISABLE_CONSISTENCY_CHECKS);
  enable_blob_files_ = IsFlagPresent(flags_, ARG_ENABLE_BLOB_FILES);
  enable_blob_garbage_collection_ =
      IsFlagPresent(flags_, ARG_ENABLE_BLOB_GARBAGE_COLLECTION);
  const bool loads_options =
      !db_path_.empty() && !create_if_missing_ && !is_db_ttl_;
  try_load_options_ =
      ParseBooleanOption(option_map_, ARG_TRY_LOAD_OPTIONS, loads_options);
  config_options_.ignore_unknown_options =
      IsFlagPresent(flags_, ARG_IGNORE_UNKNOWN_OPTIONS);
}

void LDBCommand::TakeTransactionOptions() {
  is_db_txn_ = IsFlagPresent(flags_, ARG_USE_TXN);
  const std::string policy = TextOfOption(option_map_, ARG_TXN_WRITE_POLICY);
  if (policy.empty()) return;
  int number = 0;
  if (LeadingInt(policy, &number) != NumberKind::kGood) {
    std::fprintf(stderr, "Invalid txn_write_policy value: %s\n",
                 policy.c_str());
  } else if (number < 0 || number > 2) {
    std::fprintf(stderr, "Invalid txn_write_policy: %d. Must be 0, 1, or 2.\n",
                 number);
  } else {
    txn_write_policy_ = number;
  }
}

void LDBCommand::ParseSingleParam(const std::string& param,
                                  ParsedParams& parsed_params,
                                  std::vector<std::string>& cmd_tokens) {
  if (!Slice(param).starts_with("--")) {
    cmd_tokens.push_back(param);
    return;
  }
  const size_t equals = param.find('=');
  const std::string name = param.substr(2, equals - 2);
  // "--name=" says no more than "--name".
  if (equals == std::string::npos || equals + 1 == param.size()) {
    parsed_params.flags.push_back(equals == std::string::npos ? param.substr(2)
                                                              : name);
  } else {
    parsed_params.option_map[name] = param.substr(equals + 1);
  }
}

LDBCommand* LDBCommand::InitFromCmdLineArgs(
    int argc, char const* const* argv, const Options& options,
    const LDBOptions& ldb_options,
    const std::vector<ColumnFamilyDescriptor>* column_families) {
  const std::vector<std::string> args(argv + std::min(argc, 1), argv + argc);
  return InitFromCmdLineArgs(args, options, ldb_options, column_families,
                             SelectCommand);
}

LDBCommand* LDBCommand::InitFromCmdLineArgs(
    const std::vector<std::string>& args, const Options& options,
    const LDBOptions& ldb_options,
    const std::vector<ColumnFamilyDescriptor>* column_families,
    const std::function<LDBCommand*(const ParsedParams&)>& selector) {
  ParsedParams params;
  std::vector<std::string> words;
  for (const std::string& arg : args) ParseSingleParam(arg, params, words);
  if (words.empty()) {
    std::fprintf(stderr, "Command not specified!");
    return nullptr;
  }
  params.cmd = words[0];
  params.cmd_params.assign(words.begin() + 1, words.end());
  LDBCommand* const command = selector(params);
  if (command != nullptr) {
    command->SetDBOptions(options);
    command->SetColumnFamilies(column_families);
    command->SetLDBOptions(ldb_options);
  }
  return command;
}

bool LDBCommand::ValidateCmdLineOptions() {
  const auto is_known = [this](const std::string& name) {
    return std::find(valid_cmd_line_options_.begin(),
                     valid_cmd_line_options_.end(),
                     name) != valid_cmd_line_options_.end();
  };
  for (const auto& [name, value] : option_map_) {
    if (is_known(name)) continue;
    std::fprintf(stderr, "Invalid command-line option %s\n", name.c_str());
    return false;
  }
  for (const std::string& flag : flags_) {
    if (is_known(flag)) continue;
    std::fprintf(stderr, "Invalid command-line flag %s\n", flag.c_str());
    return false;
  }
  if (!NoDBOpen() && !option_map_.contains(ARG_DB) &&
      !option_map_.contains(ARG_PATH)) {
    std::fprintf(stderr, "Either %s or %s must be specified.\n", ARG_DB.c_str(),
                 ARG_PATH.c_str());
    return false;
  }
  return true;
}

std::string LDBCommand::HexToString(const std::string& str) {
  std::string bytes;
  std::string error;
  if (DecodeHex(str, &bytes, &error)) return bytes;
  std::fprintf(stderr, "%s\n", error.c_str());
  throw "Invalid hex input";
}

std::string LDBCommand::StringToHex(const std::string& str) {
  return "0x" + HexDigits(str);
}

bool LDBCommand::ParseKeyValue(const std::string& line, std::string* key,
                               std::string* value, bool is_key_hex,
                               bool is_value_hex) {
  const size_t delimiter = line.find(DELIM);
  if (delimiter == std::string::npos) return false;
  *key = line.substr(0, delimiter);
  *value = line.substr(delimiter + std::char_traits<char>::length(DELIM));
  std::string error;
  if ((is_key_hex && !DecodeHex(*key, key, &error)) ||
      (is_value_hex && !DecodeHex(*value, value, &error))) {
    exec_state_ = LDBCommandExecuteResult::Failed(error);
    return false;
  }
  return true;
}

std::string LDBCommand::PrintKeyValue(const std::string& key,
                                      const std::string& timestamp,
                                      const std::string& value, bool is_key_hex,
                                      bool is_value_hex,
                                      const Comparator* ucmp) {
  return KeyWithTime(key, timestamp, is_key_hex, ucmp) + DELIM +
         BytesOrHex(value, is_value_hex);
}

std::string LDBCommand::PrintKeyValue(const std::string& key,
                                      const std::string& timestamp,
                                      const std::string& value, bool is_hex,
                                      const Comparator* ucmp) {
  return PrintKeyValue(key, timestamp, value, is_hex, is_hex, ucmp);
}

std::string LDBCommand::PrintKeyValueOrWideColumns(
    const Slice& key, const Slice& timestamp, const Slice& value,
    const WideColumns& wide_columns, bool is_key_hex, bool is_value_hex,
    const Comparator* ucmp) {
  if (wide_columns.empty() ||
      (wide_columns.size() == 1 && wide_columns[0].name().empty())) {
    return PrintKeyValue(key.ToString(), timestamp.ToString(), value.ToString(),
                         is_key_hex, is_value_hex, ucmp);
  }
  return KeyWithTime(key, timestamp, is_key_hex, ucmp) + DELIM +
         ColumnsText(wide_columns, is_value_hex ? Bytes::kHex : Bytes::kPlain);
}

bool LDBCommand::IsFlagPresent(const std::vector<std::string>& flags,
                               const std::string& flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string LDBCommand::HelpRangeCmdArgs() {
  return " [--" + ARG_FROM + "] [--" + ARG_TO + "] ";
}

std::vector<std::string> LDBCommand::BuildCmdLineOptions(
    std::vector<std::string> options) {
  options.insert(options.end(), {ARG_ENV_URI,
                                 ARG_FS_URI,
                                 ARG_DB,
                                 ARG_SECONDARY_PATH,
                                 ARG_LEADER_PATH,
                                 ARG_CF_NAME,
                                 ARG_TRY_LOAD_OPTIONS,
                                 ARG_IGNORE_UNKNOWN_OPTIONS,
                                 ARG_DISABLE_CONSISTENCY_CHECKS,
                                 ARG_USE_TXN,
                                 ARG_TXN_WRITE_POLICY,
                                 ARG_BLOOM_BITS,
                                 ARG_BLOCK_SIZE,
                                 ARG_UNIFORM_CV_THRESHOLD,
                                 ARG_AUTO_COMPACTION,
                                 ARG_COMPRESSION_TYPE,
                                 ARG_COMPRESSION_MAX_DICT_BYTES,
                                 ARG_WRITE_BUFFER_SIZE,
                                 ARG_FILE_SIZE,
                                 ARG_FIX_PREFIX_LEN,
                                 ARG_ENABLE_BLOB_FILES,
                                 ARG_MIN_BLOB_SIZE,
                                 ARG_BLOB_FILE_SIZE,
                                 ARG_BLOB_COMPRESSION_TYPE,
                                 ARG_ENABLE_BLOB_GARBAGE_COLLECTION,
                                 ARG_BLOB_GARBAGE_COLLECTION_AGE_CUTOFF,
                                 ARG_BLOB_GARBAGE_COLLECTION_FORCE_THRESHOLD,
                                 ARG_BLOB_COMPACTION_READAHEAD_SIZE,
                                 ARG_BLOB_FILE_STARTING_LEVEL,
                                 ARG_PREPOPULATE_BLOB_CACHE,
                                 kLoadLibrary,
                                 kComparator,
                                 kMergeOperator});
  return options;
}

bool LDBCommand::ParseIntOption(
    const std::map<std::string, std::string>& options,
    const std::string& option, int& value,
    LDBCommandExecuteResult& exec_state) {
  const auto found = options.find(option);
  if (found == options.end()) return false;
  switch (LeadingInt(found->second, &value)) {
    case NumberKind::kGood:
      return true;
    case NumberKind::kInvalid:
      exec_state =
          LDBCommandExecuteResult::Failed(option + " has an invalid value.");
      return false;
    case NumberKind::kOutOfRange:
      exec_state = LDBCommandExecuteResult::Failed(
          option + " has a value out-of-range.");
      return false;
  }
  return false;
}

bool LDBCommand::ParseDoubleOption(
    const std::map<std::string, std::string>& options,
    const std::string& option, double& value,
    LDBCommandExecuteResult& exec_state) {
  const auto found = options.find(option);
  if (found == options.end()) return false;
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(found->second.c_str(), &end);
  if (end == found->second.c_str()) {
    exec_state =
        LDBCommandExecuteResult::Failed(option + " has an invalid value.");
    return false;
  }
  if (errno == ERANGE) {
    exec_state =
        LDBCommandExecuteResult::Failed(option + " has a value out-of-range.");
    return false;
  }
  value = number;
  return true;
}

bool LDBCommand::ParseStringOption(
    const std::map<std::string, std::string>& options,
    const std::string& option, std::string* value) {
  const auto found = options.find(option);
  if (found == options.end()) return false;
  *value = found->second;
  return true;
}

bool LDBCommand::ParseCompressionTypeOption(
    const std::map<std::string, std::string>& options,
    const std::string& option, CompressionType& value,
    LDBCommandExecuteResult& exec_state) {
  const auto found = options.find(option);
  if (found == options.end()) return false;
  for (const NamedCodec& row : kCodecWords) {
    if (found->second != row.word) continue;
    const std::vector<CompressionType> built = GetSupportedCompressions();
    if (std::find(built.begin(), built.end(), row.type) == built.end()) {
      exec_state = LDBCommandExecuteResult::Failed(
          found->second + " compression is not supported in this build.");
      return false;
    }
    value = row.type;
    return true;
  }
  exec_state = LDBCommandExecuteResult::Failed(
      "Unknown compression algorithm: " + found->second);
  return false;
}

bool LDBCommand::ParseBooleanOption(
    const std::map<std::string, std::string>& options,
    const std::string& option, bool default_val) {
  if (IsFlagPresent(flags_, option)) return true;
  const auto found = options.find(option);
  if (found == options.end()) return default_val;
  std::string word = found->second;
  for (char& c : word) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (word == "true") return true;
  if (word == "false") return false;
  exec_state_ = LDBCommandExecuteResult::Failed(
      option + " must be true or false, not " + found->second);
  return default_val;
}

}  // namespace ROCKSDB_NAMESPACE
