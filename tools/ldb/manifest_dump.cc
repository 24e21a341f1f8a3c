#include "tools/ldb/manifest_dump.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "db/version/version_edit.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_system.h"
#include "tools/ldb/command.h"
#include "tools/ldb/edit_text.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Where nobody says how many levels a family has: as many as any could have.
constexpr int kAssumedLevels = 64;

class ManifestPrinter {
 public:
  explicit ManifestPrinter(const ManifestDump& dump) : dump_(dump) {}

  Status Run() {
    if (dump_.edits == EditForm::kText) {
      PrintLine("Processing Manifest file " + dump_.path);
    }
    // Reading says that CURRENT names the file, which may not be so here.
    std::unique_ptr<FSSequentialFile> file;
    Status s = dump_.env->GetFileSystem()->NewSequentialFile(
        dump_.path, FileOptions(), &file, nullptr);
    if (!s.ok()) return s;
    replay_.Begin(0);
    uint64_t end = 0;
    s = ReadManifestEdits(
        dump_.env->GetFileSystem().get(), dump_.path, UINT64_MAX, &end,
        [this](VersionEdit edit) { return Take(std::move(edit)); });
    if (s.ok()) s = CheckComplete();
    if (!dump_.shows_state) return s;
    version_number_ = replay_.families()->size();
    for (auto& [id, family] : *replay_.families()) {
      if (s.ok()) s = ShowFamily(id, family);
    }
    if (!s.ok()) return s;
    // RocksDB's takes a number for itself before it says this.
    PrintLine(
        "next_file_number " + std::to_string(replay_.next_file_number() + 1) +
        " last_sequence " + std::to_string(replay_.last_sequence()) +
        "  prev_log_number " + std::to_string(previous_log_number_) +
        " max_column_family " + std::to_string(replay_.max_column_family()) +
        " min_log_number_to_keep " +
        std::to_string(replay_.min_log_number_to_keep()));
    if (dump_.edits == EditForm::kText) {
      PrintLine("Processing Manifest file " + dump_.path + " done");
    }
    return s;
  }

 private:
  // RocksDB's tool says on standard output, too, what is missing.
  Status CheckComplete() const {
    const Status s = replay_.CheckComplete();
    if (!s.ok() && dump_.shows_state) PrintLine(s.ToString());
    return s;
  }

  Status Take(VersionEdit edit) {
    if (dump_.edits == EditForm::kText) {
      PrintLine(EditLines(edit, dump_.keys));
    } else if (dump_.edits == EditForm::kJson) {
      PrintLine(EditJson(edit, edit_count_, dump_.keys));
    }
    ++edit_count_;
    if (edit.previous_log_number) {
      previous_log_number_ = *edit.previous_log_number;
    }
    return replay_.Take(std::move(edit));
  }

  Status ShowFamily(uint32_t id, const ReplayedFamily& family) {
    PrintLine("--------------- Column family \"" + family.name + "\"  (ID " +
              std::to_string(id) + ") --------------");
    PrintLine("log number: " + std::to_string(family.log_number));
    const Comparator* order = nullptr;
    const bool is_known = Comparator::CreateFromString(
                              ConfigOptions(), family.comparator_name, &order)
                              .ok() &&
                          order != nullptr;
    PrintLine("comparator: " + (is_known
                                    ? family.comparator_name
                                    : "<" + family.comparator_name +
                                          ">, but the comparator object is not "
                                          "available."));
    const auto counted = dump_.level_counts.find(family.name);
    const int level_count =
        counted == dump_.level_counts.end() ? kAssumedLevels : counted->second;
    std::vector<std::vector<FileRef>> levels;
    const Status s =
        family.builder->Finish(std::max(level_count, kAssumedLevels), &levels);
    if (!s.ok()) return s;
    const std::string version =
        " --- version# " + std::to_string(version_number_++) + " ---";
    for (int level = 0; level < static_cast<int>(levels.size()); ++level) {
      std::vector<FileRef> files = levels[level];
      if (level >= level_count && files.empty()) continue;
      PrintLine("--- level " + std::to_string(level) + version);
      SortAsRead(level, order, &files);
      for (const FileRef& file : files) PrintLine(FileText(*file));
    }
    ShowBlobs(family, levels, version);
    PrintLine(
        "By default, manifest file dump prints the files of 64 levels; "
        "--db=<path> finds out how many the family has.");
    return s;
  }

  // Newest first on level 0, by keys below.
  static void SortAsRead(int level, const Comparator* order,
                         std::vector<FileRef>* files) {
    std::sort(files->begin(), files->end(),
              [&](const FileRef& a, const FileRef& b) {
                if (level == 0) {
                  if (a->epoch_number != b->epoch_number) {
                    return a->epoch_number > b->epoch_number;
                  }
                  return a->number > b->number;
                }
                if (order == nullptr) return a->number < b->number;
                return InternalKeyComparator(order).Compare(a->smallest,
                                                            b->smallest) < 0;
              });
  }

  std::string FileText(const FileMeta& file) const {
    std::string text = " " + std::to_string(file.number) + ":" +
                       std::to_string(file.size_bytes) + "[" +
                       std::to_string(file.smallest_sequence) + " .. " +
                       std::to_string(file.largest_sequence) + "][" +
                       BoundText(file.smallest, dump_.keys) + " .. " +
                       BoundText(file.largest, dump_.keys) + "]";
    if (file.oldest_blob_file != 0) {
      text += " blob_file:" + std::to_string(file.oldest_blob_file);
    }
    return text;
  }

  static void ShowBlobs(const ReplayedFamily& family,
                        const std::vector<std::vector<FileRef>>& levels,
                        const std::string& version) {
    const BlobFileList blobs = family.builder->FinishBlobs(levels);
    if (blobs.empty()) return;
    PrintLine("--- blob files" + version);
    for (const BlobFileState& blob : blobs) {
      const BlobFileAddition& record = blob.file->record;
      std::set<uint64_t> linked;
      for (const std::vector<FileRef>& level : levels) {
        for (const FileRef& table : level) {
          if (table->oldest_blob_file == record.number) {
            linked.insert(table->number);
          }
        }
      }
      std::string tables;
      for (const uint64_t number : linked) {
        tables += std::to_string(number) + " ";
      }
      PrintLine(
          "blob_file_number: " + std::to_string(record.number) +
          " total_blob_count: " + std::to_string(record.total_count) +
          " total_blob_bytes: " + std::to_string(record.total_bytes) +
          " checksum_method: " + record.checksum_method +
          " checksum_value: " + Slice(record.checksum_value).ToString(true) +
          " linked_ssts: { " + tables +
          "} garbage_blob_count: " + std::to_string(blob.garbage_count) +
          " garbage_blob_bytes: " + std::to_string(blob.garbage_bytes));
    }
  }

  const ManifestDump& dump_;
  ManifestReplay replay_;
  uint64_t edit_count_ = 0;
  uint64_t previous_log_number_ = 0;
  // An engine numbers the versions that it makes: an empty one for each family
  // as it comes, and then what each has in the end.
  size_t version_number_ = 0;
};

}  // namespace

Status DumpManifest(const ManifestDump& dump) {
  return ManifestPrinter(dump).Run();
}

void TellBadManifest(const std::string& path, const Status& s) {
  std::fprintf(stderr, "Error in processing file %s %s%s\n", path.c_str(),
               s.ToString().c_str(),
               s.IsCorruption()
                   ? ("  The file " + path + " may be corrupted.").c_str()
                   : "");
}

}  // namespace ROCKSDB_NAMESPACE
