#include "tools/ldb/manifest_rewrite.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "db/manifest/manifest_replay.h"
#include "db/manifest/manifest_writer.h"
#include "file/filename.h"
#include "options/db_options.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// More levels than any family has.
constexpr int kLevelLimit = 64;

using Levels = std::vector<std::vector<FileRef>>;

// The manifest in force: what it says, and the records that say it. Those of an
// incomplete last atomic group count for nothing, and no edit may follow them.
class CurrentManifest {
 public:
  Status Load(FileSystem* fs, const std::string& db_path) {
    std::string path;
    uint64_t number = 0;
    Status s = ReadCurrentFile(fs, db_path, &path, &number);
    if (!s.ok()) return s;
    replay_.Begin(number);
    uint64_t end = 0;
    size_t whole_count = 0;  // records up to the end of the last whole group
    const auto take = [this, &whole_count](VersionEdit edit) {
      records_.emplace_back();
      Status taken = edit.EncodeTo(&records_.back());
      if (taken.ok()) taken = replay_.Take(std::move(edit));
      if (replay_.ends_with_whole_group()) whole_count = records_.size();
      return taken;
    };
    s = ReadManifestEdits(fs, path, UINT64_MAX, &end, take);
    records_.resize(whole_count);
    return s.ok() ? replay_.End(path) : s;
  }

  ManifestReplay& state() { return replay_; }

  // Writes a manifest with `edits` behind the records.
  Status WriteWith(const DBOptions& options, const std::string& db_path,
                   std::vector<VersionEdit> edits) {
    const ImmutableDBOptions db(options);
    FileSystem* const fs = db.fs;
    std::unique_ptr<FSDirectory> directory;
    Status s = fs->NewDirectory(db_path, IOOptions(), &directory, nullptr);
    if (!s.ok()) return s;
    ManifestWriter::NewManifest manifest;
    manifest.number = replay_.next_file_number();
    manifest.head = records_;
    edits.back().next_file_number = manifest.number + 1;
    for (const VersionEdit& edit : edits) {
      manifest.records.emplace_back();
      s = edit.EncodeTo(&manifest.records.back());
      if (!s.ok()) return s;
    }
    ManifestWriter::Context context;
    context.db = &db;
    context.db_path = db_path;
    context.file_options =
        fs->OptimizeForManifestWrite(FileOptions(DBOptions(options)));
    context.directory = directory.get();
    ManifestWriter writer(context);
    s = writer.Start(manifest);
    const Status closed = writer.Close();
    return s.ok() ? closed : s;
  }

 private:
  ManifestReplay replay_;
  std::vector<std::string> records_;
};

}  // namespace

Status ListFileChecksums(Env* env, const std::string& db_path,
                         std::vector<ListedChecksum>* checksums) {
  ManifestReplay replay;
  Status s = replay.Run(env->GetFileSystem().get(), db_path);
  if (!s.ok()) return s;
  for (const auto& [id, family] : *replay.families()) {
    Levels levels;
    s = family.builder->Finish(kLevelLimit, &levels);
    if (!s.ok()) return s;
    for (const std::vector<FileRef>& level : levels) {
      for (const FileRef& file : level) {
        checksums->push_back({file->number,
                              ChecksumFunctionName(file->checksum_function),
                              file->checksum});
      }
    }
    for (const BlobFileState& blob : family.builder->FinishBlobs(levels)) {
      const BlobFileAddition& record = blob.file->record;
      checksums->push_back({record.number,
                            ChecksumFunctionName(record.checksum_method),
                            record.checksum_value});
    }
  }
  std::sort(checksums->begin(), checksums->end(),
            [](const ListedChecksum& a, const ListedChecksum& b) {
              return a.number < b.number;
            });
  return s;
}

Status CountLevelsInUse(Env* env, const std::string& db_path,
                        const std::string& family, int* count) {
  ManifestReplay replay;
  Status s = replay.Run(env->GetFileSystem().get(), db_path);
  if (!s.ok()) return s;
  for (const auto& [id, replayed] : *replay.families()) {
    if (replayed.name != family) continue;
    Levels levels;
    s = replayed.builder->Finish(kLevelLimit, &levels);
    if (!s.ok()) return s;
    *count = 0;
    for (size_t level = 0; level < levels.size(); ++level) {
      if (!levels[level].empty()) *count = static_cast<int>(level) + 1;
    }
    return s;
  }
  return Status::NotFound("no such column family", family);
}

Status RemoveTableFromManifest(const DBOptions& options,
                               const std::string& db_path, uint64_t number) {
  CurrentManifest manifest;
  Status s = manifest.Load(options.env->GetFileSystem().get(), db_path);
  if (!s.ok()) return s;
  for (const auto& [id, family] : *manifest.state().families()) {
    Levels levels;
    s = family.builder->Finish(kLevelLimit, &levels);
    if (!s.ok()) return s;
    for (size_t level = 0; level < levels.size(); ++level) {
      for (const FileRef& file : levels[level]) {
        if (file->number != number) continue;
        VersionEdit edit;
        edit.column_family = id;
        edit.DeleteFile(static_cast<int>(level), number);
        std::vector<VersionEdit> edits;
        edits.push_back(std::move(edit));
        return manifest.WriteWith(options, db_path, std::move(edits));
      }
    }
  }
  return Status::NotFound("File not present in any level");
}

Status UpdateTemperatures(const DBOptions& options, const std::string& db_path,
                          uint64_t* changed_count) {
  *changed_count = 0;
  FileSystem* const fs = options.env->GetFileSystem().get();
  CurrentManifest manifest;
  Status s = manifest.Load(fs, db_path);
  if (!s.ok()) return s;
  std::vector<DbPath> paths = options.db_paths;
  if (paths.empty()) paths.emplace_back(db_path, UINT64_MAX);
  std::vector<VersionEdit> edits;
  for (const auto& [id, family] : *manifest.state().families()) {
    Levels levels;
    s = family.builder->Finish(kLevelLimit, &levels);
    if (!s.ok()) return s;
    VersionEdit edit;
    edit.column_family = id;
    for (size_t level = 0; level < levels.size(); ++level) {
      for (const FileRef& file : levels[level]) {
        std::unique_ptr<FSRandomAccessFile> opened;
        s = fs->NewRandomAccessFile(
            TableFileName(paths, file->number, file->path_id), FileOptions(),
            &opened, nullptr);
        if (!s.ok()) return s;
        const Temperature temperature = opened->GetTemperature();
        if (temperature == Temperature::kUnknown ||
            temperature == file->temperature) {
          continue;
        }
        auto changed = std::make_shared<FileMeta>();
        changed->CopyManifestPartFrom(*file);
        changed->temperature = temperature;
        edit.DeleteFile(static_cast<int>(level), file->number);
        edit.AddFile(static_cast<int>(level), std::move(changed));
        ++*changed_count;
      }
    }
    if (edit.ChangesFiles()) edits.push_back(std::move(edit));
  }
  return edits.empty() ? s
                       : manifest.WriteWith(options, db_path, std::move(edits));
}

}  // namespace ROCKSDB_NAMESPACE
