#include "tools/sst_dump/arguments.h"

#include <algorithm>
#include <cstdio>

#include "rocksdb/convenience.h"
#include "rocksdb/slice.h"
#include "rocksdb/version.h"
#include "tools/ldb/hex.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kUsage[] = R"(sst_dump <db_dirs_OR_sst_files...>
    --file=<dir or file>    the same; may be given several times
    --command=check|scan|raw|verify|recompress|identify
        check: reads all entries and prints nothing (default)
        scan: prints all entries
        raw: writes all that is in a file to <file>_dump.txt
        verify: reads all blocks and compares their checksums
        recompress: tells how large the file would be with each codec
        identify: tells which files are table files
    --from=<key> --to=<key> --prefix=<key>
        for check and scan: where to begin and to end
    --input_key_hex         the three are given as 0x6B6579
    --read_num=<n>          stops after so many entries
    --output_hex            scan prints hex
    --decode_blob_index     scan prints what references to blobs say
    --verify_checksum       check and scan compare checksums
    --show_properties       prints the properties of each file
    --show_summary          prints totals at the end
    --list_meta_blocks      prints the meta blocks of each file
    --show_sequence_number_type
                            raw prints sequence numbers and types
    --readahead_size=<bytes>
    --json                  an object on each line, of entries and of files
    --env_uri=<uri> | --fs_uri=<uri>
    --load_library=<file>[,<file>...]
        shared objects with your comparators
    --require_property_regex=<regex> --exclude_property_regex=<regex>
        only files whose properties match, or do not match
    --parse_internal_key=<0x...>
        prints what an internal key says, and ends
  For recompress:
    --set_block_size=<bytes> or --block_size=<bytes>
    --compression_types=<kSnappyCompression,kZSTD,...>
    --compression_level=<n> or --compression_level_from=<n>
        --compression_level_to=<n>
    --compression_max_dict_bytes=<n> --compression_zstd_max_train_bytes=<n>
    --compression_max_dict_buffer_bytes=<n>
    --compression_use_zstd_finalize_dict --compression_parallel_threads=<n>
    --compression_manager=<id> --enable_index_compression=<bool>
    --verify_compression=<bool>
  --help, --version
)";

// Takes words into arguments, one after another.
class ArgumentReader {
 public:
  explicit ArgumentReader(SstDumpArguments* arguments)
      : arguments_(*arguments) {}

  void Take(const std::string& word) {
    word_ = word;
    if (only_files_ || !Slice(word).starts_with("--")) {
      arguments_.files.push_back(word);
      return;
    }
    if (word == "--") {
      only_files_ = true;
      return;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    value_ = equals == std::string::npos ? "" : word.substr(equals + 1);
    const bool has_value = equals != std::string::npos;
    if (has_value ? !TakeValue(name) : !TakeFlag(name)) {
      std::fprintf(stderr, "Unrecognized argument '%s'\n\n%s", word.c_str(),
                   kUsage);
      arguments_.exit_code = 1;
    }
  }

  void Finish() {
    if (arguments_.exit_code.has_value()) return;
    if (arguments_.prefix.has_value() && !arguments_.from.empty()) {
      return Refuse("Cannot specify --prefix and --from\n\n");
    }
    if (arguments_.level_from.has_value() != arguments_.level_to.has_value()) {
      return Refuse(
          "Specify both --compression_level_from and --compression_level_to."
          "\n\n");
    }
    if (arguments_.json && arguments_.command == "raw") {
      return Refuse("--json is not for raw, which writes a file of text\n");
    }
    if (is_key_hex_) DecodeKeys();
    if (arguments_.exit_code.has_value() || !arguments_.files.empty()) return;
    Refuse(std::string("file or directory must be specified.\n\n") + kUsage);
  }

 private:
  void Refuse(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    arguments_.exit_code = 1;
  }
  void DecodeKeys() {
    std::string error;
    const auto decode = [&](std::string* key) {
      if (arguments_.exit_code.has_value() || key->empty()) return;
      if (!DecodeHex(*key, key, &error)) Refuse(error + "\n");
    };
    decode(&arguments_.from);
    if (arguments_.to.has_value()) decode(&*arguments_.to);
    if (arguments_.prefix.has_value()) decode(&*arguments_.prefix);
  }

  bool TakeFlag(const std::string& name) {
    const struct {
      const char* name;
      bool* flag;
    } kFlags[] = {
        {"--output_hex", &arguments_.output_hex},
        {"--decode_blob_index", &arguments_.decode_blob_index},
        {"--input_key_hex", &is_key_hex_},
        {"--verify_checksum", &arguments_.verify_checksum},
        {"--show_properties", &arguments_.show_properties},
        {"--show_summary", &arguments_.show_summary},
        {"--list_meta_blocks", &arguments_.list_meta_blocks},
        {"--show_sequence_number_type", &arguments_.show_sequence_number_type},
        {"--json", &arguments_.json},
        {"--compression_use_zstd_finalize_dict",
         &arguments_.use_zstd_finalize_dict},
    };
    for (const auto& row : kFlags) {
      if (name != row.name) continue;
      *row.flag = true;
      return true;
    }
    if (name == "--help") {
      std::fputs(kUsage, stdout);
      arguments_.exit_code = 0;
      return true;
    }
    if (name == "--version") {
      std::printf("%s\n", GetRocksBuildInfoAsString("sst_dump").c_str());
      arguments_.exit_code = 0;
      return true;
    }
    return false;
  }

  bool TakeValue(const std::string& name) {
    return TakeText(name) || TakeNumber(name) || TakeCompression(name);
  }

  bool TakeText(const std::string& name) {
    const struct {
      const char* name;
      std::string* text;
    } kTexts[] = {
        {"--command", &arguments_.command},
        {"--from", &arguments_.from},
        {"--compression_manager", &arguments_.compression_manager},
        {"--require_property_regex", &arguments_.require_property_regex},
        {"--exclude_property_regex", &arguments_.exclude_property_regex},
        {"--env_uri", &arguments_.env_uri},
        {"--fs_uri", &arguments_.fs_uri},
        {"--load_library", &arguments_.load_library},
    };
    for (const auto& row : kTexts) {
      if (name != row.name) continue;
      *row.text = value_;
      if (arguments_.command.empty()) arguments_.command = "check";
      return true;
    }
    if (name == "--file") {
      arguments_.files.push_back(value_);
    } else if (name == "--to") {
      if (!value_.empty()) arguments_.to = value_;
    } else if (name == "--prefix") {
      arguments_.prefix = value_;
    } else if (name == "--parse_internal_key") {
      ShowInternalKey();
    } else {
      return false;
    }
    return true;
  }

  void ShowInternalKey() {
    std::string bytes;
    std::string error;
    ParsedInternalKey key;
    arguments_.exit_code = -1;
    if (!DecodeHex(value_, &bytes, &error)) {
      std::fprintf(stderr, "ERROR: %s\n", error.c_str());
      return;
    }
    const bool is_good = ParseInternalKey(bytes, &key);
    if (bytes.size() < kInternalKeyTrailerBytes) {
      std::fprintf(stderr,
                   "Corruption: '%s' is too short for an internal key\n",
                   value_.c_str());
      return;
    }
    const uint64_t trailer = ExtractTrailer(bytes);
    std::printf("key='%s' seq:%s, type:%s\n",
                ExtractUserKey(bytes).ToString(true).c_str(),
                std::to_string(trailer >> 8).c_str(),
                std::to_string(trailer & 0xff).c_str());
    if (is_good) {
      arguments_.exit_code = 0;
    } else {
      std::fprintf(stderr, "Corruption: no stored key has this type\n");
    }
  }

  // What is no number at all is told apart from one that will not do.
  void RefuseNumber(const std::string& name, const std::string& wanted) {
    if (value_.find_first_of("0123456789") == std::string::npos) {
      return Refuse(name + " must be numeric\n");
    }
    Refuse(name + " must be " + wanted + ": '" + word_ + "'\n" + kUsage);
  }

  bool TakeNumber(const std::string& name) {
    uint64_t number = 0;
    const bool is_number = WholeNumber(value_, &number);
    if (name == "--read_num") {
      arguments_.read_num = number;
      return is_number;
    }
    if (name == "--readahead_size") {
      arguments_.readahead_size = number;
      if (!is_number) Refuse("readahead_size must be numeric\n");
      return true;
    }
    if (name == "--set_block_size" || name == "--block_size") {
      arguments_.block_size = number;
      if (!is_number || number == 0) Refuse("block size must be numeric\n");
      return true;
    }
    const struct {
      const char* name;
      uint32_t* value;
    } kNumbers[] = {
        {"--compression_max_dict_bytes", &arguments_.max_dict_bytes},
        {"--compression_zstd_max_train_bytes",
         &arguments_.zstd_max_train_bytes},
        {"--compression_parallel_threads", &arguments_.parallel_threads},
    };
    for (const auto& row : kNumbers) {
      if (name != row.name) continue;
      *row.value = static_cast<uint32_t>(number);
      if (!is_number || number > UINT32_MAX) {
        RefuseNumber(name.substr(2), "a uint32_t");
      } else if (name == "--compression_parallel_threads" && number > 100) {
        Refuse(name.substr(2) + " must be from 0 to 100: '" + word_ + "'\n");
      }
      return true;
    }
    if (name == "--compression_max_dict_buffer_bytes") {
      arguments_.max_dict_buffer_bytes = number;
      if (!is_number) RefuseNumber(name.substr(2), "positive");
      return true;
    }
    return false;
  }

  bool TakeCompression(const std::string& name) {
    if (name == "--compression_types") return TakeCodecs();
    const bool is_true = value_ == "1" || value_[0] == 't' || value_[0] == 'T';
    if (name == "--enable_index_compression") {
      arguments_.enable_index_compression = is_true;
      return true;
    }
    if (name == "--verify_compression") {
      arguments_.verify_compression = is_true;
      return true;
    }
    const bool is_from = name == "--compression_level_from";
    const bool is_to = name == "--compression_level_to";
    if (!is_from && !is_to && name != "--compression_level") return false;
    int level = 0;
    if (LeadingInt(value_, &level) != NumberKind::kGood) {
      Refuse(name.substr(2) + " must be numeric\n");
      return true;
    }
    if (!is_to) arguments_.level_from = level;
    if (!is_from) arguments_.level_to = level;
    return true;
  }

  bool TakeCodecs() {
    // None are all of them, and a comma at the end says nothing.
    for (size_t begin = 0; begin < value_.size();) {
      const size_t end = std::min(value_.find(',', begin), value_.size());
      const std::string word = value_.substr(begin, end - begin);
      begin = end + 1;
      bool is_known = false;
      for (int i = 0; i <= kDisableCompressionOption && !is_known; ++i) {
        const auto type = static_cast<CompressionType>(i);
        std::string text;
        is_known = GetStringFromCompressionType(&text, type).ok() &&
                   text == word && type != kDisableCompressionOption;
        if (is_known) arguments_.codecs.push_back(type);
      }
      if (!is_known) {
        Refuse(word + " is not a valid CompressionType\n");
        return true;
      }
    }
    return true;
  }

  SstDumpArguments& arguments_;
  std::string word_;
  std::string value_;
  bool only_files_ = false;
  bool is_key_hex_ = false;
};

}  // namespace

SstDumpArguments ParseSstDumpArguments(int argc, char const* const* argv) {
  SstDumpArguments arguments;
  ArgumentReader reader(&arguments);
  for (int i = 1; i < argc && !arguments.exit_code.has_value(); ++i) {
    reader.Take(argv[i]);
  }
  reader.Finish();
  return arguments;
}

}  // namespace ROCKSDB_NAMESPACE
