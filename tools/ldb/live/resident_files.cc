#include "tools/ldb/live/resident_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "db/manifest/manifest_replay.h"
#include "db/recovery/wal_replay.h"
#include "env/posix/page_cache.h"
#include "file/filename.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr int kMostLevels = 64;
// A live database may change its manifest while it is read.
constexpr int kManifestTries = 5;

// False: the file is gone.
bool CountResidency(ResidentFile* file) {
  const int descriptor = open(file->path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const off_t size = lseek(descriptor, 0, SEEK_END);
  if (size > 0) file->size_bytes = static_cast<uint64_t>(size);
  PageCounts counts;
  const bool is_counted = CountPages(descriptor, 0, 0, &counts);
  close(descriptor);
  if (is_counted) {
    file->cached_bytes =
        std::min(file->size_bytes, counts.cached * PageBytes());
    file->dirty_bytes = counts.dirty * PageBytes();
    file->lately_gone_bytes = counts.recently_evicted * PageBytes();
    return true;
  }
  uint64_t bytes = 0;
  if (!ResidentBytes(file->path, &bytes).ok()) return false;
  file->cached_bytes = bytes;
  return true;
}

class ResidencyScan {
 public:
  ResidencyScan(const ResidencyRequest& request,
                std::vector<ResidentFile>* files)
      : request_(request),
        fs_(request.env->GetFileSystem().get()),
        files_(*files) {}

  Status Run() {
    Status s;
    for (int i = 0; i < kManifestTries; ++i) {
      files_.clear();
      ManifestReplay replay;
      s = replay.Run(fs_, request_.db_path);
      for (const auto& [id, family] : *replay.families()) {
        if (s.ok()) s = AddFamily(family);
      }
      if (s.ok()) break;
    }
    if (!s.ok()) return s;
    std::vector<uint64_t> logs;
    s = ListLogs(fs_, request_.wal_dir, &logs);
    for (const uint64_t number : logs) {
      ResidentFile file;
      file.kind = ResidentKind::kLog;
      file.path = LogFileName(request_.wal_dir, number);
      files_.push_back(std::move(file));
    }
    std::erase_if(files_,
                  [](ResidentFile& file) { return !CountResidency(&file); });
    std::sort(files_.begin(), files_.end(),
              [](const ResidentFile& a, const ResidentFile& b) {
                return std::tie(a.kind, a.level, a.path) <
                       std::tie(b.kind, b.level, b.path);
              });
    return s;
  }

 private:
  Status AddFamily(const ReplayedFamily& family) {
    std::vector<std::vector<FileRef>> levels;
    const Status s = family.builder->Finish(kMostLevels, &levels);
    if (!s.ok()) return s;
    const auto own = request_.family_paths.find(family.name);
    const std::vector<DbPath>& paths =
        own == request_.family_paths.end() ? request_.data_paths : own->second;
    for (size_t level = 0; level < levels.size(); ++level) {
      for (const FileRef& table : levels[level]) {
        ResidentFile file;
        file.family = family.name;
        file.level = static_cast<int>(level);
        file.path = TableFileName(paths, table->number, table->path_id);
        files_.push_back(std::move(file));
      }
    }
    for (const BlobFileState& blob : family.builder->FinishBlobs(levels)) {
      ResidentFile file;
      file.family = family.name;
      file.kind = ResidentKind::kBlobFile;
      file.path = BlobFileName(paths.front().path, blob.number());
      files_.push_back(std::move(file));
    }
    return s;
  }

  const ResidencyRequest& request_;
  FileSystem* const fs_;
  std::vector<ResidentFile>& files_;
};

}  // namespace

ResidencyRequest::ResidencyRequest(
    const std::string& path, const DBOptions& options,
    const std::vector<ColumnFamilyDescriptor>& families)
    : db_path(path),
      wal_dir(options.wal_dir.empty() ? path : options.wal_dir),
      data_paths(options.db_paths),
      env(options.env) {
  if (data_paths.empty()) data_paths.emplace_back(path, UINT64_MAX);
  for (const ColumnFamilyDescriptor& family : families) {
    if (family.options.cf_paths.empty()) continue;
    family_paths[family.name] = family.options.cf_paths;
  }
}

Status FindResidentFiles(const ResidencyRequest& request,
                         std::vector<ResidentFile>* files) {
  return ResidencyScan(request, files).Run();
}

bool IsAllResident(const ResidencyRequest& request) {
  std::vector<ResidentFile> files;
  if (!FindResidentFiles(request, &files).ok()) return false;
  return std::ranges::all_of(files, [](const ResidentFile& file) {
    return file.kind == ResidentKind::kLog ||
           file.cached_bytes == file.size_bytes;
  });
}

}  // namespace ROCKSDB_NAMESPACE
