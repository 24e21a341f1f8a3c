#include "db/impl/log_head.h"

#include <algorithm>
#include <set>
#include <vector>

#include "file/filename.h"
#include "options/db_options.h"
#include "options/enum_names.h"
#include "options/log_lines.h"
#include "rocksdb/file_system.h"
#include "rocksdb/version.h"
#include "util/compression.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// LOG names only the first table files of a directory, and has the options of
// only the first families.
constexpr size_t kMostNamedFiles = 9;
constexpr size_t kMostNamedFamilies = 10;

class HeadWriter {
 public:
  explicit HeadWriter(const LogHead& head)
      : head_(head), logger_(head.options.logger), fs_(*head.options.fs) {}

  void Write() const {
    const auto& build = GetRocksBuildProperties();
    Header(logger_, "RocksDB version: %s", GetRocksVersionAsString().c_str());
    Header(logger_, "Git sha %s", build.at("rocksdb_build_git_sha").c_str());
    Header(logger_, "Basalt version: %s", build.at("basalt_version").c_str());
    Header(logger_, "Compile date %s", build.at("build_date").c_str());
    Header(logger_, "DB SUMMARY");
    Header(logger_, "DB Session ID:  %s", head_.session_id.c_str());
    WriteFiles();
    LogDBOptions(head_.all, HEADER_LEVEL, logger_);
    WriteAbilities();
  }

 private:
  struct NamedFile {
    std::string name;
    FileType type = kTempFile;
  };

  // In the order of their names, which is that of their numbers.
  std::vector<NamedFile> FilesIn(const std::string& directory) const {
    std::vector<std::string> names;
    const IOStatus s = fs_.GetChildren(directory, IOOptions(), &names, nullptr);
    std::vector<NamedFile> files;
    if (!s.ok()) return files;
    std::sort(names.begin(), names.end());
    for (std::string& name : names) {
      uint64_t number = 0;
      NamedFile file;
      WalFileType wal_type = kAliveLogFile;
      if (!ParseFileName(name, &number, &file.type, &wal_type)) continue;
      file.name = std::move(name);
      files.push_back(std::move(file));
    }
    return files;
  }

  // " size: N"; nothing for a file that is gone by now.
  std::string SizeOf(const std::string& directory,
                     const std::string& name) const {
    uint64_t bytes = 0;
    const IOStatus s =
        fs_.GetFileSize(directory + "/" + name, IOOptions(), &bytes, nullptr);
    return s.ok() ? " size: " + std::to_string(bytes) : "";
  }

  void WriteFiles() const {
    for (const NamedFile& file : FilesIn(head_.db_name)) {
      const char* name = file.name.c_str();
      if (file.type == kCurrentFile) {
        Header(logger_, "CURRENT file:  %s", name);
      } else if (file.type == kIdentityFile) {
        Header(logger_, "IDENTITY file:  %s", name);
      } else if (file.type == kDescriptorFile) {
        Header(logger_, "MANIFEST file:  %s%s Bytes", name,
               SizeOf(head_.db_name, file.name).c_str());
      }
    }
    std::vector<std::string> paths = {head_.db_name};
    for (const DbPath& path : head_.options.db_paths) {
      if (std::ranges::find(paths, path.path) == paths.end()) {
        paths.push_back(path.path);
      }
    }
    for (const std::string& path : paths) WriteTables(path);
    std::string logs;
    for (const NamedFile& file : FilesIn(head_.wal_dir)) {
      if (file.type != kWalFile) continue;
      logs += file.name + SizeOf(head_.wal_dir, file.name) + " ; ";
    }
    Header(logger_, "Write Ahead Log file in %s: %s", head_.wal_dir.c_str(),
           logs.c_str());
  }

  void WriteTables(const std::string& path) const {
    size_t count = 0;
    std::string named;
    for (const NamedFile& file : FilesIn(path)) {
      if (file.type != kTableFile) continue;
      if (++count <= kMostNamedFiles) named += file.name + " ";
    }
    Header(logger_, "SST files in %s dir, Total Num: %zu, files: %s",
           path.c_str(), count, named.c_str());
  }

  void WriteAbilities() const {
    Header(logger_, "Compression algorithms supported:");
    std::set<CompressionType> told = {kNoCompression,
                                      kDisableCompressionOption};
    for (const auto& codec : EnumNames<CompressionType>()) {
      if (!told.insert(codec.value).second) continue;
      if (codec.value >= kFirstCustomCompression) continue;
      Header(logger_, "\t%s supported: %d", std::string(codec.name).c_str(),
             CompressionTypeSupported(codec.value) ? 1 : 0);
    }
    Header(logger_, "Fast CRC32 supported: %s", crc32c::HardwareSupport());
    Header(logger_, "DMutex implementation: pthread_mutex_t");
    Header(logger_, "Jemalloc supported: %s",
           GetRocksBuildProperties().at("jemalloc").c_str());
  }

  const LogHead& head_;
  Logger* const logger_;
  FileSystem& fs_;
};

}  // namespace

void WriteLogHead(const LogHead& head) {
  if (head.options.logger != nullptr) HeadWriter(head).Write();
}

void LogFamily(const std::string& name, const ColumnFamilyOptions& options,
               size_t index, InfoLogLevel level, Logger* logger) {
  if (logger == nullptr) return;
  if (index >= kMostNamedFamilies) {
    Log(level, logger, "\t(skipping printing options)");
    return;
  }
  Log(level, logger,
      "--------------- Options for column family [%s]:", name.c_str());
  LogColumnFamilyOptions(options, level, logger);
}

}  // namespace ROCKSDB_NAMESPACE
