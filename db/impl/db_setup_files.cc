// DBImpl: families and files, put together.
#include "db/family/family_registry.h"
#include "db/family/state_publisher.h"
#include "db/files/file_access_chooser.h"
#include "db/files/obsolete_files.h"
#include "db/files/open_tables.h"
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
  MutexLock lock(&base_.mutex);
  families_ = std::make_shared<FamilyRegistry>();
  states_ = std::make_shared<StatePublisher>(&base_.mutex, base_.options.stats);
}

void DBImpl::SetUpFiles() {
  MutexLock lock(&base_.mutex);
  home_ = std::make_shared<HomeDirectory>(
      HomeDirectory::Context{.db = &base_.options,
                             .db_name = base_.name,
                             .wal_dir = base_.wal_dir,
                             .file_options = base_.file_options,
                             .mutex = &base_.mutex});
  file_access_ = std::make_shared<const FileAccessChooser>(
      &base_.options, base_.file_options,
      mode_ == Mode::kReadWrite ? FileAccessChooser::Probing::kByFiles
                                : FileAccessChooser::Probing::kNone);
  space_ = std::make_shared<const SpaceReserve>(
      SpaceReserve::Context{.db = &base_.options,
                            .db_name = base_.name,
                            .mutex = &base_.mutex,
                            .families = families_.get()});
  catalog_ = std::make_shared<const TableCatalog>(
      TableCatalog::Context{.db = &base_.options,
                            .file_options = base_.file_options,
                            .db_name = base_.name,
                            .mutex = &base_.mutex,
                            .families = families_.get()});
}

void DBImpl::SetUpObsoleteFiles() {
  INVARIANT(open_tables_ != nullptr);
  ObsoleteFiles::Callbacks callbacks;
  callbacks.on_deleted = [this](const std::string& path, FileType type,
                                uint64_t /*number*/, const Status& status) {
    if (type == kBlobFile) {
      BlobFileDeletionInfo info;
      info.db_name = base_.name;
      info.file_path = path;
      info.status = status;
      NotifyListeners([&](EventListener* l) { l->OnBlobFileDeleted(info); });
    }
    if (type != kTableFile) return;
    TableFileDeletionInfo info;
    info.db_name = base_.name;
    info.file_path = path;
    info.status = status;
    NotifyListeners([&](EventListener* l) { l->OnTableFileDeleted(info); });
  };
  callbacks.forget = [open = open_tables_->cache()](UnreferencedTable table) {
    ForgetTable(std::move(table), open.get());
  };
  callbacks.on_unattended = [this] { clean_up_->Schedule(); };
  obsolete_ = std::make_shared<ObsoleteFiles>(
      &base_.options, base_.io_governor->shared_governor(),
      std::move(callbacks));
}

void DBImpl::MakeVersions() {
  VersionSet::Context versions;
  versions.db_path = base_.source;
  versions.db = &base_.options;
  versions.file_options = base_.file_options;
  versions.sink = obsolete_;
  if (follower_ != nullptr) {
    versions.sink = follower_->links();
    versions.links = follower_->links().get();
  }
  versions.mutex = &base_.mutex;
  ColumnFamilyData::Context& context = versions.families;
  context.db = &base_.options;
  context.mutex = &base_.mutex;
  context.db_name = base_.name;
  if (mode_ == Mode::kFollower) context.links_directory = base_.name;
  context.write_buffer_manager = memory_->manager();
  context.tables.file_options = base_.file_options;
  context.tables.db_session_id = base_.session_id;
  context.tables.pins_readers = open_tables_->pins_readers();
  context.tables.cache = open_tables_->cache();
  context.tables.ephemeral = ephemeral_;
  context.tables.read_helpers = read_helpers_;
  context.tables.governor = base_.io_governor->governor();
  context.tables.fresh = memory_->fresh();
  for (const DbPath& path : base_.options.db_paths) {
    context.tables.paths.push_back(path.path);
  }
  INVARIANT(!context.tables.paths.empty());
  INVARIANT(context.tables.cache != nullptr);
  versions_ = std::make_shared<VersionSet>(std::move(versions));
}

}  // namespace ROCKSDB_NAMESPACE
