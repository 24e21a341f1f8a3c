// Commands that show single files: dump_wal, manifest_dump,
// compaction_progress_dump.

#include <cstdio>
#include <memory>

#include "db/compaction/progress_file.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "tools/ldb/command.h"
#include "tools/ldb/edit_text.h"
#include "tools/ldb/json_pairs.h"
#include "tools/ldb/manifest_dump.h"
#include "tools/ldb/wal_dump.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class WalDumpCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    request_.path = Option("walfile");
    request_.has_header = HasFlag("header");
    request_.shows_values = HasFlag("print_value");
    request_.shows_only_gaps = HasFlag("only_print_seqno_gaps");
    request_.as_json = wants_json();
    request_.expects_committed =
        ParseBooleanOption(option_map_, "write_committed", true);
    if (request_.path.empty()) Fail("Argument walfile must be specified.");
  }
  // A database is opened for what it says of its families alone.
  bool NoDBOpen() override { return db_path_.empty(); }
  void DoCommand() override {
    if (exec_state_.IsFailed()) return;
    request_.env = options_.env;
    request_.comparators = &ucmps_;
    Take(DumpWal(request_));
  }

 private:
  WalDumpRequest request_;
};

class ManifestDumpCommand : public Command {
 public:
  using Command::Command;
  void DoCommand() override {
    std::string path = Option(ARG_PATH);
    if (path.empty() && !FindManifest(&path)) return;
    ManifestDump dump;
    dump.path = path;
    dump.env = options_.env;
    dump.keys = is_key_hex_ ? Bytes::kHex : Bytes::kPlain;
    if (HasFlag("json")) {
      dump.edits = EditForm::kJson;
    } else if (HasFlag("verbose")) {
      dump.edits = EditForm::kText;
    }
    if (!db_path_.empty()) {
      PrepareOptions();
      for (const ColumnFamilyDescriptor& family : column_families_) {
        dump.level_counts[family.name] = family.options.num_levels;
      }
    }
    const Status s = DumpManifest(dump);
    if (s.ok()) return;
    TellBadManifest(path, s);
    FailQuietly();
  }

 private:
  bool FindManifest(std::string* path) {
    std::vector<std::string> children;
    const Status s = options_.env->GetChildren(db_path_, &children);
    if (!s.ok()) {
      // The status says no more than its kind.
      const std::string kind = s.IsNotFound() ? "NotFound: " : s.ToString();
      Fail(kind + ": Failed to list the content of " + db_path_);
      return false;
    }
    for (const std::string& child : children) {
      uint64_t number = 0;
      FileType type = kTempFile;
      if (!ParseFileName(child, &number, &type) || type != kDescriptorFile) {
        continue;
      }
      if (!path->empty()) {
        Fail("Multiple MANIFEST files found; use --path to select one");
        return false;
      }
      *path = db_path_ + "/" + child;
    }
    if (path->empty()) Fail("No MANIFEST found in " + db_path_);
    return !path->empty();
  }
};

// What a worker of a remote compaction has written down of its progress.
class ProgressDumpCommand : public Command {
 public:
  using Command::Command;
  void Parse() override {
    if (!HasOption(ARG_PATH)) {
      Fail(
          "The --path option is required for compaction_progress_dump "
          "command");
    }
  }
  void DoCommand() override {
    if (exec_state_.IsFailed()) return;
    const std::string path = Option(ARG_PATH);
    FileSystem* const fs = options_.env->GetFileSystem().get();
    std::unique_ptr<SequentialFileReader> file;
    const Status s =
        SequentialFileReader::Create(fs, path, FileOptions(), &file);
    if (!s.ok()) {
      std::fprintf(stderr, "Failed to open compaction progress file %s: %s\n",
                   path.c_str(), s.ToString().c_str());
      // The command succeeds, like RocksDB's: the file may be gone because all
      // is done.
      return;
    }
    if (!wants_json()) {
      PrintLine("Compaction Progress File: " + path + "\n" +
                std::string(44, '='));
    }
    std::vector<CompactionProgressRecord> records;
    const Status bad = CompactionProgressFile::Inspect(fs, path, &records);
    if (wants_json()) {
      for (const auto& record : records) ShowAsJson(record);
    } else {
      Show(records);
    }
    if (!bad.ok() && !records.empty()) Fail(bad.ToString());
  }

 private:
  static void Show(const std::vector<CompactionProgressRecord>& records) {
    for (size_t i = 0; i < records.size(); ++i) {
      PrintLine("Progress Record " + std::to_string(i) + ":");
      Show(records[i]);
    }
    PrintLine(records.empty()
                  ? "No valid records found in the compaction progress file."
                  : "\nTotal records: " + std::to_string(records.size()));
  }
  static void ShowAsJson(const CompactionProgressRecord& record) {
    JsonArray files;
    for (const FileRef& file : record.files) {
      JsonObject object;
      object.Add("number", file->number).Add("bytes", file->size_bytes);
      AddBytes(&object, "smallest_key", file->smallest.user_key());
      AddBytes(&object, "largest_key", file->largest.user_key());
      files.Add(object.Text());
    }
    JsonObject object;
    object.AddRaw("output_files", files.Text())
        .Add("output_records", record.output_records);
    if (record.next.has_value()) {
      AddBytes(&object, "goes_on_at", record.next->user_key());
    }
    PrintLine(object.Text());
  }
  static void Show(const CompactionProgressRecord& record) {
    for (const FileRef& file : record.files) {
      PrintLine("  output file: " + std::to_string(file->number) + " " +
                std::to_string(file->size_bytes) + " " +
                BoundText(file->smallest, Bytes::kPlain) + " .. " +
                BoundText(file->largest, Bytes::kPlain));
    }
    PrintLine("  output records so far: " +
              std::to_string(record.output_records));
    PrintLine(record.next.has_value()
                  ? "  goes on at: " + BoundText(*record.next, Bytes::kPlain)
                  : std::string("  all is done"));
  }
};

}  // namespace

const std::vector<CommandRow>& FileDumpCommands() {
  static const std::vector<CommandRow> kRows = {
      {"dump_wal",
       Opens::kForReading,
       "--walfile=<file or directory> [--header] [--print_value] "
       "[--write_committed=true|false] [--only_print_seqno_gaps] [--json] "
       "[--db=<path>]",
       "Prints each batch of a write-ahead log on a line; with --db "
       "timestamps are told from keys. Logs of write-prepared transactions "
       "need --write_committed=false.",
       {"walfile", "write_committed", "header", "print_value",
        "only_print_seqno_gaps", "json"},
       &MakeCommand<WalDumpCommand>},
      {"manifest_dump",
       Opens::kNothing,
       "[--verbose] [--json] [--hex] [--path=<file>]",
       "Prints what a manifest says of the families and their files; with "
       "--verbose or --json each of its edits before.",
       {"verbose", "path", "hex", "json"},
       &MakeCommand<ManifestDumpCommand>},
      {"compaction_progress_dump",
       Opens::kNothing,
       "--path=<file> [--json]",
       "Prints what a worker of a remote compaction has finished.",
       {"path", "json"},
       &MakeCommand<ProgressDumpCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
