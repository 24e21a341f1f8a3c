#include "db/impl/file_parts.h"

#include <string>
#include <utility>

#include "db/files/obsolete_files.h"
#include "db/files/space_reserve.h"
#include "db/files/table_catalog.h"
#include "db/impl/foundation.h"
#include "db/manifest/linked_files.h"
#include "db/manifest/version_set.h"
#include "db/recovery/home_directory.h"
#include "db/tables/table_cache.h"
#include "db/write/write_memory.h"
#include "file/io_governor.h"
#include "file/io_helpers.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct DeletedFile {
  std::string path;
  FileType type;
  Status status;
};

void TellDeleted(const Foundation& base, const DeletedFile& file) {
  const auto fill = [&base, &file](auto* info) {
    info->db_name = base.name;
    info->file_path = file.path;
    info->status = file.status;
  };
  if (file.type == kBlobFile) {
    BlobFileDeletionInfo info;
    fill(&info);
    for (const auto& listener : base.options.listeners) {
      listener->OnBlobFileDeleted(info);
    }
  }
  if (file.type != kTableFile) return;
  TableFileDeletionInfo info;
  fill(&info);
  for (const auto& listener : base.options.listeners) {
    listener->OnTableFileDeleted(info);
  }
}

ObsoleteFiles::Callbacks CallbacksOf(const FileParts::Context& context,
                                     const OpenTables& open_tables) {
  ObsoleteFiles::Callbacks callbacks;
  callbacks.on_deleted = [base = context.base](
                             const std::string& path, FileType type,
                             uint64_t /*number*/, const Status& status) {
    TellDeleted(*base, {.path = path, .type = type, .status = status});
  };
  callbacks.forget = [open = open_tables.cache()](UnreferencedTable table) {
    ForgetTable(std::move(table), open.get());
  };
  callbacks.on_unattended = context.on_unattended;
  return callbacks;
}

HomeDirectory::Context HomeContext(Foundation* base) {
  return {.db = &base->options,
          .db_name = base->name,
          .wal_dir = base->wal_dir,
          .file_options = base->file_options,
          .mutex = &base->mutex};
}

SpaceReserve::Context SpaceContext(const FileParts::Context& context) {
  return {.db = &context.base->options,
          .db_name = context.base->name,
          .mutex = &context.base->mutex,
          .families = context.families};
}

TableCatalog::Context CatalogContext(const FileParts::Context& context) {
  return {.db = &context.base->options,
          .file_options = context.base->file_options,
          .db_name = context.base->name,
          .mutex = &context.base->mutex,
          .families = context.families};
}

}  // namespace

FileParts::FileParts(const Context& context)
    : base_(context.base),
      open_tables_(
          std::make_unique<OpenTables>(base_->options, *base_->current.Get())),
      ephemeral_(std::make_shared<EphemeralReaders>()),
      read_helpers_(
          std::make_shared<IoHelpers>(base_->options.read_io_executor_threads)),
      home_(std::make_unique<HomeDirectory>(HomeContext(base_))),
      access_(std::make_unique<const FileAccessChooser>(
          &base_->options, base_->file_options, context.probing)),
      space_(std::make_unique<const SpaceReserve>(SpaceContext(context))),
      catalog_(std::make_unique<const TableCatalog>(CatalogContext(context))),
      obsolete_(std::make_shared<ObsoleteFiles>(
          &base_->options, base_->io_governor->shared_governor(),
          CallbacksOf(context, *open_tables_))) {}

FileParts::~FileParts() = default;

std::unique_ptr<VersionSet> FileParts::MakeVersions(
    const WriteMemory& memory,
    const std::shared_ptr<LinkedFiles>& links) const {
  VersionSet::Context versions;
  versions.db_path = base_->source;
  versions.db = &base_->options;
  versions.limits = ManifestLimits(*base_->current.Get());
  versions.file_options = base_->file_options;
  versions.sink = obsolete_;
  versions.mutex = &base_->mutex;
  ColumnFamilyData::Context& context = versions.families;
  if (links != nullptr) {
    versions.sink = links;
    versions.links = links.get();
    context.links_directory = base_->name;
  }
  context.db = &base_->options;
  context.mutex = &base_->mutex;
  context.db_name = base_->name;
  context.write_buffer_manager = memory.manager();
  context.tables.file_options = base_->file_options;
  context.tables.db_session_id = base_->session_id;
  context.tables.pins_readers = open_tables_->pins_readers();
  context.tables.uses_metadata = open_tables_->uses_metadata();
  context.tables.cache = open_tables_->cache();
  context.tables.ephemeral = ephemeral_;
  context.tables.read_helpers = read_helpers_;
  context.tables.governor = base_->io_governor->governor();
  context.tables.fresh = memory.fresh();
  for (const DbPath& path : base_->options.db_paths) {
    context.tables.paths.push_back(path.path);
  }
  INVARIANT(!context.tables.paths.empty());
  return std::make_unique<VersionSet>(std::move(versions));
}

}  // namespace ROCKSDB_NAMESPACE
