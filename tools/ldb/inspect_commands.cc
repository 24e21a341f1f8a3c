// Commands that look at a database as a whole: checkconsistency,
// list_live_files_metadata, dump_live_files, list_file_range_deletes,
// file_checksum_dump.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "file/filename.h"
#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/metadata.h"
#include "tools/ldb/command.h"
#include "tools/ldb/file_dumps.h"
#include "tools/ldb/json_pairs.h"
#include "tools/ldb/manifest_dump.h"
#include "tools/sst_dump/lone_table.h"
#include "util/key/range_tombstones.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const std::string kThirtyDashes(30, '-');
const std::string kThirtyEqualSigns(30, '=');

std::string PathOf(const FileStorageInfo& file) {
  return NormalizePath(file.directory + "/" + file.relative_filename);
}

class CheckConsistencyCommand : public Command {
 public:
  using Command::Command;
  void OverrideBaseOptions() override {
    Command::OverrideBaseOptions();
    options_.paranoid_checks = true;
    options_.num_levels = 64;
  }
  void DoCommand() override {
    if (db_ != nullptr && !exec_state_.IsFailed()) PrintLine("OK");
  }
};

// What the families of a database have, in the order of their ids.
class LiveFilesCommand : public Command {
 public:
  using Command::Command;

 protected:
  std::vector<ColumnFamilyMetaData> Families() {
    std::vector<ColumnFamilyHandle*> handles;
    for (const auto& [name, handle] : cf_handles_) handles.push_back(handle);
    if (handles.empty()) handles.push_back(db_->DefaultColumnFamily());
    std::sort(handles.begin(), handles.end(),
              [](ColumnFamilyHandle* a, ColumnFamilyHandle* b) {
                return a->GetID() < b->GetID();
              });
    std::vector<ColumnFamilyMetaData> families;
    for (ColumnFamilyHandle* handle : handles) {
      families.emplace_back();
      db_->GetColumnFamilyMetaData(handle, &families.back());
    }
    return families;
  }
  static std::string BlobPath(const BlobMetaData& blob) {
    return NormalizePath(blob.blob_file_path + "/" + blob.blob_file_name);
  }
};

class ListLiveFilesCommand : public LiveFilesCommand {
 public:
  using LiveFilesCommand::LiveFilesCommand;
  void DoCommand() override {
    if (db_ == nullptr) return;
    if (wants_json()) return ShowJson();
    if (HasFlag("sort_by_filename")) {
      ShowByName();
    } else {
      for (const ColumnFamilyMetaData& family : Families()) Show(family);
    }
    PrintLine(kThirtyDashes);
  }

 private:
  void ShowJson() {
    for (const ColumnFamilyMetaData& family : Families()) {
      for (const LevelMetaData& level : family.levels) {
        for (const SstFileMetaData& file : level.files) {
          JsonObject object;
          object.Add("path", PathOf(file))
              .Add("column_family", family.name)
              .Add("level", static_cast<uint64_t>(level.level))
              .Add("bytes", file.size)
              .Add("entries", file.num_entries)
              .Add("deletions", file.num_deletions)
              .Add("smallest_sequence", file.smallest_seqno)
              .Add("largest_sequence", file.largest_seqno);
          AddBytes(&object, "smallest_key", file.smallestkey);
          AddBytes(&object, "largest_key", file.largestkey);
          PrintLine(object.Text());
        }
      }
      for (const BlobMetaData& blob : family.blob_files) {
        PrintLine(JsonObject()
                      .Add("path", BlobPath(blob))
                      .Add("column_family", family.name)
                      .Add("bytes", blob.blob_file_size)
                      .Add("blobs", blob.total_blob_count)
                      .Add("garbage_blobs", blob.garbage_blob_count)
                      .Text());
      }
    }
  }
  static void Show(const ColumnFamilyMetaData& family) {
    PrintLine("===== Column Family: " + family.name +
              " =====\nLive SST Files:");
    for (const LevelMetaData& level : family.levels) {
      PrintLine("---------- level " + std::to_string(level.level) +
                " ----------");
      for (const SstFileMetaData& file : level.files) PrintLine(PathOf(file));
    }
    PrintLine("Live Blob Files:");
    for (const BlobMetaData& blob : family.blob_files) {
      PrintLine(BlobPath(blob));
    }
  }
  void ShowByName() {
    std::vector<std::pair<std::string, std::string>> lines;
    for (const ColumnFamilyMetaData& family : Families()) {
      const std::string suffix = "column family '" + family.name + "'";
      for (const LevelMetaData& level : family.levels) {
        for (const SstFileMetaData& file : level.files) {
          lines.emplace_back(
              PathOf(file),
              " : level " + std::to_string(level.level) + ", " + suffix);
        }
      }
      for (const BlobMetaData& blob : family.blob_files) {
        lines.emplace_back(BlobPath(blob), ", " + suffix);
      }
    }
    std::sort(lines.begin(), lines.end());
    PrintLine("Live SST and Blob Files:");
    for (const auto& [path, rest] : lines) PrintLine(path + rest);
  }
};

class DumpLiveFilesCommand : public LiveFilesCommand {
 public:
  using LiveFilesCommand::LiveFilesCommand;
  void DoCommand() override {
    if (db_ == nullptr) return;
    if (!ShowManifest()) return;
    for (const ColumnFamilyMetaData& family : Families()) Show(family);
    Say("\nWrite Ahead Log Files\n" + kThirtyEqualSigns);
    VectorWalPtr logs;
    const Status s = db_->GetSortedWalFiles(logs);
    if (!s.ok()) return Fail(s.ToString());
    for (const auto& log : logs) {
      const std::string path = NormalizePath(WalDirectory() + log->PathName());
      Say(path);
      ShowFile(path);
    }
  }

 private:
  // For people; objects name their files.
  void Say(const std::string& line) const {
    if (!wants_json()) PrintLine(line);
  }
  std::string WalDirectory() const {
    return options_.wal_dir.empty() ? db_path_ : options_.wal_dir;
  }
  bool ShowManifest() {
    std::string path;
    uint64_t number = 0;
    Status s = ReadCurrentFile(options_.env->GetFileSystem().get(), db_path_,
                               &path, &number);
    if (s.ok()) {
      path = NormalizePath(path);
      Say("Manifest File\n" + kThirtyEqualSigns + "\n" + path);
      ManifestDump dump;
      if (wants_json()) dump.edits = EditForm::kJson;
      dump.shows_state = !wants_json();
      dump.path = path;
      dump.env = options_.env;
      for (const ColumnFamilyDescriptor& family : column_families_) {
        dump.level_counts[family.name] = family.options.num_levels;
      }
      s = DumpManifest(dump);
      Say("");
    }
    if (!s.ok()) Fail(s.ToString());
    return s.ok();
  }
  void Show(const ColumnFamilyMetaData& family) {
    Say("Column family name: " + family.name + "\n" + kThirtyEqualSigns +
        "\n\nSST Files\n" + kThirtyEqualSigns);
    for (const LevelMetaData& level : family.levels) {
      for (const SstFileMetaData& file : level.files) {
        Say(PathOf(file) + " level:" + std::to_string(level.level) + "\n" +
            kThirtyDashes);
        ShowFile(PathOf(file));
        Say("");
      }
    }
    Say("Blob Files\n" + kThirtyEqualSigns);
    for (const BlobMetaData& blob : family.blob_files) {
      Say(BlobPath(blob) + "\n" + kThirtyDashes);
      ShowFile(BlobPath(blob));
      Say("");
    }
  }
  // The others are shown even if one is bad.
  void ShowFile(const std::string& path) {
    FileDumpRequest request;
    request.path = path;
    request.env = options_.env;
    request.decodes_blob_references = HasFlag(ARG_DECODE_BLOB_INDEX);
    request.uncompresses_blobs = HasFlag(ARG_DUMP_UNCOMPRESSED_BLOBS);
    request.comparators = &ucmps_;
    request.as_json = wants_json();
    Take(DumpFileByName(request));
  }
};

class ListRangeDeletesCommand : public LiveFilesCommand {
 public:
  using LiveFilesCommand::LiveFilesCommand;
  void Parse() override { max_keys_ = MaxKeys(1000, ""); }
  void DoCommand() override {
    if (db_ == nullptr) return;
    ColumnFamilyMetaData family;
    db_->GetColumnFamilyMetaData(GetCfHandle(), &family);
    for (const LevelMetaData& level : family.levels) {
      for (const SstFileMetaData& file : level.files) {
        if (max_keys_ <= 0 || !Show(file)) return Say("");
      }
    }
    Say("");
  }

 private:
  // For people.
  void Say(const std::string& line) const {
    if (!wants_json()) PrintLine(line);
  }
  void ShowOne(const std::string& path, const Slice& begin, const Slice& end,
               SequenceNumber sequence) const {
    if (!wants_json()) {
      return PrintLine("start: " + begin.ToString(true) +
                       " end: " + end.ToString(true) +
                       " seq: " + std::to_string(sequence));
    }
    JsonObject object;
    object.Add("file", path);
    AddBytes(&object, "start", begin);
    AddBytes(&object, "end", end);
    PrintLine(object.Add("sequence", sequence).Text());
  }
  // False: enough is shown, or the file cannot be read.
  bool Show(const SstFileMetaData& meta) {
    std::unique_ptr<LoneTable> file;
    const Status s =
        LoneTable::Open(db_->GetOptions(GetCfHandle()), PathOf(meta), &file);
    if (!s.ok()) {
      Fail(s.ToString());
      return false;
    }
    Say("=== file : " + PathOf(meta) + " ===");
    const FragmentedTombstones& tombstones = *file->reader().range_tombstones();
    for (size_t i = 0; i < tombstones.size(); ++i) {
      const FragmentedTombstones::Fragment fragment = tombstones.at(i);
      for (const SequenceNumber sequence : fragment.sequences) {
        ShowOne(PathOf(meta), fragment.begin, fragment.end, sequence);
        if (--max_keys_ > 0) continue;
        Say("(results may not be complete)");
        return false;
      }
    }
    return true;
  }

  int max_keys_ = 0;
};

}  // namespace

const std::vector<CommandRow>& InspectCommands() {
  static const std::vector<CommandRow> kRows = {
      {"checkconsistency",
       Opens::kForReading,
       "",
       "Checks that every file that the manifest lists is there, with the "
       "right size and readable metadata. Data blocks are not read: "
       "sst_dump --command=verify does that.",
       {},
       &MakeCommand<CheckConsistencyCommand>},
      {"list_live_files_metadata",
       Opens::kForReading,
       "[--sort_by_filename] [--json]",
       "Prints the files of each family and level, or all of them by name.",
       {"sort_by_filename", "json"},
       &MakeCommand<ListLiveFilesCommand>},
      {"dump_live_files",
       Opens::kForReading,
       "[--decode_blob_index] [--dump_uncompressed_blobs] [--json]",
       "Prints all that is in the files of a database: the manifest, tables, "
       "blob files and logs.",
       {"decode_blob_index", "dump_uncompressed_blobs", "json"},
       &MakeCommand<DumpLiveFilesCommand>},
      {"list_file_range_deletes",
       Opens::kForReading,
       "[--max_keys=<n>] [--json]",
       "Prints the range deletions in the files of a family, 1000 of them if "
       "not told otherwise. Those in memory are not shown.",
       {"max_keys", "json"},
       &MakeCommand<ListRangeDeletesCommand>},
  };
  return kRows;
}

}  // namespace ROCKSDB_NAMESPACE
