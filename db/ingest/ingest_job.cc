#include "db/ingest/ingest_job.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "db/family/column_family.h"
#include "db/family/memtable_overlap.h"
#include "db/manifest/version_set.h"
#include "db/outputs/table_output.h"
#include "file/file_util.h"
#include "file/filename.h"
#include "memtable/memtable.h"
#include "options/compaction_styles.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckChecksums(const IngestRequest& request) {
  const size_t given = request.checksums.size();
  if (given != request.checksum_functions.size() ||
      (given != 0 && given != request.paths.size())) {
    return Status::InvalidArgument(
        "files_checksums and files_checksum_func_names: one for each file, "
        "or none");
  }
  return Status::OK();
}

Status CheckOptions(const IngestExternalFileOptions& options) {
  if (options.move_files && options.link_files) {
    return Status::InvalidArgument(
        "`move_files` and `link_files` can not both be true.");
  }
  if (options.allow_db_generated_files && options.write_global_seqno) {
    return Status::NotSupported(
        "`write_global_seqno` does not go with `allow_db_generated_files`");
  }
  if (options.allow_db_generated_files && options.ingest_behind) {
    return Status::InvalidArgument(
        "`ingest_behind` does not go with `allow_db_generated_files`");
  }
  return Status::OK();
}

Status CheckReplaced(const ColumnFamilyData& cfd,
                     const IngestRequest& request) {
  const IngestExternalFileOptions& options = request.options;
  if (cfd.order().timestamp_size() > 0) {
    return Status::NotSupported(
        "atomic_replace_range with user-defined timestamps");
  }
  const char* refused = nullptr;
  if (options.ingest_behind) refused = "ingest_behind";
  if (options.allow_db_generated_files) refused = "allow_db_generated_files";
  if (!options.allow_global_seqno) refused = "!allow_global_seqno";
  if (refused != nullptr) {
    return Status::InvalidArgument(
        "atomic_replace_range: the files must be newer than what they replace",
        refused);
  }
  return request.replaced->Check(*cfd.user_comparator());
}

}  // namespace

Status IngestJob::Check(const ColumnFamilyData& cfd,
                        const IngestRequest& request) {
  if (request.paths.empty()) {
    return Status::InvalidArgument("external_files[0] is empty",
                                   "the list of files is empty");
  }
  Status s = CheckOptions(request.options);
  if (s.ok()) s = CheckChecksums(request);
  if (s.ok() && !request.infos.empty() &&
      request.infos.size() != request.paths.size()) {
    s = Status::InvalidArgument("file_infos: one for each file, or none");
  }
  if (s.ok() && request.replaced) s = CheckReplaced(cfd, request);
  if (!s.ok() || !request.options.ingest_behind) return s;
  if (cfd.order().timestamp_size() > 0) {
    return Status::NotSupported("ingest_behind with user-defined timestamps");
  }
  if (!cfd.ioptions().cf_allow_ingest_behind) {
    return Status::InvalidArgument(
        "can't ingest_behind file in DB with allow_ingest_behind=false");
  }
  return s;
}

IngestJob::IngestJob(JobContext context, ColumnFamilyRef cfd,
                     std::shared_ptr<const MutableCFOptions> options,
                     const IngestRequest& request)
    : cfd_(std::move(cfd)),
      context_(std::move(context)),
      options_(request.options),
      mutable_options_(options),
      replaced_(request.replaced),
      gaps_(cfd_->tables(), request.options.fill_cache) {
  INVARIANT(cfd_ != nullptr && context_.cfd == cfd_.get());
  for (size_t i = 0; i < request.paths.size(); ++i) {
    IngestedFileRequest file;
    file.job = &context_;
    file.options = options;
    file.ingest = request.options;
    file.path = request.paths[i];
    if (!request.checksums.empty()) {
      file.checksum = request.checksums[i];
      file.checksum_function = request.checksum_functions[i];
    }
    file.temperature = request.temperature;
    if (!request.infos.empty()) file.prepared = request.infos[i];
    files_.push_back(std::make_unique<IngestedFile>(std::move(file)));
  }
}

IngestJob::~IngestJob() = default;

Status IngestJob::PrepareFile(size_t index) {
  Status s = files_[index]->Inspect();
  return s.ok() ? files_[index]->BringIn() : s;
}

Status IngestJob::Prepare() {
  std::atomic<size_t> next{0};
  std::vector<Status> statuses(files_.size());
  const auto work = [&] {
    for (size_t i = next.fetch_add(1); i < files_.size();
         i = next.fetch_add(1)) {
      statuses[i] = PrepareFile(i);
    }
  };
  const auto wanted =
      static_cast<size_t>(std::max(1, options_.file_opening_threads));
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(wanted, files_.size()); ++i) {
    try {
      helpers.emplace_back(work);
    } catch (const std::system_error&) {
      break;  // No more threads: those that run do it all.
    }
  }
  work();
  for (std::thread& helper : helpers) helper.join();
  INVARIANT(next.load() >= files_.size());
  for (const Status& s : statuses) {
    if (!s.ok()) return s;
  }
  return SyncOutputDirectory(context_, 0);
}

bool IngestJob::Overlaps(const MemTable& memtable) const {
  // Where it cannot be told, the flush finds out.
  return std::any_of(files_.begin(), files_.end(), [&](const auto& file) {
    const KeySpan span = file->span();
    return MayOverlap(memtable, cfd_->order(), span.begin, span.end);
  });
}

bool IngestJob::NeedsFlush(const MemTable& active,
                           const MemTableVector& sealed) const {
  // What comes behind everything needs nothing out of its way.
  if (IsBehind()) return false;
  // What goes is looked for in tables alone.
  const auto holds_data = [](const auto& m) { return !m->empty(); };
  if (replaced_ && (!active.empty() ||
                    std::any_of(sealed.begin(), sealed.end(), holds_data))) {
    return true;
  }
  if (Overlaps(active)) return true;
  return std::any_of(sealed.begin(), sealed.end(),
                     [this](const auto& m) { return Overlaps(*m); });
}

Status IngestJob::ClearRange(const VersionStorage& storage) {
  INVARIANT(clearing_file_ == nullptr);
  if (!replaced_) return Status::OK();
  const auto extent = replaced_->ExtentIn(storage);
  if (!extent) return Status::OK();
  const std::string path = TempFileName(cfd_->tables()->paths().front(),
                                        context_.versions->NewFileNumber());
  IngestedFileRequest request;
  request.job = &context_;
  request.options = mutable_options_;
  request.ingest.link_files = true;
  request.path = path;
  auto file = std::make_unique<IngestedFile>(std::move(request));
  const Options writing(BuildDBOptions(*context_.db, *context_.mutable_db),
                        cfd_->CopyOptions());
  Status s = WriteClearingTable(writing, *extent, path);
  if (s.ok()) s = file->Inspect();
  if (s.ok()) s = file->BringIn();
  IgnoreError(DeleteFileIfExists(context_.db->fs, path),
              "the next open deletes what is left over");
  if (s.ok()) s = SyncOutputDirectory(context_, 0);
  if (!s.ok()) return s;
  // So that what it covers goes soon.
  file->meta()->is_marked_for_compaction = true;
  clearing_file_ = file.get();
  files_.insert(files_.begin(), std::move(file));
  gaps_.Forget();
  return s;
}

std::vector<KeySpan> IngestJob::Spans() const {
  std::vector<KeySpan> spans;
  for (const auto& file : files_) spans.push_back(file->span());
  return spans;
}

void IngestJob::LookIntoGaps(const VersionStorage& storage) {
  if (!IsBehind()) gaps_.Look(storage, *mutable_options_, Spans());
}

Status IngestJob::Assign(const Surroundings& around) {
  context_.mutex->AssertHeld();
  const VersionRef version = cfd_->current();
  PlacementRequest request;
  request.storage = &version->storage();
  request.files = Spans();
  request.options = &options_;
  request.holds_keys = [&](int level, size_t index) {
    return gaps_.HoldsKeys(version->storage(), level, index,
                           request.files[index]);
  };
  request.is_busy = around.is_busy;
  request.reserves_last_level = cfd_->ioptions().cf_allow_ingest_behind;
  request.only_level0 =
      TraitsOf(cfd_->ioptions().compaction_style).has_only_level0;
  request.has_snapshots = around.has_snapshots;
  request.last_sequence = around.last_sequence;
  std::vector<Placement> places;
  if (Status s = PlaceFiles(request, &places); !s.ok()) return s;
  INVARIANT(places.size() == files_.size());
  INVARIANT(edit_.new_files.empty());
  for (size_t i = 0; i < files_.size(); ++i) {
    files_[i]->SetPlace(places[i],
                        IsBehind() ? kReservedEpoch : cfd_->NewEpoch());
    edit_.AddFile(places[i].level, files_[i]->meta());
  }
  return Status::OK();
}

Status IngestJob::Seal() {
  for (const auto& file : files_) {
    if (Status s = file->Seal(); !s.ok()) return s;
  }
  return Status::OK();
}

bool IngestJob::HasUnnumbered() const {
  if (IsBehind() || !options_.snapshot_consistency) return false;
  return std::any_of(files_.begin(), files_.end(),
                     [](const auto& file) { return file->sequence() == 0; });
}

Status IngestJob::Number(SequenceNumber sequence) {
  context_.mutex->AssertHeld();
  INVARIANT(HasUnnumbered());
  INVARIANT(sequence > 0);
  if (Status s = CheckNumberAllowed(options_); !s.ok()) return s;
  for (const auto& file : files_) {
    if (file->sequence() == 0) file->SetSequence(sequence);
  }
  return Status::OK();
}

SequenceNumber IngestJob::LargestSequence() const {
  SequenceNumber largest = 0;
  for (const auto& file : files_) {
    largest = std::max(largest, file->largest_sequence());
  }
  return largest;
}

void IngestJob::Finish(Outcome outcome) {
  if (outcome == Outcome::kUndone) {
    files_.clear();
    return;
  }
  for (const auto& file : files_) file->Keep();
  if (outcome != Outcome::kInstalled) return;
  for (const auto& file : files_) file->RemoveOriginal();
}

void LookIntoGapsOf(Mutex* mutex,
                    const std::vector<std::unique_ptr<IngestJob>>& jobs) {
  constexpr int kMostRounds = 16;  // Then, what is new stands in the way.
  bool is_seen = false;
  for (int round = 0; round < kMostRounds && !is_seen; ++round) {
    std::vector<VersionRef> versions;
    for (const auto& job : jobs) versions.push_back(job->cfd()->current());
    mutex->Unlock();
    for (size_t i = 0; i < jobs.size(); ++i) {
      jobs[i]->LookIntoGaps(versions[i]->storage());
    }
    mutex->Lock();
    is_seen = true;
    for (size_t i = 0; i < jobs.size(); ++i) {
      is_seen = is_seen && jobs[i]->cfd()->current() == versions[i];
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE
