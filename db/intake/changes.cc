#include "db/intake/changes.h"

#include "db/intake/family_changes.h"
#include "db/intake/family_import.h"
#include "db/intake/ingestion.h"
#include "db/intake/live_listing.h"
#include "db/intake/log_requests.h"
#include "db/intake/option_changes.h"
#include "db/intake/resumption.h"
#include "db/jobs/file_drop.h"
#include "db/jobs/table_export.h"
#include "options/db_options.h"

namespace ROCKSDB_NAMESPACE {

Changes::Changes(const Intake::Surroundings& around,
                 const Intake::Neighbours& neighbours,
                 const Intake::Lines& lines, const Intake& intake,
                 const Rooms& rooms) {
  MakeFamilies(around, neighbours, lines, rooms);
  MakeTables(around, neighbours, lines, intake, rooms);
  MakeRequests(around, neighbours, lines, intake, rooms);
  MakeResumption(around, neighbours, lines, intake, rooms);
}

void Changes::MakeFamilies(const Intake::Surroundings& around,
                           const Intake::Neighbours& neighbours,
                           const Intake::Lines& lines, const Rooms& rooms) {
  families_ = std::make_unique<FamilyChanges>(
      FamilyChanges::Context{.db = around.db,
                             .mutex = around.mutex,
                             .families = rooms.families,
                             .scheduler = neighbours.scheduler,
                             .options = rooms.options,
                             .versions = around.versions,
                             .directory = rooms.directory,
                             .writes = lines.writes,
                             .wal_lock = lines.wal_lock,
                             .logs = neighbours.logs,
                             .attacher = rooms.attacher,
                             .access = rooms.access,
                             .options_files = rooms.options_files,
                             .publisher = around.publisher,
                             .compactions = rooms.compactions,
                             .flushes = neighbours.flushes,
                             .ages = rooms.ages,
                             .attention = lines.attention,
                             .changes = around.changes,
                             .errors = around.errors});
  options_ = std::make_unique<OptionChanges>(
      OptionChanges::Context{.db = around.db,
                             .db_name = rooms.db_name,
                             .mutex = around.mutex,
                             .options = rooms.options,
                             .scheduler = neighbours.scheduler,
                             .stalls = lines.stalls,
                             .versions = around.versions,
                             .families = families_.get(),
                             .files = rooms.files,
                             .access = rooms.access,
                             .logs = neighbours.logs,
                             .attention = lines.attention});
}

void Changes::MakeTables(const Intake::Surroundings& around,
                         const Intake::Neighbours& neighbours,
                         const Intake::Lines& lines, const Intake& intake,
                         const Rooms& rooms) {
  ingestion_ = std::make_unique<Ingestion>(
      Ingestion::Context{.handed_out = around.handed_out,
                         .db = around.db,
                         .mutex = around.mutex,
                         .families = rooms.families,
                         .scheduler = neighbours.scheduler,
                         .placing = rooms.placing,
                         .error = rooms.error,
                         .versions = around.versions,
                         .directory = rooms.directory,
                         .writes = lines.writes,
                         .wal_lock = lines.wal_lock,
                         .logs = neighbours.logs,
                         .flush_requests = intake.flush_requests(),
                         .reads = rooms.reads,
                         .jobs = rooms.jobs,
                         .publisher = around.publisher,
                         .compactions = rooms.compactions,
                         .stop = around.stop,
                         .errors = around.errors});
  import_ = std::make_unique<FamilyImport>(
      FamilyImport::Context{.mutex = around.mutex,
                            .families = rooms.families,
                            .scheduler = neighbours.scheduler,
                            .placing = rooms.placing,
                            .error = rooms.error,
                            .versions = around.versions,
                            .directory = rooms.directory,
                            .writes = lines.writes,
                            .wal_lock = lines.wal_lock,
                            .logs = neighbours.logs,
                            .jobs = rooms.jobs,
                            .publisher = around.publisher,
                            .compactions = rooms.compactions,
                            .stop = around.stop,
                            .errors = around.errors});
  export_ = std::make_unique<TableExport>(around.mutex, rooms.families,
                                          rooms.jobs, around.stop);
}

void Changes::MakeRequests(const Intake::Surroundings& around,
                           const Intake::Neighbours& neighbours,
                           const Intake::Lines& lines, const Intake& intake,
                           const Rooms& rooms) {
  file_drop_ = std::make_unique<FileDrop>(
      FileDrop::Context{.mutex = around.mutex,
                        .scheduler = neighbours.scheduler,
                        .versions = around.versions,
                        .directory = rooms.directory,
                        .compactions = rooms.compactions,
                        .publisher = around.publisher,
                        .clean_up = neighbours.clean_up,
                        .obsolete = neighbours.obsolete,
                        .changes = around.changes,
                        .errors = around.errors});
  logs_ = std::make_unique<LogRequests>(
      LogRequests::Context{.mutex = around.mutex,
                           .error = rooms.error,
                           .logs = neighbours.logs,
                           .wal_lock = lines.wal_lock,
                           .clean_up = neighbours.clean_up,
                           .counts = around.counts,
                           .errors = around.errors});
  listing_ = std::make_unique<LiveListing>(
      LiveListing::Context{.fs = around.db->fs,
                           .db_name = rooms.db_name,
                           .mutex = around.mutex,
                           .families = rooms.families,
                           .error = rooms.error,
                           .versions = around.versions,
                           .options_files = rooms.options_files,
                           .logs = neighbours.logs,
                           .log_requests = logs_.get(),
                           .flush_requests = intake.flush_requests(),
                           .wal_lock = lines.wal_lock});
}

void Changes::MakeResumption(const Intake::Surroundings& around,
                             const Intake::Neighbours& neighbours,
                             const Intake::Lines& lines, const Intake& intake,
                             const Rooms& rooms) {
  resumption_ = std::make_unique<Resumption>(
      Resumption::Context{.db = around.db,
                          .mutex = around.mutex,
                          .families = rooms.families,
                          .scheduler = neighbours.scheduler,
                          .error = rooms.error,
                          .versions = around.versions,
                          .directory = rooms.directory,
                          .wal_lock = lines.wal_lock,
                          .logs = neighbours.logs,
                          .group_log = intake.log(),
                          .sections = neighbours.sections,
                          .memtables = intake.memtables(),
                          .flushes = neighbours.flushes,
                          .compactions = rooms.compactions,
                          .files = rooms.files,
                          .publisher = around.publisher,
                          .changes = around.changes,
                          .stop = around.stop,
                          .errors = around.errors});
}

Changes::~Changes() = default;

}  // namespace ROCKSDB_NAMESPACE
