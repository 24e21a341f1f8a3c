#include "rocksdb/sst_dump_tool.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "file/yielding_limiter.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/convenience.h"
#include "table/block_based_reader.h"
#include "tools/common/exit_status.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json.h"
#include "tools/ldb/named_objects.h"
#include "tools/ldb/progress.h"
#include "tools/sst_dump/arguments.h"
#include "tools/sst_dump/lone_table.h"
#include "tools/sst_dump/raw_dump.h"
#include "tools/sst_dump/recompress.h"
#include "tools/sst_dump/table_scan.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const std::string kDashes(30, '-');

// One run: the files, one after another, and what they add up to.
class SstDumpRun {
 public:
  SstDumpRun(const SstDumpArguments& arguments, const Options& options)
      : arguments_(arguments), options_(options) {}

  int Run() {
    if (!AddLibraries() || !UseUris() || !CompileRegexes()) return 1;
    if (!arguments_.json) {
      std::printf("options.env is %p\n", static_cast<void*>(options_.env));
    }
    for (const std::string& file : arguments_.files) {
      if (!AddFiles(file)) return 1;
    }
    if (options_.rate_limiter == nullptr && !paths_.empty()) {
      options_.rate_limiter = YieldingLimiter::Below(paths_[0], options_.env);
    }
    Progress progress(arguments_.command == "scan"
                          ? Progress::BesideOutput::kYes
                          : Progress::BesideOutput::kNo);
    for (size_t i = 0; i < paths_.size(); ++i) {
      progress.Tell("file " + std::to_string(i + 1) + " of " +
                    std::to_string(paths_.size()) + ": " + paths_[i]);
      Process(paths_[i]);
    }
    progress.Clear();
    const bool found_any = Conclude();
    return found_any && !has_failed_ ? 0 : 1;
  }

 private:
  bool AddLibraries() const {
    const Status s = LoadLibraries(arguments_.load_library);
    if (!s.ok()) std::fprintf(stderr, "%s\n", s.ToString().c_str());
    return s.ok();
  }

  bool UseUris() {
    if (arguments_.env_uri.empty() && arguments_.fs_uri.empty()) return true;
    Env* env = options_.env;
    const Status s = Env::CreateFromUri(ConfigOptions(), arguments_.env_uri,
                                        arguments_.fs_uri, &env, &env_);
    if (!s.ok()) {
      std::fprintf(stderr, "CreateEnvFromUri: %s\n", s.ToString().c_str());
      return false;
    }
    options_.env = env;
    return true;
  }

  bool CompileRegexes() {
    // std::regex tells what is wrong by an exception alone.
    try {
      if (!arguments_.require_property_regex.empty()) {
        required_ = std::make_unique<std::regex>(
            arguments_.require_property_regex, std::regex::egrep);
      }
      if (!arguments_.exclude_property_regex.empty()) {
        excluded_ = std::make_unique<std::regex>(
            arguments_.exclude_property_regex, std::regex::egrep);
      }
    } catch (const std::regex_error& error) {
      std::fprintf(stderr, "bad regular expression: %s\n", error.what());
      return false;
    }
    return true;
  }

  bool AddFiles(const std::string& name) {
    Status s = options_.env->FileExists(name);
    if (!s.ok()) {
      std::fprintf(stderr, "NotFound: %s: No such file or directory\n",
                   name.c_str());
      return false;
    }
    std::vector<std::string> children;
    bool is_directory = false;
    s = options_.env->IsDirectory(name, &is_directory);
    if (s.ok() && is_directory) s = options_.env->GetChildren(name, &children);
    std::erase_if(children, [](const std::string& child) {
      return child == "." || child == "..";
    });
    if (s.ok() && !children.empty()) {
      for (const std::string& child : children) {
        if (Slice(child).ends_with(".sst")) {
          paths_.push_back(name + "/" + child);
        }
      }
      return true;
    }
    if (!is_directory && Slice(name).ends_with(".sst")) {
      paths_.push_back(name);
      return true;
    }
    std::fprintf(stderr, "%s is not a valid SST file\n", name.c_str());
    return false;
  }

  // What is wrong with one file does not keep from the others.
  void Process(const std::string& path) {
    std::unique_ptr<LoneTable> table;
    Say("Process " + path);
    const Status s = LoneTable::Open(options_, path, &table);
    if (!s.ok()) {
      Tell(path, s);
      if (arguments_.json) ShowFileAsJson(path, nullptr, s);
      return;
    }
    trouble_ = Status::OK();
    Say("Sst file format: " + table->format());
    if (table->is_order_guessed()) {
      std::fprintf(stderr,
                   "%s: keys are in the order '%s', which is unknown here: "
                   "they are read as they stand, and --from and --to mean "
                   "nothing\n",
                   path.c_str(), table->order()->Name());
    }
    if (IsPassedOver(*table)) return;
    valid_.push_back(path);
    RunCommand(*table);
    AddToSummary(*table->properties());
    if (arguments_.json) {
      return ShowFileAsJson(path, table.get(), trouble_);
    }
    const bool may_show = arguments_.command != "verify" &&
                          arguments_.command != "raw" &&
                          arguments_.command != "recompress";
    if (arguments_.show_properties && may_show) ShowProperties(*table);
    if (arguments_.list_meta_blocks) ListMetaBlocks(*table);
  }

  bool IsPassedOver(const LoneTable& table) const {
    const std::string text = table.properties()->ToString("\n", ": ");
    const bool matches =
        (required_ == nullptr || std::regex_search(text, *required_)) &&
        (excluded_ == nullptr || !std::regex_search(text, *excluded_));
    if (!matches) {
      std::fprintf(stderr, "%s is passed over: its properties do not fit\n",
                   table.path().c_str());
    }
    return !matches;
  }

  void Tell(const std::string& path, const Status& s) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), s.ToString().c_str());
    has_failed_ = true;
    trouble_ = s;
  }

  // For people.
  void Say(const std::string& line) const {
    if (!arguments_.json) PrintLine(line);
  }

  // `table` null: it is no table.
  void ShowFileAsJson(const std::string& path, const LoneTable* table,
                      const Status& trouble) const {
    JsonObject object;
    object.Add("file", path)
        .Add("command", arguments_.command)
        .AddRaw("is_ok", trouble.ok() ? "true" : "false");
    if (!trouble.ok()) object.Add("error", trouble.ToString());
    if (table != nullptr && arguments_.show_properties) {
      object.AddRaw("properties", JsonOfProperties(*table->properties()));
    }
    PrintLine(object.Text());
  }

  void RunCommand(const LoneTable& table) {
    const std::string& command = arguments_.command;
    if (command == "check" || command == "scan") {
      Scan(table, command == "scan");
    } else if (command == "verify") {
      Verify(table);
    } else if (command == "raw") {
      WriteRaw(table);
    } else if (command == "recompress") {
      TryCodecs(table);
    }
  }

  void Scan(const LoneTable& table, bool shows_entries) {
    if (!has_told_range_ && !arguments_.json) {
      const auto hex = [](const Slice& key) { return key.ToString(true); };
      const std::string from = arguments_.prefix.value_or(arguments_.from);
      PrintLine("from [" + hex(from) + "] to [" +
                hex(arguments_.to.value_or("")) + "]");
      has_told_range_ = true;
    }
    if (arguments_.read_num > 0 && read_count_ >= arguments_.read_num) return;
    TableScan scan;
    scan.from = arguments_.from;
    scan.to = arguments_.to;
    scan.prefix = arguments_.prefix;
    if (arguments_.read_num > 0) {
      scan.max_entries = arguments_.read_num - read_count_;
    }
    scan.shows_entries = shows_entries;
    scan.as_json = arguments_.json;
    scan.verifies_checksums = arguments_.verify_checksum;
    scan.readahead_bytes = arguments_.readahead_size;
    scan.keys = arguments_.output_hex ? Bytes::kHex : Bytes::kPlain;
    scan.values = scan.keys;
    scan.references = arguments_.decode_blob_index ? BlobReferences::kDecoded
                                                   : BlobReferences::kRaw;
    uint64_t count = 0;
    const Status s = ScanTable(table, scan, &count);
    read_count_ += count;
    if (!s.ok()) Tell(table.path(), s);
  }

  void Verify(const LoneTable& table) {
    ReadOptions read;
    read.readahead_size = arguments_.readahead_size;
    const Status s = table.Verify(read);
    if (s.ok()) return Say("The file is ok");
    trouble_ = s;
    std::fprintf(stderr, "%s is corrupted: %s\n", table.path().c_str(),
                 s.ToString().c_str());
    has_failed_ = true;
  }

  void WriteRaw(const LoneTable& table) {
    RawDump raw;
    raw.env = options_.env;
    raw.shows_sequences = arguments_.show_sequence_number_type;
    raw.output = table.path().substr(0, table.path().size() - 4) + "_dump.txt";
    const Status s = WriteRawDump(table, raw);
    if (!s.ok()) return Tell(table.path(), s);
    PrintLine("raw dump written to file " + raw.output);
  }

  void TryCodecs(const LoneTable& table) {
    const Status s = Recompress(table, arguments_, options_);
    if (!s.ok()) Tell(table.path(), s);
  }

  static void ShowProperties(const LoneTable& table) {
    const TableProperties& properties = *table.properties();
    Print("Table Properties:\n" + kDashes + "\n  " +
          properties.ToString("\n  ", ": "));
    PrintLine("Raw user collected properties\n" + kDashes);
    for (const auto& [name, value] : properties.user_collected_properties) {
      PrintLine("  # " + name + ": 0x" + Slice(value).ToString(true));
    }
  }

  static void ListMetaBlocks(const LoneTable& table) {
    const BlockBasedTableReader* const reader = table.reader().AsBlockBased();
    if (reader == nullptr) return;
    PrintLine("Meta Blocks:\n" + kDashes);
    for (const auto& [name, handle] : reader->parts().metaindex.blocks()) {
      PrintLine("  " + name + ": " + std::to_string(handle.offset) + " " +
                std::to_string(handle.size));
    }
  }

  void AddToSummary(const TableProperties& properties) {
    data_blocks_ += properties.num_data_blocks;
    data_bytes_ += properties.data_size;
    index_bytes_ += properties.index_size;
    filter_bytes_ += properties.filter_size;
  }

  // False: there was no valid file.
  bool Conclude() {
    if (arguments_.json) return !valid_.empty();
    if (arguments_.show_summary) {
      PrintLine(
          "total number of files: " + std::to_string(valid_.size()) +
          "\ntotal number of data blocks: " + std::to_string(data_blocks_) +
          "\ntotal data block size: " + std::to_string(data_bytes_) +
          "\ntotal index block size: " + std::to_string(index_bytes_) +
          "\ntotal filter block size: " + std::to_string(filter_bytes_));
    }
    const std::vector<std::string>& files = arguments_.files;
    const bool is_single =
        files.size() == 1 && paths_.size() == 1 && paths_[0] == files[0];
    if (valid_.empty()) {
      if (!is_single) PrintLine(kDashes);
      if (files.size() == 1 && !is_single) {
        std::fprintf(stderr, "No valid SST files found in %s\n",
                     files[0].c_str());
      } else if (is_single) {
        std::fprintf(stderr, "%s is not a valid SST file\n", files[0].c_str());
      } else {
        std::fprintf(stderr, "No valid SST files found\n");
      }
      return false;
    }
    if (arguments_.command != "identify") return true;
    if (is_single) {
      PrintLine(files[0] + " is a valid SST file");
      return true;
    }
    PrintLine(kDashes);
    PrintLine(files.size() == 1
                  ? "List of valid SST files found in " + files[0] + ":"
                  : "List of valid SST files:");
    for (const std::string& path : valid_) PrintLine(path);
    PrintLine("Number of valid SST files: " + std::to_string(valid_.size()));
    return true;
  }

  const SstDumpArguments& arguments_;
  Options options_;
  std::shared_ptr<Env> env_;
  std::unique_ptr<std::regex> required_;
  std::unique_ptr<std::regex> excluded_;
  std::vector<std::string> paths_;
  std::vector<std::string> valid_;
  bool has_told_range_ = false;
  bool has_failed_ = false;
  Status trouble_;  // what is wrong with the current file
  uint64_t read_count_ = 0;
  uint64_t data_blocks_ = 0;
  uint64_t data_bytes_ = 0;
  uint64_t index_bytes_ = 0;
  uint64_t filter_bytes_ = 0;
};

// The manager that reads what it made, and compresses anew.
bool TakeCompressionManager(const SstDumpArguments& arguments,
                            Options* options) {
  const std::string& id = arguments.compression_manager;
  if (id.empty()) return true;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  std::shared_ptr<CompressionManager> manager;
  const Status s = CompressionManager::CreateFromString(config, id, &manager);
  if (!s.ok()) {
    std::fprintf(stderr, "Failed to create compression manager: %s\n",
                 s.ToString().c_str());
    return false;
  }
  options->compression_manager = std::move(manager);
  if (!arguments.json) PrintLine("Using compression manager: " + id);
  return true;
}

}  // namespace

int SSTDumpTool::Run(int argc, char const* const* argv, Options options) {
  const SstDumpArguments arguments = ParseSstDumpArguments(argc, argv);
  int code = arguments.exit_code.value_or(0);
  if (!arguments.exit_code.has_value()) {
    code = TakeCompressionManager(arguments, &options)
               ? SstDumpRun(arguments, options).Run()
               : 1;
  }
  return tools::ExitStatus(code);
}

}  // namespace ROCKSDB_NAMESPACE
