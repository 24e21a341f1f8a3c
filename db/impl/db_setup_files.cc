// DBImpl: families and files, put together.
#include "db/family/family_registry.h"
#include "db/family/state_publisher.h"
#include "db/files/file_access_chooser.h"
#include "db/files/obsolete_files.h"
#include "db/files/space_reserve.h"
#include "db/files/table_catalog.h"
#include "db/impl/db_impl.h"
#include "db/jobs/clean_up.h"
#include "db/recovery/follower_part.h"
#include "db/recovery/home_directory.h"
#include "db/version/linked_files.h"
#include "db/version/version_set.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpFamilies() {
  MutexLock lock(&mutex_);
  families_ = std::make_shared<FamilyRegistry>();
  states_ = std::make_shared<StatePublisher>(&mutex_, options_.stats);
}

void DBImpl::SetUpFiles() {
  MutexLock lock(&mutex_);
  home_ = std::make_shared<HomeDirectory>(
      HomeDirectory::Context{.db = &options_,
                             .db_name = name_,
                             .wal_dir = wal_dir_,
                             .file_options = file_options_,
                             .mutex = &mutex_});
  file_access_ = std::make_shared<const FileAccessChooser>(
      &options_, file_options_,
      mode_ == Mode::kReadWrite ? FileAccessChooser::Probing::kByFiles
                                : FileAccessChooser::Probing::kNone);
  space_ = std::make_shared<const SpaceReserve>(
      SpaceReserve::Context{.db = &options_,
                            .db_name = name_,
                            .mutex = &mutex_,
                            .families = families_.get()});
  catalog_ = std::make_shared<const TableCatalog>(
      TableCatalog::Context{.db = &options_,
                            .file_options = file_options_,
                            .db_name = name_,
                            .mutex = &mutex_,
                            .families = families_.get()});
}

void DBImpl::SetUpObsoleteFiles() {
  INVARIANT(table_cache_ != nullptr);
  ObsoleteFiles::Callbacks callbacks;
  callbacks.on_deleted = [this](const std::string& path, FileType type,
                                uint64_t /*number*/, const Status& status) {
    if (type == kBlobFile) {
      BlobFileDeletionInfo info;
      info.db_name = name_;
      info.file_path = path;
      info.status = status;
      NotifyListeners([&](EventListener* l) { l->OnBlobFileDeleted(info); });
    }
    if (type != kTableFile) return;
    TableFileDeletionInfo info;
    info.db_name = name_;
    info.file_path = path;
    info.status = status;
    NotifyListeners([&](EventListener* l) { l->OnTableFileDeleted(info); });
  };
  callbacks.forget = [open = table_cache_](UnreferencedTable table) {
    ForgetTable(std::move(table), open.get());
  };
  callbacks.on_unattended = [this] { clean_up_->Schedule(); };
  obsolete_ = std::make_shared<ObsoleteFiles>(
      &options_, io_governor_->shared_governor(), std::move(callbacks));
}

void DBImpl::MakeVersions() {
  VersionSet::Context versions;
  versions.db_path = source_;
  versions.db = &options_;
  versions.file_options = file_options_;
  versions.sink = obsolete_;
  if (follower_ != nullptr) {
    versions.sink = follower_->links();
    versions.links = follower_->links().get();
  }
  versions.mutex = &mutex_;
  ColumnFamilyData::Context& context = versions.families;
  context.db = &options_;
  context.mutex = &mutex_;
  context.db_name = name_;
  if (mode_ == Mode::kFollower) context.links_directory = name_;
  context.write_buffer_manager = memory_->manager();
  context.tables.file_options = file_options_;
  context.tables.db_session_id = session_id_;
  context.tables.pins_readers = &pins_readers_;
  context.tables.cache = table_cache_;
  context.tables.ephemeral = ephemeral_;
  context.tables.read_helpers = read_helpers_;
  context.tables.governor = io_governor_->governor();
  context.tables.fresh = memory_->fresh();
  for (const DbPath& path : options_.db_paths) {
    context.tables.paths.push_back(path.path);
  }
  INVARIANT(!context.tables.paths.empty());
  INVARIANT(context.tables.cache != nullptr);
  versions_ = std::make_shared<VersionSet>(std::move(versions));
}

}  // namespace ROCKSDB_NAMESPACE
