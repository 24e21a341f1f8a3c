// Manifests in memory: written record by record, or taken from
// tests/testdata/manifest, whose files RocksDB releases wrote.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/manifest_replay.h"
#include "db/version/version_edit.h"
#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "env/mem_file_system.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "file/writable_file_writer.h"
#include "rocksdb/file_system.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {

inline FileRef NewFileMeta(uint64_t number, const std::string& smallest,
                           const std::string& largest, uint64_t epoch = 1) {
  auto file = std::make_shared<FileMeta>();
  file->number = number;
  file->size_bytes = 1000 + number;
  file->smallest = InternalKey(smallest, 100, kTypeValue);
  file->largest = InternalKey(largest, 1, kTypeValue);
  file->smallest_sequence = 1;
  file->largest_sequence = 100;
  file->epoch_number = epoch;
  return file;
}

inline const std::vector<std::string>& ManifestVectors() {
  static const std::vector<std::string> names = {
      "r119_atomic_flush.MANIFEST-000005",
      "r119_blobgc.MANIFEST-000005",
      "r119_blobgc_reopened.MANIFEST-000018",
      "r119_file_checksum.MANIFEST-000005",
      "r119_lsm.MANIFEST-000005",
      "r119_lsm_reopened.MANIFEST-000019",
      "r119_path_id.MANIFEST-000005",
      "r119_range_tombstone_cut.MANIFEST-000005",
      "r119_two_cf.MANIFEST-000005",
      "r119_udt.MANIFEST-000005",
      "r119_wal_tracking.MANIFEST-000005",
      "r119_wal_tracking_reopened.MANIFEST-000017",
      "r783_atomic_flush.MANIFEST-000005",
      "r783_blobgc.MANIFEST-000005",
      "r783_blobgc_reopened.MANIFEST-000018",
      "r783_lsm.MANIFEST-000005",
      "r783_lsm_reopened.MANIFEST-000020",
      "r783_range_tombstone_cut.MANIFEST-000005",
      "r783_two_cf.MANIFEST-000005",
      "r783_wal_tracking.MANIFEST-000005",
      "r783_wal_tracking_reopened.MANIFEST-000019",
  };
  return names;
}

inline std::string ReadVector(const std::string& name) {
  std::ifstream in(
      std::string(BASALT_SOURCE_DIR) + "/tests/testdata/manifest/" + name,
      std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline std::string Encode(const VersionEdit& edit) {
  std::string record;
  if (!edit.EncodeTo(&record).ok()) abort();
  return record;
}

// A directory with CURRENT and one manifest.
class ManifestDirectory {
 public:
  static constexpr uint64_t kNumber = 5;

  ManifestDirectory() : fs(std::make_shared<MemFileSystem>()) {
    if (!fs->CreateDirIfMissing(path, IOOptions(), nullptr).ok()) abort();
  }

  void WriteCurrent(const std::string& text) {
    Put(CurrentFileName(path), text);
  }
  void WriteManifest(const std::string& bytes, uint64_t number = kNumber) {
    Put(DescriptorFileName(path, number), bytes);
    WriteCurrent(DescriptorFileName(number) + "\n");
  }
  void WriteRecords(const std::vector<std::string>& records) {
    WriteManifest(LogOf(records));
  }
  Status Replay(ManifestReplay* replay) { return replay->Run(fs.get(), path); }

  // The bytes of a log file with these records.
  static std::string LogOf(const std::vector<std::string>& records) {
    MemFileSystem scratch;
    std::unique_ptr<WritableFileWriter> file;
    Status s =
        WritableFileWriter::Create(&scratch, "/log", FileOptions(), &file);
    if (!s.ok()) abort();
    log::Writer writer(std::move(file), log::WriterOptions());
    for (const std::string& record : records) {
      if (!writer.AddRecord(record).ok()) abort();
    }
    if (!writer.Close().ok()) abort();
    std::string bytes;
    if (!ReadFileToString(&scratch, "/log", &bytes).ok()) abort();
    return bytes;
  }
  // The records of a log file.
  static std::vector<std::string> RecordsOf(const std::string& bytes) {
    MemFileSystem scratch;
    if (!CreateFile(&scratch, "/log", bytes, FileDurability::kBuffered).ok()) {
      abort();
    }
    std::unique_ptr<SequentialFileReader> file;
    if (!SequentialFileReader::Create(&scratch, "/log", FileOptions(), &file)
             .ok()) {
      abort();
    }
    log::Reader reader(std::move(file), nullptr, log::Reader::Options());
    std::vector<std::string> records;
    Slice record;
    std::string buffer;
    while (reader.ReadRecord(&record, &buffer)) {
      records.push_back(record.ToString());
    }
    return records;
  }

  const std::string path = "/db";
  const std::shared_ptr<FileSystem> fs;

 private:
  void Put(const std::string& name, const std::string& bytes) {
    if (!CreateFile(fs.get(), name, bytes, FileDurability::kBuffered).ok()) {
      abort();
    }
  }
};

// All that a replay yields, as text: equal texts are equal states.
inline std::string StateText(ManifestReplay* replay) {
  std::string text = "next " + std::to_string(replay->next_file_number()) +
                     " seq " + std::to_string(replay->last_sequence()) +
                     " min log " +
                     std::to_string(replay->min_log_number_to_keep()) +
                     " max cf " + std::to_string(replay->max_column_family());
  if (!replay->db_id().empty()) text += " id " + replay->db_id();
  text += "\n";
  for (const auto& [number, size] : replay->tracked_wals().synced_sizes()) {
    text += "wal " + std::to_string(number) + ":" + std::to_string(size) + "\n";
  }
  for (auto& [id, family] : *replay->families()) {
    text += "family " + std::to_string(id) + " '" + TextOfBytes(family.name) +
            "' " + family.comparator_name + " log " +
            std::to_string(family.log_number) + "\n";
    std::vector<std::vector<FileRef>> levels;
    if (!family.builder->Finish(64, &levels).ok()) abort();
    for (size_t level = 0; level < levels.size(); ++level) {
      for (const FileRef& file : levels[level]) {
        text += "  L" + std::to_string(level) + " " +
                std::to_string(file->number) + " " +
                std::to_string(file->size_bytes) + " [" +
                file->smallest.DebugString(true) + " .. " +
                file->largest.DebugString(true) + "]\n";
      }
    }
    for (const BlobFileState& blob : family.builder->FinishBlobs(levels)) {
      text += "  blob " + std::to_string(blob.number()) + " " +
              std::to_string(blob.file->size_bytes()) + " garbage " +
              std::to_string(blob.garbage_count) + "/" +
              std::to_string(blob.garbage_bytes) + " links " +
              std::to_string(blob.linked_table_count) + "\n";
    }
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
