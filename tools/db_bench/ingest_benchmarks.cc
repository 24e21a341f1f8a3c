// Benchmarks that make tables beside the database and ingest them.

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/sst_file_writer.h"
#include "rocksdb/wide_columns.h"
#include "tools/db_bench/benchmarks.h"
#include "tools/db_bench/external_files.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/newer_calls.h"

DEFINE_int32(ingest_external_file_batch_size, 10,
             "Files that each call of ingestexternalfile ingests.");
DEFINE_int32(ingest_external_file_num_batches, 1, "Such calls of each thread.");
DEFINE_int32(ingest_external_file_file_opening_threads, 1,
             "Threads that open the files of such a call.");
DEFINE_bool(ingest_external_file_fill_cache, true,
            "Such a call puts what it reads into the block cache.");
DEFINE_bool(ingest_external_file_prefetch_lmax_index_and_filter_blocks, true,
            "So it does with index and filter of the last level's files.");
DEFINE_bool(ingest_external_file_use_file_info, false,
            "Such a call is told what is known of the files.");
DEFINE_uint64(embedded_blob_min_size, 2048,
              "Values of at least so many bytes are blobs in the files of "
              "fillembeddedblob and fillembeddedentity.");
DEFINE_int32(num_wide_columns, 4, "Columns of each entity that is written.");
DEFINE_int32(num_short_wide_columns, 1,
             "Those of them whose values are short, of 16 bytes.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

IngestSettings SettingsByFlags() {
  IngestSettings settings;
  settings.fills_cache = FLAGS_ingest_external_file_fill_cache;
  settings.prefetches_last_level =
      FLAGS_ingest_external_file_prefetch_lmax_index_and_filter_blocks;
  settings.opening_threads = FLAGS_ingest_external_file_file_opening_threads;
  settings.uses_file_info = FLAGS_ingest_external_file_use_file_info;
  return settings;
}

// Fills files with keys [begin, end) of the key space.
class FileFiller {
 public:
  FileFiller(Worker& worker, ExternalFiles* files)
      : files_(files),
        key_(worker.MakeKeyBuffer()),
        values_(worker.value_shape, worker.random.Next()) {}

  enum class Kind { kValues, kBlobs, kEntities };

  Status Fill(Kind kind, uint64_t begin, uint64_t end, std::string* path) {
    Status s = files_->NextPath(path);
    SstFileWriter writer = files_->MakeWriter();
    if (s.ok()) {
      s = kind == Kind::kValues
              ? writer.Open(*path)
              : OpenWithBlobs(&writer, *path, FLAGS_embedded_blob_min_size);
    }
    for (uint64_t number = begin; s.ok() && number < end; ++number) {
      const Slice name = key_.Make(number);
      bytes_ += name.size();
      s = kind == Kind::kEntities ? AddEntity(&writer, name)
                                  : AddValue(&writer, name);
    }
    return s.ok() ? writer.Finish() : s;
  }
  uint64_t bytes() const { return bytes_; }

 private:
  Status AddValue(SstFileWriter* writer, const Slice& name) {
    const Slice value = values_.Next();
    bytes_ += value.size();
    return writer->Put(name, value);
  }

  // The names are in order, as those of an entity must be.
  Status AddEntity(SstFileWriter* writer, const Slice& name) {
    constexpr uint32_t kShortBytes = 16;
    const auto count = static_cast<size_t>(FLAGS_num_wide_columns);
    const auto short_ones = static_cast<size_t>(FLAGS_num_short_wide_columns);
    while (names_.size() < count) {
      std::string column = std::to_string(names_.size());
      column.insert(0, 4 - std::min<size_t>(column.size(), 4), '0');
      names_.push_back("column" + column);
    }
    WideColumns columns;
    for (size_t i = 0; i < count; ++i) {
      const Slice value =
          i < short_ones ? values_.Next(kShortBytes) : values_.Next();
      bytes_ += names_[i].size() + value.size();
      columns.emplace_back(names_[i], value);
    }
    return PutEntityOf(writer, name, columns);
  }

  // Not every engine's writer takes entities.
  template <typename Writer>
  static Status PutEntityOf(Writer* writer, const Slice& name,
                            const WideColumns& columns) {
    if constexpr (requires { writer->PutEntity(name, columns); }) {
      return writer->PutEntity(name, columns);
    } else {
      return Status::NotSupported("fillembeddedentity",
                                  "the engine's files have no entities");
    }
  }

  ExternalFiles* const files_;
  KeyBuffer key_;
  ValueGenerator values_;
  std::vector<std::string> names_;
  uint64_t bytes_ = 0;
};

// How keys are parted among `files` files.
uint64_t FirstKeyOf(uint64_t file, uint64_t files, uint64_t keys) {
  return keys / files * file + std::min(keys % files, file);
}

Status CheckFileFlags(const Worker& worker) {
  if (FLAGS_ingest_external_file_batch_size < 1 ||
      FLAGS_ingest_external_file_num_batches < 1 ||
      FLAGS_ingest_external_file_file_opening_threads < 1) {
    return Status::InvalidArgument("--ingest_external_file_*",
                                   "numbers must be at least 1");
  }
  if (FLAGS_num_wide_columns < 1 || FLAGS_num_wide_columns > 9999 ||
      FLAGS_num_short_wide_columns < 0 ||
      FLAGS_num_short_wide_columns > FLAGS_num_wide_columns) {
    return Status::InvalidArgument("--num_wide_columns",
                                   "must be from 1 to 9999, and not less than "
                                   "--num_short_wide_columns");
  }
  if (HasTimestamps()) {
    return Status::NotSupported("--user_timestamp_size",
                                "external files have no timestamps");
  }
  if (worker.existing_keys != nullptr) {
    return Status::InvalidArgument("--use_existing_keys",
                                   "external files are made of new keys");
  }
  return Status::OK();
}

// The files are ready before the time is taken. One operation is one file.
Status IngestFilesOfValues(Worker& worker) {
  if (Status s = CheckFileFlags(worker); !s.ok()) return s;
  const auto size =
      static_cast<uint64_t>(FLAGS_ingest_external_file_batch_size);
  const auto count =
      static_cast<uint64_t>(FLAGS_ingest_external_file_num_batches);
  ExternalFiles files(worker);
  FileFiller filler(worker, &files);
  const uint64_t keys = std::max(worker.KeyCount(), size * count);
  std::vector<std::string> paths(size * count);
  for (uint64_t i = 0; i < paths.size(); ++i) {
    Status s = filler.Fill(FileFiller::Kind::kValues,
                           FirstKeyOf(i, paths.size(), keys),
                           FirstKeyOf(i + 1, paths.size(), keys), &paths[i]);
    if (!s.ok()) return s;
  }
  worker.stats.Start();
  const IngestSettings settings = SettingsByFlags();
  for (uint64_t batch = 0; batch < count; ++batch) {
    const auto begin = paths.begin() + static_cast<ptrdiff_t>(batch * size);
    Status s =
        IngestFiles(worker.At(batch),
                    {begin, begin + static_cast<ptrdiff_t>(size)}, settings);
    if (!s.ok()) return s;
    worker.stats.Finished(size, Operation::kWrite);
  }
  worker.stats.AddBytes(filler.bytes());
  return Status::OK();
}

// The whole key space, in files of about --target_file_size_base. One operation
// is one key.
Status FillByFiles(Worker& worker, FileFiller::Kind kind) {
  if (Status s = CheckFileFlags(worker); !s.ok()) return s;
  const uint64_t keys = worker.KeyCount();
  const uint64_t entry_bytes =
      static_cast<uint64_t>(FLAGS_key_size) +
      worker.value_shape.AverageSize() *
          (kind == FileFiller::Kind::kEntities
               ? static_cast<uint64_t>(FLAGS_num_wide_columns)
               : 1);
  const uint64_t keys_a_file = std::max<uint64_t>(
      worker.shared->options->target_file_size_base / (entry_bytes + 1), 1);
  ExternalFiles files(worker);
  FileFiller filler(worker, &files);
  for (uint64_t begin = 0; begin < keys; begin += keys_a_file) {
    const uint64_t end = std::min(begin + keys_a_file, keys);
    std::string path;
    Status s = filler.Fill(kind, begin, end, &path);
    if (s.ok()) s = IngestFiles(worker.At(begin), {path}, SettingsByFlags());
    if (!s.ok()) return s;
    worker.stats.Finished(end - begin, Operation::kWrite);
  }
  worker.stats.AddBytes(filler.bytes());
  return Status::OK();
}

Status FillEmbeddedBlobs(Worker& worker) {
  return FillByFiles(worker, FileFiller::Kind::kBlobs);
}

Status FillEmbeddedEntities(Worker& worker) {
  return FillByFiles(worker, FileFiller::Kind::kEntities);
}

}  // namespace

std::vector<Benchmark> IngestBenchmarks() {
  constexpr auto kFresh = Benchmark::Database::kFresh;
  constexpr auto kOne = Benchmark::Threads::kOne;
  return {
      {.name = "ingestexternalfile", .run = IngestFilesOfValues},
      {.name = "fillembeddedblob",
       .run = FillEmbeddedBlobs,
       .database = kFresh,
       .threads = kOne},
      {.name = "fillembeddedentity",
       .run = FillEmbeddedEntities,
       .database = kFresh,
       .threads = kOne},
  };
}

}  // namespace ROCKSDB_NAMESPACE::bench
