#include "tools/db_bench/newer_calls.h"

#include <utility>

#include "rocksdb/db.h"
#include "tools/db_bench/engine_fields.h"
#if __has_include("rocksdb/file_ingestion_handle.h")
#include "rocksdb/file_ingestion_handle.h"
#endif

namespace ROCKSDB_NAMESPACE {

// Declared here for engines without them; completed by the headers of the rest.
struct SstFileWriterEmbeddedBlobOptions;
struct PreparedFileInfo;

namespace bench {

namespace {

struct EntityLookup {
  ColumnFamilyHandle* family;
  const ReadOptions& options;
  const std::vector<Slice>& keys;
  std::vector<PinnableWideColumns>& entities;
  std::vector<Status>& statuses;
};

template <typename Engine>
Status LookUpEntities(Engine* engine, const EntityLookup& lookup) {
  if constexpr (requires {
                  engine->MultiGetEntity(lookup.options, lookup.family,
                                         lookup.keys.size(), lookup.keys.data(),
                                         lookup.entities.data(),
                                         lookup.statuses.data());
                }) {
    engine->MultiGetEntity(lookup.options, lookup.family, lookup.keys.size(),
                           lookup.keys.data(), lookup.entities.data(),
                           lookup.statuses.data());
    return Status::OK();
  } else {
    return Status::NotSupported("multireadentity",
                                "the engine has no MultiGetEntity()");
  }
}

template <typename Writer, typename BlobOptions>
  requires requires { BlobOptions().min_blob_size; }
Status OpenEmbedding(Writer* writer, const std::string& path,
                     uint64_t smallest_blob) {
  BlobOptions options;
  options.min_blob_size = smallest_blob;
  return writer->OpenWithEmbeddedBlobs(path, options);
}

template <typename Writer, typename BlobOptions>
Status OpenEmbedding(Writer* /*writer*/, const std::string& /*path*/,
                     uint64_t /*smallest_blob*/) {
  return Status::NotSupported("embedded blobs", "the engine has none");
}

// What is known of the files, kept alive beside the argument that points there.
template <typename Engine, typename Info, typename Arg>
Status AddFileInfo(Engine* engine, Arg* arg,
                   std::vector<std::shared_ptr<const Info>>* infos) {
  if constexpr (requires(std::shared_ptr<const Info> info) {
                  engine->GetPreparedFileInfoForExternalSstIngestion("", &info);
                  arg->file_infos.push_back(info.get());
                }) {
    for (const std::string& file : arg->external_files) {
      std::shared_ptr<const Info> info;
      Status s =
          engine->GetPreparedFileInfoForExternalSstIngestion(file, &info);
      if (!s.ok()) return s;
      arg->file_infos.push_back(info.get());
      infos->push_back(std::move(info));
    }
    return Status::OK();
  } else {
    return LacksPart("ingest_external_file_use_file_info");
  }
}

}  // namespace

Status MultiGetEntities(const Target& target, const ReadOptions& options,
                        const std::vector<Slice>& keys,
                        std::vector<PinnableWideColumns>* entities,
                        std::vector<Status>* statuses) {
  return LookUpEntities(target.db,
                        {target.family, options, keys, *entities, *statuses});
}

Status OpenWithBlobs(SstFileWriter* writer, const std::string& path,
                     uint64_t smallest_blob) {
  return OpenEmbedding<SstFileWriter, SstFileWriterEmbeddedBlobOptions>(
      writer, path, smallest_blob);
}

Status IngestFiles(const Target& target, const std::vector<std::string>& files,
                   const IngestSettings& settings) {
  IngestExternalFileArg arg;
  arg.column_family = target.family;
  arg.external_files = files;
  arg.options.move_files = true;
  if (!DB_BENCH_SET_IF_THERE(&arg.options, fill_cache, settings.fills_cache) &&
      !settings.fills_cache) {
    return LacksPart("ingest_external_file_fill_cache");
  }
  if (!DB_BENCH_SET_IF_THERE(&arg.options,
                             prefetch_lmax_index_and_filter_blocks,
                             settings.prefetches_last_level) &&
      !settings.prefetches_last_level) {
    return LacksPart(
        "ingest_external_file_prefetch_lmax_index_and_filter_blocks");
  }
  if (!DB_BENCH_SET_IF_THERE(&arg.options, file_opening_threads,
                             settings.opening_threads) &&
      settings.opening_threads != 1) {
    return LacksPart("ingest_external_file_file_opening_threads");
  }
  std::vector<std::shared_ptr<const PreparedFileInfo>> infos;
  if (settings.uses_file_info) {
    Status s = AddFileInfo<DB, PreparedFileInfo>(target.db, &arg, &infos);
    if (!s.ok()) return s;
  }
  return target.db->IngestExternalFiles({arg});
}

}  // namespace bench
}  // namespace ROCKSDB_NAMESPACE
