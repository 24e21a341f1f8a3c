// DBImpl: what changes families, options and tables, put together.
#include "db/family/family_registry.h"
#include "db/impl/db_impl.h"
#include "db/intake/family_attacher.h"
#include "db/intake/family_changes.h"
#include "db/intake/family_import.h"
#include "db/intake/ingestion.h"
#include "db/intake/intake.h"
#include "db/intake/live_listing.h"
#include "db/intake/log_requests.h"
#include "db/intake/option_changes.h"
#include "db/jobs/background_control.h"
#include "db/jobs/file_drop.h"
#include "db/jobs/resume_control.h"
#include "db/jobs/table_export.h"
#include "db/recovery/home_directory.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpAttacher() {
  MutexLock lock(&mutex_);
  attacher_ = std::make_shared<FamilyAttacher>(
      FamilyAttacher::Context{.db = &options_,
                              .mutex = &mutex_,
                              .families = families_.get(),
                              .versions = versions_.get(),
                              .publisher = publisher_.get(),
                              .logs = logs_.get(),
                              .intake = intake_.get()});
}

// Of a database that writes, as the next.
void DBImpl::SetUpChanges() {
  MutexLock lock(&mutex_);
  family_changes_ = std::make_shared<FamilyChanges>(
      FamilyChanges::Context{.db = &options_,
                             .mutex = &mutex_,
                             .families = families_.get(),
                             .scheduler = background_.get(),
                             .options = &mutable_options_,
                             .versions = versions_.get(),
                             .directory = home_->directory(),
                             .writes = &write_thread_,
                             .wal_lock = wal_lock_.get(),
                             .logs = logs_.get(),
                             .attacher = attacher_.get(),
                             .access = file_access_.get(),
                             .options_files = options_files_.get(),
                             .publisher = publisher_.get(),
                             .compactions = compactions_.get(),
                             .flushes = flushes_.get(),
                             .ages = ages_.get(),
                             .attention = &attention_,
                             .changes = &changes_,
                             .errors = resume_.get()});
  option_changes_ = std::make_shared<OptionChanges>(
      OptionChanges::Context{.db = &options_,
                             .db_name = name_,
                             .mutex = &mutex_,
                             .options = &mutable_options_,
                             .scheduler = background_.get(),
                             .stalls = stalls_.get(),
                             .versions = versions_.get(),
                             .families = family_changes_.get(),
                             .files = file_room_.get(),
                             .access = file_access_.get(),
                             .logs = logs_.get(),
                             .attention = &attention_});
  SetUpTables();
}

void DBImpl::SetUpTables() {
  ingestion_ = std::make_shared<Ingestion>(
      Ingestion::Context{.handed_out = this,
                         .db = &options_,
                         .mutex = &mutex_,
                         .families = families_.get(),
                         .scheduler = background_.get(),
                         .placing = placing_.get(),
                         .error = &errors_,
                         .versions = versions_.get(),
                         .directory = home_->directory(),
                         .writes = &write_thread_,
                         .wal_lock = wal_lock_.get(),
                         .logs = logs_.get(),
                         .flush_requests = intake_->flush_requests(),
                         .reads = reads_.get(),
                         .jobs = jobs_.get(),
                         .publisher = publisher_.get(),
                         .compactions = compactions_.get(),
                         .stop = &stop_,
                         .errors = resume_.get()});
  family_import_ = std::make_shared<FamilyImport>(
      FamilyImport::Context{.mutex = &mutex_,
                            .families = families_.get(),
                            .scheduler = background_.get(),
                            .placing = placing_.get(),
                            .error = &errors_,
                            .versions = versions_.get(),
                            .directory = home_->directory(),
                            .writes = &write_thread_,
                            .wal_lock = wal_lock_.get(),
                            .logs = logs_.get(),
                            .jobs = jobs_.get(),
                            .publisher = publisher_.get(),
                            .compactions = compactions_.get(),
                            .stop = &stop_,
                            .errors = resume_.get()});
  table_export_ = std::make_shared<TableExport>(&mutex_, families_.get(),
                                                jobs_.get(), &stop_);
}

// Of a database that writes, but for the first one.
void DBImpl::SetUpRequests() {
  MutexLock lock(&mutex_);
  control_ = std::make_shared<BackgroundControl>(
      BackgroundControl::Context{.clock = options_.clock,
                                 .mutex = &mutex_,
                                 .scheduler = background_.get(),
                                 .manual = manual_.get(),
                                 .errors = &errors_,
                                 .compactions = compactions_.get(),
                                 .clean_up = clean_up_.get(),
                                 .obsolete = obsolete_.get(),
                                 .stop = &stop_,
                                 .changes = &changes_});
  if (logs_ == nullptr) return;
  file_drop_ = std::make_shared<FileDrop>(
      FileDrop::Context{.mutex = &mutex_,
                        .scheduler = background_.get(),
                        .versions = versions_.get(),
                        .directory = home_->directory(),
                        .compactions = compactions_.get(),
                        .publisher = publisher_.get(),
                        .clean_up = clean_up_.get(),
                        .obsolete = obsolete_.get(),
                        .changes = &changes_,
                        .errors = resume_.get()});
  log_requests_ = std::make_shared<LogRequests>(
      LogRequests::Context{.mutex = &mutex_,
                           .error = &errors_,
                           .logs = logs_.get(),
                           .wal_lock = wal_lock_.get(),
                           .clean_up = clean_up_.get(),
                           .counts = database_stats_.get(),
                           .errors = resume_.get()});
  live_listing_ = std::make_shared<LiveListing>(
      LiveListing::Context{.fs = options_.fs,
                           .db_name = name_,
                           .mutex = &mutex_,
                           .families = families_.get(),
                           .error = &errors_,
                           .versions = versions_.get(),
                           .options_files = options_files_.get(),
                           .logs = logs_.get(),
                           .log_requests = log_requests_.get(),
                           .flush_requests = intake_->flush_requests(),
                           .wal_lock = wal_lock_.get()});
}

}  // namespace ROCKSDB_NAMESPACE
