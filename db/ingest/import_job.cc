#include "db/ingest/import_job.h"

#include <algorithm>
#include <tuple>

#include "db/family/column_family.h"
#include "db/outputs/table_output.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

IngestExternalFileOptions OptionsFor(const ImportColumnFamilyOptions& import) {
  IngestExternalFileOptions options;
  options.move_files = import.move_files;
  options.allow_db_generated_files = true;
  return options;
}

std::string PathOf(const LiveFileMetaData& file) {
  const std::string& directory =
      file.db_path.empty() ? file.directory : file.db_path;
  const std::string& name =
      file.name.empty() ? file.relative_filename : file.name;
  return directory + (name.empty() || name[0] == '/' ? "" : "/") + name;
}

}  // namespace

ImportJob::ImportJob(
    JobContext context, ColumnFamilyRef cfd,
    std::shared_ptr<const MutableCFOptions> options,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& exports)
    : cfd_(std::move(cfd)),
      context_(std::move(context)),
      is_one_export_(exports.size() == 1) {
  INVARIANT(cfd_ != nullptr && context_.cfd == cfd_.get());
  for (const ExportImportFilesMetaData* metadata : exports) {
    INVARIANT(metadata != nullptr);
    for (const LiveFileMetaData& exported : metadata->files) {
      IngestedFileRequest request;
      request.job = &context_;
      request.options = options;
      request.ingest = OptionsFor(import_options);
      request.path = PathOf(exported);
      request.temperature = exported.temperature;
      // Not what an application has put together of less than that.
      request.is_described = !exported.smallest.empty();
      files_.push_back(
          {exported, std::make_unique<IngestedFile>(std::move(request)), 0});
    }
  }
}

ImportJob::~ImportJob() = default;

Status ImportJob::CheckLevels() const {
  for (const Import& import : files_) {
    const int level = import.exported.level;
    if (level >= 0 && level < cfd_->ioptions().num_levels) continue;
    return Status::InvalidArgument(
        PathOf(import.exported),
        "is of level " + std::to_string(level) + ", the family has " +
            std::to_string(cfd_->ioptions().num_levels) + " levels");
  }
  return Status::OK();
}

Status ImportJob::Prepare() {
  Status s = CheckLevels();
  for (Import& import : files_) {
    if (s.ok()) s = import.file->Inspect();
    if (s.ok()) s = import.file->CheckImported(import.exported);
    if (s.ok()) s = import.file->BringIn();
  }
  if (s.ok()) s = CheckOverlaps();
  return s.ok() && !files_.empty() ? SyncOutputDirectory(context_, 0) : s;
}

// Exports of several databases may not go together.
Status ImportJob::CheckOverlaps() const {
  for (int level = 1; level < cfd_->ioptions().num_levels; ++level) {
    std::vector<const IngestedFile*> files;
    for (const Import& import : files_) {
      if (import.exported.level == level) files.push_back(import.file.get());
    }
    const InternalKeyComparator& order = cfd_->order();
    std::sort(files.begin(), files.end(),
              [&](const IngestedFile* a, const IngestedFile* b) {
                return order.Compare(a->meta()->smallest, b->meta()->smallest) <
                       0;
              });
    for (size_t i = 1; i < files.size(); ++i) {
      if (order.Compare(files[i - 1]->meta()->largest,
                        files[i]->meta()->smallest) < 0) {
        continue;
      }
      return Status::InvalidArgument("files of level " + std::to_string(level) +
                                     " overlap");
    }
  }
  return Status::OK();
}

// Else as in db-format.md 5.7: deeper levels are older, and in level 0 the
// sequences tell.
void ImportJob::ChooseEpochs() {
  const bool has_all =
      std::all_of(files_.begin(), files_.end(), [](const Import& import) {
        return import.exported.epoch_number != kUnknownEpoch;
      });
  if (is_one_export_ && has_all) {
    uint64_t next = cfd_->next_epoch();
    for (Import& import : files_) {
      import.epoch = import.exported.epoch_number;
      next = std::max(next, import.epoch + 1);
    }
    cfd_->set_next_epoch(next);
    return;
  }
  for (int level = cfd_->ioptions().num_levels - 1; level >= 1; --level) {
    const uint64_t epoch = cfd_->NewEpoch();
    for (Import& import : files_) {
      if (import.exported.level == level) import.epoch = epoch;
    }
  }
  std::vector<Import*> level0;
  for (Import& import : files_) {
    if (import.exported.level == 0) level0.push_back(&import);
  }
  std::stable_sort(level0.begin(), level0.end(), [](Import* a, Import* b) {
    const auto age = [](const LiveFileMetaData& file) {
      return std::make_tuple(file.largest_seqno, file.smallest_seqno,
                             file.file_number);
    };
    return age(a->exported) < age(b->exported);
  });
  for (Import* import : level0) import->epoch = cfd_->NewEpoch();
}

void ImportJob::Assign() {
  context_.mutex->AssertHeld();
  INVARIANT(edit_.new_files.empty());
  ChooseEpochs();
  for (Import& import : files_) {
    INVARIANT(import.epoch != kUnknownEpoch);
    import.file->SetImported(import.exported, import.epoch);
    edit_.AddFile(import.exported.level, import.file->meta());
  }
}

Status ImportJob::Seal() {
  for (const Import& import : files_) {
    if (Status s = import.file->Seal(); !s.ok()) return s;
  }
  return Status::OK();
}

SequenceNumber ImportJob::LargestSequence() const {
  SequenceNumber largest = 0;
  for (const Import& import : files_) {
    largest = std::max(largest, import.file->largest_sequence());
  }
  return largest;
}

void ImportJob::Finish(IngestJob::Outcome outcome) {
  if (outcome == IngestJob::Outcome::kUndone) {
    files_.clear();
    return;
  }
  for (const Import& import : files_) import.file->Keep();
  if (outcome != IngestJob::Outcome::kInstalled) return;
  for (const Import& import : files_) import.file->RemoveOriginal();
}

}  // namespace ROCKSDB_NAMESPACE
