// The parts that change a database at a user's request, and hand out what it
// has, put together: what a database that writes has beside Intake.
//
// Threads    As each part says.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include <memory>
#include <string>

#include "db/intake/intake.h"

namespace ROCKSDB_NAMESPACE {

class CompactionQueue;
class FSDirectory;
class FamilyAttacher;
class FamilyChanges;
class FamilyImport;
class FileAccessChooser;
class FileDrop;
class FileRoom;
class Ingestion;
class JobContexts;
class LevelPlacing;
class LiveListing;
class LogRequests;
class OptionChanges;
class OptionsFiles;
class Resumption;
class SequenceAges;
class TableExport;

class Changes {
 public:
  // What writes do not go by.
  struct Rooms {
    std::string db_name;
    FSDirectory* directory = nullptr;  // the manifest's
    LevelPlacing* placing = nullptr;   // (mutex)
    JobContexts* jobs = nullptr;
    CompactionQueue* compactions = nullptr;
    SequenceAges* ages = nullptr;
    FamilyAttacher* attacher = nullptr;
    const FileAccessChooser* access = nullptr;
    OptionsFiles* options_files = nullptr;
    FileRoom* files = nullptr;
  };
  Changes(const Intake::Surroundings& around,
          const Intake::Neighbours& neighbours, const Intake::Lines& lines,
          const Intake& intake, const Rooms& rooms);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  FamilyChanges* families() const { return families_.get(); }
  OptionChanges* options() const { return options_.get(); }
  Ingestion* ingestion() const { return ingestion_.get(); }
  FamilyImport* family_import() const { return import_.get(); }
  TableExport* table_export() const { return export_.get(); }
  FileDrop* file_drop() const { return file_drop_.get(); }
  LogRequests* logs() const { return logs_.get(); }
  LiveListing* listing() const { return listing_.get(); }
  Resumption* resumption() const { return resumption_.get(); }

 private:
  struct Given;
  explicit Changes(const Given& given);

  // In the order in which they are made.
  std::unique_ptr<FamilyChanges> families_;
  std::unique_ptr<OptionChanges> options_;
  std::unique_ptr<Ingestion> ingestion_;
  std::unique_ptr<FamilyImport> import_;
  std::unique_ptr<TableExport> export_;
  std::unique_ptr<FileDrop> file_drop_;
  std::unique_ptr<LogRequests> logs_;
  std::unique_ptr<LiveListing> listing_;
  std::unique_ptr<Resumption> resumption_;
};

}  // namespace ROCKSDB_NAMESPACE
