// The files of a database, whether it writes them or only reads them: where
// they are, how they are opened, which of them are open, and which may go.
//
// Threads    As each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given. What versions hold is shared with them.
#pragma once

#include <functional>
#include <memory>

#include "db/files/file_access_chooser.h"
#include "db/files/open_tables.h"

namespace ROCKSDB_NAMESPACE {

class EphemeralReaders;
class FamilyRegistry;
class HomeDirectory;
class IoHelpers;
class LinkedFiles;
class ObsoleteFiles;
class SpaceReserve;
class TableCatalog;
class VersionSet;
class WriteMemory;
struct Foundation;

class FileParts {
 public:
  struct Context {
    Foundation* base = nullptr;
    const FamilyRegistry* families = nullptr;  // (mutex)
    FileAccessChooser::Probing probing = FileAccessChooser::Probing::kNone;
    // Files are left behind where nothing may be deleted.
    std::function<void()> on_unattended;
  };
  explicit FileParts(const Context& context);
  ~FileParts();
  FileParts(const FileParts&) = delete;
  FileParts& operator=(const FileParts&) = delete;

  HomeDirectory* home() const { return home_.get(); }
  const FileAccessChooser* access() const { return access_.get(); }
  const SpaceReserve* space() const { return space_.get(); }
  const TableCatalog* catalog() const { return catalog_.get(); }
  OpenTables* open_tables() const { return open_tables_.get(); }
  const EphemeralReaders* ephemeral() const { return ephemeral_.get(); }
  ObsoleteFiles* obsolete() const { return obsolete_.get(); }

  // The version set of these files. `links`: null where tables are opened as
  // they are.
  std::unique_ptr<VersionSet> MakeVersions(
      const WriteMemory& memory,
      const std::shared_ptr<LinkedFiles>& links) const;

 private:
  Foundation* const base_;
  const std::unique_ptr<OpenTables> open_tables_;
  const std::shared_ptr<EphemeralReaders> ephemeral_;
  const std::shared_ptr<IoHelpers> read_helpers_;
  const std::unique_ptr<HomeDirectory> home_;
  const std::unique_ptr<const FileAccessChooser> access_;
  const std::unique_ptr<const SpaceReserve> space_;
  const std::unique_ptr<const TableCatalog> catalog_;
  const std::shared_ptr<ObsoleteFiles> obsolete_;
};

}  // namespace ROCKSDB_NAMESPACE
