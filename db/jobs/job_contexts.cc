#include "db/jobs/job_contexts.h"

#include <algorithm>
#include <utility>

#include "db/background/background_scheduler.h"
#include "db/background/stop_signals.h"
#include "db/files/obsolete_files.h"
#include "db/files/pending_outputs.h"
#include "db/manifest/version_set.h"
#include "db/registry/current_options.h"
#include "db/registry/family_entry.h"
#include "db/registry/sequence_ages.h"
#include "db/semantics/snapshot_list.h"
#include "file/io_governor.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Where files leave timestamps out all that is in them is history, even before
// any flush has said so.
// What jobs may take for history ends here.
std::string HistoryEnd(const ColumnFamilyData& cfd) {
  const std::string& low = cfd.full_history_ts_low();
  if (cfd.ioptions().left_out_timestamp_bytes() == 0) return low;
  const Comparator& order = *cfd.user_comparator();
  if (!low.empty() && order.CompareTimestamp(low, MinU64Ts()) > 0) return low;
  return TimestampAfter(MinU64Ts());
}

}  // namespace

JobContexts::JobContexts(Context context) : context_(std::move(context)) {
  INVARIANT(context_.versions != nullptr);
  INVARIANT(context_.ages != nullptr);
  INVARIANT(context_.stop != nullptr);
  INVARIANT(context_.obsolete != nullptr);
  INVARIANT(!context_.session_id.empty());
}

JobContext JobContexts::Make(FamilyEntry* family) const {
  context_.mutex->AssertHeld();
  INVARIANT(family != nullptr);
  INVARIANT(!family->directories.empty());
  INVARIANT(family->cfd != nullptr);
  JobContext context;
  context.job_id = context_.scheduler->NewJobId();
  context.hold_outputs = [versions = context_.versions,
                          pending = context_.obsolete->pending_outputs()] {
    return pending->HoldFrom(versions->next_file_number());
  };
  context.pending_outputs = context.hold_outputs();
  context.db_name = context_.db_name;
  context.db_id = context_.versions->db_id();
  context.db_session_id = context_.session_id;
  context.db = context_.db;
  context.mutable_db = context_.options->held();
  context.read_file_options = context_.file_options;
  context.output_file_options =
      context_.db->fs->OptimizeForCompactionTableWrite(
          context_.file_options,
          ImmutableDBOptions(*context_.db, *context.mutable_db));
  context.versions = context_.versions;
  context.cfd = family->cfd.get();
  context.full_history_ts_low = HistoryEnd(*family->cfd);
  context.mutex = context_.mutex;
  context.db_directory = context_.directory;
  // Where levels have no sizes, how much is still to be done is not known.
  if (TraitsOf(family->cfd->ioptions().compaction_style).sizes_levels) {
    context.deep_pace = context_.io_governor->deep_pace();
  }
  // Without heat nothing would come back of what leaves.
  if (context_.page_cache_room != nullptr &&
      context_.db->compaction_keeps_hot_data &&
      context.mutable_db->read_access != FileAccess::kBuffered &&
      context.mutable_db->write_access == FileAccess::kBuffered) {
    UsePageCache(context_.page_cache_room, &context);
  }
  context.delete_file = [files = context_.obsolete](const std::string& path,
                                                    uint64_t size_bytes) {
    return files->DeleteData(path, size_bytes);
  };
  context.output_directory = [family](uint32_t path_id) {
    const size_t last = family->directories.size() - 1;
    return family->directories[std::min<size_t>(path_id, last)].get();
  };
  context.stop.shutting_down = context_.stop->shutting_down();
  context.snapshots.sequences = context_.snapshots->SequencesToKeep();
  context_.ages->Tell(&context);
  assert(std::is_sorted(context.snapshots.sequences.begin(),
                        context.snapshots.sequences.end()));
  return context;
}

}  // namespace ROCKSDB_NAMESPACE
