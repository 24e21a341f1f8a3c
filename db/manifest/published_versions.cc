#include "db/manifest/published_versions.h"

#include <map>

#include "db/blob/blob_source.h"
#include "db/tables/cache_charges.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

PublishedVersions::PublishedVersions(Context context)
    : context_(std::move(context)) {
  INVARIANT(context_.mutex != nullptr);
  INVARIANT(context_.numbers != nullptr);
}

VersionRef PublishedVersions::New(ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  return std::make_shared<Version>(cfd, next_number_++, &cfd->order(),
                                   cfd->ioptions().num_levels);
}

void PublishedVersions::Install(ColumnFamilyData* cfd, VersionRef version) {
  INVARIANT(cfd != nullptr);
  context_.mutex->AssertHeld();
  INVARIANT(version != nullptr && version->cfd() == cfd);
  AdoptFiles(cfd, version->storage());
  version->mutable_storage()->ComputeScores(cfd->ioptions(), *cfd->options(),
                                            NowSeconds());
  std::erase_if(versions_, [](const auto& v) { return v.expired(); });
  versions_.push_back(version);
  cfd->InstallVersion(std::move(version));
}

void PublishedVersions::KeepInDoubt(ColumnFamilyData* cfd, VersionRef version) {
  INVARIANT(cfd != nullptr && version != nullptr);
  context_.mutex->AssertHeld();
  AdoptFiles(cfd, version->storage());
  versions_.push_back(version);
  in_doubt_.emplace_back(cfd->shared_from_this(), std::move(version));
}

// From here on whoever lets a file of it go last has it deleted.
void PublishedVersions::AdoptFiles(ColumnFamilyData* cfd,
                                   const VersionStorage& storage) {
  for (int level = 0; level < storage.level_count(); ++level) {
    for (const FileRef& file : storage.files(level)) {
      INVARIANT(file->number < context_.numbers->next_file_number());
      if (file->sink != nullptr) continue;
      file->path = cfd->tables()->FilePath(*file);
      file->sink = context_.sink;
      if (file->sink != nullptr) file->sink->OnReferenced(file->number);
      file->uncache_aggressiveness = cfd->uncache_aggressiveness();
      ChargeFile(cfd->file_charge(), file.get());
    }
  }
  for (const BlobFileState& blob : storage.blobs()) {
    INVARIANT(blob.number() < context_.numbers->next_file_number());
    if (blob.file->sink != nullptr) continue;
    cfd->blobs()->Adopt(blob.file.get());
    blob.file->sink = context_.sink;
    if (context_.sink != nullptr) context_.sink->OnReferenced(blob.number());
  }
}

uint64_t PublishedVersions::NowSeconds() const {
  int64_t now = 0;
  if (!context_.db->clock->GetCurrentTime(&now).ok()) return 0;
  return static_cast<uint64_t>(now);
}

template <class Visit>
void PublishedVersions::VisitLive(const Visit& visit) const {
  context_.mutex->AssertHeld();
  for (const std::weak_ptr<Version>& weak : versions_) {
    const VersionRef version = weak.lock();
    if (version != nullptr) visit(*version);
  }
}

size_t PublishedVersions::CountOf(const ColumnFamilyData& cfd) const {
  size_t count = 0;
  VisitLive([&](const Version& version) {
    if (version.cfd() == &cfd) ++count;
  });
  return count;
}

void PublishedVersions::AddLiveFiles(std::vector<uint64_t>* numbers) const {
  INVARIANT(numbers != nullptr);
  VisitLive([numbers](const Version& version) {
    const VersionStorage& storage = version.storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        numbers->push_back(file->number);
      }
    }
    for (const BlobFileState& blob : storage.blobs()) {
      numbers->push_back(blob.number());
    }
  });
}

uint64_t PublishedVersions::TotalBlobBytes(const ColumnFamilyData& cfd) const {
  std::map<uint64_t, uint64_t> sizes;
  VisitLive([&](const Version& version) {
    if (version.cfd() != &cfd) return;
    for (const BlobFileState& blob : version.storage().blobs()) {
      sizes[blob.number()] = blob.file->size_bytes();
    }
  });
  uint64_t bytes = 0;
  for (const auto& entry : sizes) bytes += entry.second;
  return bytes;
}

uint64_t PublishedVersions::TotalTableBytes(const ColumnFamilyData& cfd) const {
  std::map<uint64_t, uint64_t> sizes;
  VisitLive([&](const Version& version) {
    if (version.cfd() != &cfd) return;
    const VersionStorage& storage = version.storage();
    for (int level = 0; level < storage.level_count(); ++level) {
      for (const FileRef& file : storage.files(level)) {
        sizes[file->number] = file->size_bytes;
      }
    }
  });
  uint64_t bytes = 0;
  for (const auto& entry : sizes) bytes += entry.second;
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE
