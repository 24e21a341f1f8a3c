#include "db/manifest/best_efforts_open.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "db/manifest/best_efforts.h"
#include "db/tables/external_table.h"
#include "db/version/manifest_format.h"
#include "file/filename.h"
#include "options/sanitize.h"
#include "rocksdb/info_log.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status ListManifests(FileSystem* fs, const std::string& db_path,
                     std::vector<uint64_t>* numbers) {
  std::vector<std::string> names;
  Status s = fs->GetChildren(db_path, IOOptions(), &names, nullptr);
  if (!s.ok()) return s;
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(name, &number, &type)) continue;
    if (type == kDescriptorFile) numbers->push_back(number);
  }
  return s;
}

// Puts manifests in the order in which best efforts try them: the newest first,
// but last those that CURRENT does not name yet. These may be half written, or
// lack some families, and nothing that only they tell of was ever acknowledged.
Status OrderManifests(FileSystem* fs, const std::string& db_path,
                      std::vector<uint64_t>* numbers) {
  INVARIANT(numbers != nullptr);
  std::string path;
  uint64_t current = 0;
  const Status s = ReadCurrentFile(fs, db_path, &path, &current);
  // CURRENT may be lost.
  const bool is_lost = s.IsNotFound() || s.IsPathNotFound() || s.IsCorruption();
  if (!s.ok() && !is_lost) return s;
  std::sort(numbers->begin(), numbers->end(), [&](uint64_t a, uint64_t b) {
    const bool is_a_early = s.ok() && a > current;
    const bool is_b_early = s.ok() && b > current;
    return is_a_early != is_b_early ? is_b_early : a > b;
  });
  return Status::OK();
}

// The names in directories, each of which is read once: most of the files that
// a manifest tells of are gone, and asking for each by itself takes long.
class DirectoryListings {
 public:
  explicit DirectoryListings(FileSystem* fs) : fs_(fs) {}

  Status Find(const std::string& path, bool* is_listed) {
    INVARIANT(is_listed != nullptr);
    const size_t slash = path.find_last_of('/');
    INVARIANT(slash != std::string::npos);
    const std::string directory = path.substr(0, slash);
    auto found = names_.find(directory);
    if (found == names_.end()) {
      std::vector<std::string> names;
      const Status s =
          fs_->GetChildren(directory, IOOptions(), &names, nullptr);
      if (!s.ok() && !s.IsNotFound() && !s.IsPathNotFound()) return s;
      found = names_.emplace(directory, std::set<std::string>()).first;
      found->second.insert(names.begin(), names.end());
    }
    *is_listed = found->second.count(path.substr(slash + 1)) > 0;
    return Status::OK();
  }

 private:
  FileSystem* const fs_;
  std::map<std::string, std::set<std::string>> names_;
};

// Whether `other` has every family that `replay` has.
bool HasFamiliesOf(ManifestReplay* replay, ManifestReplay* other) {
  INVARIANT(replay != nullptr && other != nullptr);
  const auto& there = *other->families();
  return std::all_of(replay->families()->begin(), replay->families()->end(),
                     [&there](const auto& entry) {
                       const auto found = there.find(entry.first);
                       return found != there.end() &&
                              found->second.name == entry.second.name;
                     });
}

// Whether tables can be opened. One that cannot, as its footer, properties or
// index are damaged, would fail the open of the whole database: it counts as
// missing.
class TableTrial {
 public:
  explicit TableTrial(const BestEffortsOpen& open) : open_(open) {}

  // NotFound: `path` is damaged. What else is wrong, such as a comparator, is
  // told by who opens it for good.
  Status Try(const std::string& family, const FileMeta& file,
             const std::string& path) {
    const Options* options = OptionsOf(family);
    if (options == nullptr) return Status::OK();
    ExternalTableRequest request;
    request.db = open_.db;
    request.cf = &options->cf;
    request.mutable_cf = &options->mutable_cf;
    request.file_options.use_mmap_reads = open_.db->allow_mmap_reads;
    request.path = path;
    if (open_.db->verify_sst_unique_id_in_manifest) {
      request.expected_unique_id = {file.unique_id.id0, file.unique_id.id1};
    }
    std::unique_ptr<TableReader> reader;
    uint64_t size_bytes = 0;
    const Status s = OpenExternalTable(request, &reader, &size_bytes);
    if (s.ok() || s.IsIOError()) return s;
    if (!s.IsCorruption()) return Status::OK();
    Warn(open_.db->logger, "best efforts do without %s: %s", path.c_str(),
         s.ToString().c_str());
    return Status::NotFound(path);
  }

 private:
  struct Options {
    explicit Options(const ColumnFamilyOptions& sanitized)
        : cf(sanitized), mutable_cf(sanitized) {}
    const ImmutableCFOptions cf;
    const MutableCFOptions mutable_cf;
  };

  // Null: the caller does not list the family.
  const Options* OptionsOf(const std::string& family) {
    std::unique_ptr<Options>& made = options_[family];
    const ColumnFamilyDescriptor* const found =
        FindDescriptor(*open_.descriptors, family);
    if (made == nullptr && found != nullptr) {
      made = std::make_unique<Options>(
          SanitizeColumnFamilyOptions(*open_.db, found->options));
    }
    return made.get();
  }

  const BestEffortsOpen open_;
  std::map<std::string, std::unique_ptr<Options>> options_;
};

FilesThere WhatIsThere(const BestEffortsOpen& open) {
  const auto paths_of = [&open](const std::string& family) {
    const ColumnFamilyDescriptor* found =
        FindDescriptor(*open.descriptors, family);
    return found != nullptr && !found->options.cf_paths.empty()
               ? found->options.cf_paths
               : open.db->db_paths;
  };
  const auto listings = std::make_shared<DirectoryListings>(open.db->fs);
  const auto has_size = [&open, listings](const std::string& path,
                                          uint64_t wanted) -> Status {
    bool is_listed = false;
    Status s = listings->Find(path, &is_listed);
    if (!s.ok()) return s;
    if (!is_listed) return Status::NotFound(path);
    uint64_t size = 0;
    s = open.db->fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (s.ok() && size == wanted) return s;
    const bool is_missing = s.ok() || s.IsNotFound() || s.IsPathNotFound();
    return is_missing ? Status::NotFound(path) : s;
  };
  FilesThere there;
  const auto trial = std::make_shared<TableTrial>(open);
  there.table = [=](const std::string& family, const FileMeta& file) {
    std::string path =
        TableFileName(paths_of(family), file.number, file.path_id);
    Status s = has_size(path, file.size_bytes);
    if (s.IsNotFound()) {
      path = LegacyTableFileName(path);
      s = has_size(path, file.size_bytes);
    }
    return s.ok() ? trial->Try(family, file, path) : s;
  };
  there.blob = [=](const std::string& family, const BlobFileAddition& blob) {
    const BlobFile file(blob);
    return has_size(BlobFileName(paths_of(family).front().path, blob.number),
                    file.size_bytes());
  };
  return there;
}

}  // namespace

const ColumnFamilyDescriptor* FindDescriptor(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    const std::string& name) {
  for (const ColumnFamilyDescriptor& descriptor : descriptors) {
    if (descriptor.name == name) return &descriptor;
  }
  return nullptr;
}

// By the first manifest that is of use; CURRENT may be lost or name none. One
// by which some family has lost everything is of use where all others are not.
Status ReplayBestEfforts(const BestEffortsOpen& open, ManifestReplay* replay) {
  INVARIANT(replay != nullptr);
  FileSystem* fs = open.db->fs;
  std::vector<uint64_t> manifests;
  Status s = ListManifests(fs, open.db_path, &manifests);
  if (s.ok()) s = OrderManifests(fs, open.db_path, &manifests);
  if (!s.ok()) return s;
  s = Status::Corruption(open.db_path, "there is no manifest");
  bool has_found = false;
  for (const uint64_t number : manifests) {
    const std::string path = DescriptorFileName(open.db_path, number);
    BestEfforts efforts(WhatIsThere(open));
    ManifestReplay one;
    s = efforts.Run(fs, path, number, &one);
    Warn(open.db->logger, "best efforts with %s: %s%s", path.c_str(),
         s.ToString().c_str(),
         efforts.has_lost_something() ? ", an older or smaller state" : "");
    // What cannot be read now may well be there: older data would take its
    // place for good.
    if (!s.ok() && !s.IsCorruption()) return s;
    if (!s.ok()) continue;
    const bool is_better =
        !efforts.has_lost_family() && HasFamiliesOf(replay, &one);
    if (has_found && !is_better) continue;
    *replay = std::move(one);
    has_found = true;
    if (!efforts.has_lost_family()) break;
  }
  return has_found ? Status::OK() : s;
}

}  // namespace ROCKSDB_NAMESPACE
