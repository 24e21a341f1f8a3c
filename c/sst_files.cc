// Table files that are written apart from a database, to be ingested into it.

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/sst_file_writer.h"

struct rocksdb_sstfilewriter_t {
  rocksdb_sstfilewriter_t(const ROCKSDB_NAMESPACE::EnvOptions& env_options,
                          const ROCKSDB_NAMESPACE::Options& options,
                          const ROCKSDB_NAMESPACE::Comparator* comparator)
      : rep(env_options, options, comparator) {}

  ROCKSDB_NAMESPACE::SstFileWriter rep;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

rocksdb_sstfilewriter_t* OwnWriter(const rocksdb_envoptions_t* env_options,
                                   const rocksdb_options_t* options,
                                   const Comparator* comparator) {
  return Own<rocksdb_sstfilewriter_t>(env_options->rep, options->rep,
                                      comparator);
}

}  // namespace

extern "C" {

// A writer of files in the order of the options' comparator.
rocksdb_sstfilewriter_t* rocksdb_sstfilewriter_create(
    const rocksdb_envoptions_t* env_options, const rocksdb_options_t* options) {
  return OwnWriter(env_options, options, options->rep.comparator);
}

rocksdb_sstfilewriter_t* rocksdb_sstfilewriter_create_with_comparator(
    const rocksdb_envoptions_t* env_options, const rocksdb_options_t* options,
    const rocksdb_comparator_t* comparator) {
  return OwnWriter(
      env_options, options,
      comparator == nullptr ? options->rep.comparator : comparator->rep.get());
}

void rocksdb_sstfilewriter_destroy(rocksdb_sstfilewriter_t* writer) {
  End(writer);
}

void rocksdb_sstfilewriter_open(rocksdb_sstfilewriter_t* writer,
                                const char* path, char** errptr) {
  if (IsNull(writer, "writer", errptr) || IsNull(path, "path", errptr)) return;
  Status s = writer->rep.Open(path);
  (void)Fails(s, errptr);
}

// Keys are added in order, each once.
void rocksdb_sstfilewriter_put(rocksdb_sstfilewriter_t* writer, const char* key,
                               size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(
      writer->rep.Put(BytesOf(key, key_size), BytesOf(value, value_size)),
      errptr);
}

// The same, under its older name.
void rocksdb_sstfilewriter_add(rocksdb_sstfilewriter_t* writer, const char* key,
                               size_t key_size, const char* value,
                               size_t value_size, char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(
      writer->rep.Put(BytesOf(key, key_size), BytesOf(value, value_size)),
      errptr);
}

void rocksdb_sstfilewriter_put_with_ts(rocksdb_sstfilewriter_t* writer,
                                       const char* key, size_t key_size,
                                       const char* ts, size_t ts_size,
                                       const char* value, size_t value_size,
                                       char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(writer->rep.Put(BytesOf(key, key_size), BytesOf(ts, ts_size),
                              BytesOf(value, value_size)),
              errptr);
}

void rocksdb_sstfilewriter_merge(rocksdb_sstfilewriter_t* writer,
                                 const char* key, size_t key_size,
                                 const char* value, size_t value_size,
                                 char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(
      writer->rep.Merge(BytesOf(key, key_size), BytesOf(value, value_size)),
      errptr);
}

void rocksdb_sstfilewriter_delete(rocksdb_sstfilewriter_t* writer,
                                  const char* key, size_t key_size,
                                  char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(writer->rep.Delete(BytesOf(key, key_size)), errptr);
}

void rocksdb_sstfilewriter_delete_with_ts(rocksdb_sstfilewriter_t* writer,
                                          const char* key, size_t key_size,
                                          const char* ts, size_t ts_size,
                                          char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(writer->rep.Delete(BytesOf(key, key_size), BytesOf(ts, ts_size)),
              errptr);
}

void rocksdb_sstfilewriter_delete_range(rocksdb_sstfilewriter_t* writer,
                                        const char* begin_key,
                                        size_t begin_key_size,
                                        const char* end_key,
                                        size_t end_key_size, char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(writer->rep.DeleteRange(BytesOf(begin_key, begin_key_size),
                                      BytesOf(end_key, end_key_size)),
              errptr);
}

// The file is whole only after this.
void rocksdb_sstfilewriter_finish(rocksdb_sstfilewriter_t* writer,
                                  char** errptr) {
  if (IsNull(writer, "writer", errptr)) return;
  (void)Fails(writer->rep.Finish(), errptr);
}

void rocksdb_sstfilewriter_file_size(rocksdb_sstfilewriter_t* writer,
                                     uint64_t* file_size) {
  *file_size = writer->rep.FileSize();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
