// DBImpl: what compacts, put together.
#include "db/family/sequence_ages.h"
#include "db/impl/db_impl.h"
#include "db/intake/intake.h"
#include "db/intake/section_keeper.h"
#include "db/intake/transaction_desk.h"
#include "db/jobs/compaction_desk.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/flush_runner.h"
#include "db/jobs/job_contexts.h"
#include "db/jobs/manual_compactions.h"
#include "db/jobs/picker_inputs.h"
#include "db/jobs/resume_control.h"
#include "db/lookup/read_port.h"
#include "db/recovery/home_directory.h"

namespace ROCKSDB_NAMESPACE {

void DBImpl::SetUpJobs() {
  MutexLock lock(&base_.mutex);
  sections_ = std::make_shared<SectionKeeper>(&base_.mutex, versions_.get());
  ages_ = std::make_shared<SequenceAges>(&base_.options, &base_.mutex,
                                         families_.get(), versions_.get());
  compactions_ = std::make_shared<CompactionQueue>(
      CompactionQueue::Context{.db = &base_.options,
                               .mutex = &base_.mutex,
                               .options = &base_.current,
                               .families = families_.get(),
                               .scheduler = background_.get(),
                               .snapshots = &reads_->snapshots(),
                               .changes = &base_.changes,
                               .stop = &base_.stop,
                               .versions = versions_.get()});
  jobs_ = std::make_shared<JobContexts>(
      JobContexts::Context{.db = &base_.options,
                           .db_name = base_.name,
                           .session_id = base_.session_id,
                           .file_options = base_.file_options,
                           .mutex = &base_.mutex,
                           .options = &base_.current,
                           .versions = versions_.get(),
                           .directory = home_->directory(),
                           .io_governor = base_.io_governor.get(),
                           .page_cache_room = page_cache_room_.get(),
                           .obsolete = obsolete_.get(),
                           .scheduler = background_.get(),
                           .snapshots = &reads_->snapshots(),
                           .stop = &base_.stop,
                           .ages = ages_.get()});
  runner_ = std::make_shared<CompactionRunner>(
      CompactionRunner::Context{.handed_out = this,
                                .db = &base_.options,
                                .mutex = &base_.mutex,
                                .scheduler = background_.get(),
                                .publisher = publisher_.get(),
                                .queue = compactions_.get(),
                                .jobs = jobs_.get(),
                                .remote = remote_runs_.get(),
                                .stop = &base_.stop,
                                .changes = &base_.changes});
}

void DBImpl::SetUpDesks() {
  MutexLock lock(&base_.mutex);
  picker_inputs_ = std::make_shared<const PickerInputs>(
      &base_.mutex, &base_.current, ages_.get());
  desk_ = std::make_shared<CompactionDesk>(
      CompactionDesk::Context{.mutex = &base_.mutex,
                              .inputs = picker_inputs_.get(),
                              .families = families_.get(),
                              .scheduler = background_.get(),
                              .manual = manual_.get(),
                              .queue = compactions_.get(),
                              .runner = runner_.get(),
                              .space = space_.get(),
                              .stop = &base_.stop,
                              .changes = &base_.changes,
                              .errors = resume_.get()});
  on_request_ = std::make_shared<ManualCompactions>(
      ManualCompactions::Context{.mutex = &base_.mutex,
                                 .families = families_.get(),
                                 .scheduler = background_.get(),
                                 .manual = manual_.get(),
                                 .placing = placing_.get(),
                                 .publisher = publisher_.get(),
                                 .error = &base_.errors,
                                 .versions = versions_.get(),
                                 .directory = home_->directory(),
                                 .queue = compactions_.get(),
                                 .runner = runner_.get(),
                                 .inputs = picker_inputs_.get(),
                                 .space = space_.get(),
                                 .stop = &base_.stop,
                                 .changes = &base_.changes,
                                 .errors = resume_.get()});
}

// Of a database that writes.
void DBImpl::SetUpFlushes() {
  MutexLock lock(&base_.mutex);
  flush_runner_ = std::make_shared<FlushRunner>(
      FlushRunner::Context{.handed_out = this,
                           .db = &base_.options,
                           .mutex = &base_.mutex,
                           .families = families_.get(),
                           .scheduler = background_.get(),
                           .desk = flushes_.get(),
                           .logs = logs_.get(),
                           .jobs = jobs_.get(),
                           .publisher = publisher_.get(),
                           .memory = memory_.get(),
                           .compactions = compactions_.get(),
                           .files = file_room_.get(),
                           .changes = &base_.changes,
                           .errors = resume_.get()});
}

void DBImpl::SetUpTransactions() {
  MutexLock lock(&base_.mutex);
  transactions_ = std::make_shared<TransactionDesk>(TransactionDesk::Context{
      .owner = this,
      .db = &base_.options,
      .mutex = &base_.mutex,
      .families = families_.get(),
      .versions = versions_.get(),
      .reads = reads_.get(),
      .sections = sections_.get(),
      .pipeline = intake_ != nullptr ? intake_->pipeline() : nullptr,
      .check_writable = [this] { return CheckWritable(); },
      .make_handle =
          [this](ColumnFamilyRef cfd) { return NewHandle(std::move(cfd)); }});
}

}  // namespace ROCKSDB_NAMESPACE
