#include "db/compaction/compaction_events.h"

#include <string>
#include <vector>

#include "db/family/column_family.h"
#include "db/version/lsm_state.h"
#include "rocksdb/info_log.h"
#include "util/compression.h"
#include "util/event_text.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void AddFamilyAndInputs(const JobContext& job, const Compaction& c,
                        EventText* event) {
  INVARIANT(!c.inputs.empty());
  event->Add("cf_name", job.cfd->name())
      .Add("job", job.job_id)
      .Add("compaction_reason", GetCompactionReasonString(c.reason));
  for (const CompactionInputLevel& input : c.inputs) {
    std::vector<uint64_t> numbers;
    for (const FileRef& file : input.files) numbers.push_back(file->number);
    event->Add("files_L" + std::to_string(input.level), numbers);
  }
}

}  // namespace

void LogStarted(const JobContext& job, const Compaction& c) {
  EventText event("compaction_started");
  AddFamilyAndInputs(job, c, &event);
  event.Add("score", c.score).Add("input_data_size", c.InputBytes());
  const std::vector<SequenceNumber>& snapshots = job.snapshots.sequences;
  if (snapshots.empty()) {
    event.Add("oldest_snapshot_seqno", -1);
  } else {
    event.Add("oldest_snapshot_seqno", snapshots.front());
  }
  Info(job.db->logger, "%s", event.Finish().c_str());
}

void LogMoved(const JobContext& job, const Compaction& c) {
  job.mutex->AssertHeld();
  EventText event("trivial_move");
  AddFamilyAndInputs(job, c, &event);
  event.Add("destination_level", c.output_level)
      .Add("files", uint64_t{c.InputFileCount()})
      .Add("total_files_size", c.InputBytes())
      .Add("lsm_state", LsmState(job.cfd->current()->storage()));
  Info(job.db->logger, "%s", event.Finish().c_str());
}

void LogFinished(const JobContext& job, const Compaction& c,
                 const LevelWork& work, size_t parts) {
  job.mutex->AssertHeld();
  EventText event("compaction_finished");
  event.Add("cf_name", job.cfd->name())
      .Add("job", job.job_id)
      .Add("compaction_time_micros", work.micros)
      .Add("compaction_time_cpu_micros", work.cpu_micros)
      .Add("output_level", c.output_level)
      .Add("num_output_files", work.files_written)
      .Add("total_output_size", work.bytes_written)
      .Add("num_input_records", work.records_in)
      .Add("num_output_records", work.records_in - work.records_dropped)
      .Add("num_subcompactions", uint64_t{parts})
      .Add("output_compression", CompressionTypeToString(c.compression));
  if (!c.unread.empty()) {
    event.Add("num_filtered_input_files", uint64_t{c.unread.size()})
        .Add("total_skipped_input_bytes", c.InputBytes() - c.ReadBytes());
  }
  if (c.options->report_bg_io_stats) {
    event.Add("file_write_nanos", work.write_nanos)
        .Add("file_range_sync_nanos", work.range_sync_nanos)
        .Add("file_fsync_nanos", work.fsync_nanos)
        .Add("file_prepare_write_nanos", work.prepare_write_nanos);
  }
  event.Add("lsm_state", LsmState(job.cfd->current()->storage()));
  Info(job.db->logger, "%s", event.Finish().c_str());
}

}  // namespace ROCKSDB_NAMESPACE
