#include "db/compaction/copied_table.h"

#include <algorithm>

#include "db/compaction/remote_compaction.h"
#include "db/manifest/version_set.h"
#include "db/outputs/output_reader.h"
#include "db/outputs/table_output.h"
#include "file/file_util.h"
#include "file/sst_file_manager_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What is asked for, in whole pages.
size_t ChunkBytes(const Compaction& c) {
  constexpr uint64_t kMostBytes = 16 << 20;
  const uint64_t asked =
      std::clamp<uint64_t>(
          c.options->compaction_options_fifo.trivial_copy_buffer_size, 1,
          kMostBytes) +
      kDefaultPageSize - 1;
  return static_cast<size_t>(asked / kDefaultPageSize * kDefaultPageSize);
}

Status CopyBytesOf(const JobContext& job, const Compaction& c,
                   const FileMeta& from, const FileMeta& to) {
  const TableCache& tables = *job.cfd->tables();
  FileOptions made = job.output_file_options;
  made.temperature = to.temperature;
  made.write_hint =
      LifetimeOfTables(job, c.output_level, c.version->storage().base_level());
  FileCopy copy;
  copy.source = tables.FilePath(from);
  copy.destination = tables.FilePath(to);
  copy.size_bytes = from.size_bytes;
  copy.durability =
      job.db->use_fsync ? FileDurability::kFsynced : FileDurability::kSynced;
  copy.file_options =
      CompactionReadPolicy(*job.db, *job.mutable_db, job.read_file_options)
          .file_options;
  copy.file_options.temperature = from.temperature;
  copy.copy_options = &made;
  copy.chunk_bytes = ChunkBytes(c);
  copy.governor = tables.governor();
  copy.hands_checksums =
      job.db->checksum_handoff_file_types.Contains(kTableFile);
  return CopyFile(job.db->fs, copy);
}

Status Check(const JobContext& job, const Compaction& c, const FileMeta& file) {
  const OutputReader output(job, {&file, c.output_level, c.options.get()});
  Status s = output.CheckAsAsked(VerifyOutputFlags::kEnableForLocalCompaction);
  if (s.ok() && c.options->paranoid_file_checks) s = output.CheckEntries();
  return s;
}

}  // namespace

Status CopyTable(const JobContext& job, const Compaction& c,
                 CompactionOutputFile* output) {
  INVARIANT(output != nullptr);
  INVARIANT(c.copies_input && c.InputFileCount() == 1);
  const FileMeta& from = *c.inputs.front().files.front();
  FileMeta to;
  to.CopyManifestPartFrom(from);
  to.number = job.versions->NewFileNumber();
  to.path_id = c.output_path_id;
  to.temperature = c.output_temperature;
  Status s = CopyBytesOf(job, c, from, to);
  if (!s.ok()) return s;
  s = TakeFinishedFile(job, c, to, output);
  if (s.ok()) s = Check(job, c, *output->meta);
  if (s.ok()) {
    NoteFileAdded(job.db->sst_file_manager.get(),
                  job.cfd->tables()->FilePath(to), to.size_bytes);
  } else {
    TableOutput::Discard(job, to);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
