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

struct Changes::Given {
  const Intake::Surroundings& around;
  const Intake::Neighbours& neighbours;
  const Intake::Lines& lines;
  const Intake& intake;
  const Rooms& rooms;

  // What nearly all of the parts go by.
  EditContext Edit() const {
    return {.mutex = around.mutex,
            .families = around.families,
            .scheduler = neighbours.scheduler,
            .error = around.error,
            .versions = around.versions,
            .directory = rooms.directory,
            .publisher = around.publisher,
            .compactions = rooms.compactions,
            .changes = around.changes,
            .stop = around.stop,
            .errors = around.errors};
  }
  FamilyChanges::Context Families() const {
    FamilyChanges::Context context{Edit()};
    context.db = around.db;
    context.options = around.options;
    context.writes = lines.writes;
    context.wal_lock = lines.wal_lock;
    context.logs = neighbours.logs;
    context.attacher = rooms.attacher;
    context.access = rooms.access;
    context.options_files = rooms.options_files;
    context.flushes = neighbours.flushes;
    context.ages = rooms.ages;
    context.attention = lines.attention;
    return context;
  }
  OptionChanges::Context Options(FamilyChanges* families) const {
    return {.db = around.db,
            .db_name = rooms.db_name,
            .mutex = around.mutex,
            .options = around.options,
            .scheduler = neighbours.scheduler,
            .stalls = lines.stalls,
            .versions = around.versions,
            .families = families,
            .files = rooms.files,
            .access = rooms.access,
            .logs = neighbours.logs,
            .attention = lines.attention};
  }
  FamilyImport::Context Import() const {
    FamilyImport::Context context{Edit()};
    context.placing = rooms.placing;
    context.writes = lines.writes;
    context.wal_lock = lines.wal_lock;
    context.logs = neighbours.logs;
    context.jobs = rooms.jobs;
    return context;
  }
  Ingestion::Context Ingest() const {
    Ingestion::Context context{Edit()};
    context.handed_out = around.handed_out;
    context.db = around.db;
    context.placing = rooms.placing;
    context.writes = lines.writes;
    context.wal_lock = lines.wal_lock;
    context.logs = neighbours.logs;
    context.flush_requests = intake.flush_requests();
    context.reads = around.reads;
    context.jobs = rooms.jobs;
    return context;
  }
  FileDrop::Context Drop() const {
    FileDrop::Context context{Edit()};
    context.clean_up = neighbours.clean_up;
    context.obsolete = neighbours.obsolete;
    return context;
  }
  LogRequests::Context Logs() const {
    return {.mutex = around.mutex,
            .error = around.error,
            .logs = neighbours.logs,
            .wal_lock = lines.wal_lock,
            .clean_up = neighbours.clean_up,
            .counts = around.counts,
            .errors = around.errors};
  }
  LiveListing::Context Listing(LogRequests* log_requests) const {
    return {.fs = around.db->fs,
            .db_name = rooms.db_name,
            .mutex = around.mutex,
            .families = around.families,
            .error = around.error,
            .versions = around.versions,
            .options_files = rooms.options_files,
            .logs = neighbours.logs,
            .log_requests = log_requests,
            .flush_requests = intake.flush_requests(),
            .wal_lock = lines.wal_lock,
            .direct_blobs = intake.direct_blobs(),
            .always_flushes = around.db->allow_2pc};
  }
  Resumption::Context Resume() const {
    Resumption::Context context{Edit()};
    context.db = around.db;
    context.wal_lock = lines.wal_lock;
    context.logs = neighbours.logs;
    context.group_log = intake.log();
    context.sections = neighbours.sections;
    context.memtables = intake.memtables();
    context.flushes = neighbours.flushes;
    context.files = rooms.files;
    return context;
  }
};

Changes::Changes(const Intake::Surroundings& around,
                 const Intake::Neighbours& neighbours,
                 const Intake::Lines& lines, const Intake& intake,
                 const Rooms& rooms)
    : Changes(Given{.around = around,
                    .neighbours = neighbours,
                    .lines = lines,
                    .intake = intake,
                    .rooms = rooms}) {}

Changes::Changes(const Given& given)
    : families_(std::make_unique<FamilyChanges>(given.Families())),
      options_(std::make_unique<OptionChanges>(given.Options(families_.get()))),
      ingestion_(std::make_unique<Ingestion>(given.Ingest())),
      import_(std::make_unique<FamilyImport>(given.Import())),
      export_(std::make_unique<TableExport>(
          given.around.mutex, given.around.families, given.rooms.jobs,
          given.around.stop)),
      file_drop_(std::make_unique<FileDrop>(given.Drop())),
      logs_(std::make_unique<LogRequests>(given.Logs())),
      listing_(std::make_unique<LiveListing>(given.Listing(logs_.get()))),
      resumption_(std::make_unique<Resumption>(given.Resume())) {}

Changes::~Changes() = default;

}  // namespace ROCKSDB_NAMESPACE
