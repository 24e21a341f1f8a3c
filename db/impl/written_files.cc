#include "db/impl/written_files.h"

#include "db/files/file_room.h"
#include "db/files/log_keeper.h"
#include "db/files/options_files.h"
#include "db/impl/file_parts.h"
#include "db/impl/foundation.h"
#include "db/recovery/home_directory.h"
#include "file/page_cache_room.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

LogKeeper::Context LogContextOf(const WrittenFiles::Context& given,
                                PageCacheRoom* page_cache) {
  return {.db = &given.base->options,
          .wal_dir = given.base->wal_dir,
          .file_options = given.base->file_options,
          .page_cache = page_cache,
          .mutex = &given.base->mutex,
          .options = &given.base->current,
          .versions = given.versions,
          .manifest_directory = given.files->home()->directory(),
          .obsolete = given.files->obsolete()};
}

OptionsFiles::Context OptionsContextOf(const WrittenFiles::Context& given) {
  return {.db = &given.base->options,
          .db_name = given.base->name,
          .mutex = &given.base->mutex,
          .versions = given.versions,
          .obsolete = given.files->obsolete(),
          .directory = given.files->home()->directory()};
}

FileRoom::Context RoomContextOf(const WrittenFiles::Context& given,
                                WalManager* wal, OptionsFiles* options_files) {
  return {.db = &given.base->options,
          .db_name = given.base->name,
          .wal_dir = given.base->wal_dir,
          .mutex = &given.base->mutex,
          .families = given.families,
          .versions = given.versions,
          .wal = wal,
          .obsolete = given.files->obsolete(),
          .options_files = options_files};
}

}  // namespace

WrittenFiles::WrittenFiles(const Context& context)
    : context_(context),
      page_cache_(std::make_unique<PageCacheRoom>()),
      logs_(std::make_unique<LogKeeper>(
          LogContextOf(context, page_cache_.get()))) {
  INVARIANT(context.files->home()->directory() != nullptr);
}

WrittenFiles::~WrittenFiles() = default;

Status WrittenFiles::Open() {
  INVARIANT(room_ == nullptr);
  if (Status s = logs_->Open(); !s.ok()) return s;
  options_files_ = std::make_unique<OptionsFiles>(OptionsContextOf(context_));
  room_ = std::make_unique<FileRoom>(
      RoomContextOf(context_, logs_->wal(), options_files_.get()));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
