// Traces of operations, of the block cache and of I/O, and their way back.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c/handles.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/utilities/replayer.h"

struct rocksdb_trace_reader_t {
  std::unique_ptr<ROCKSDB_NAMESPACE::TraceReader> rep;
};

struct rocksdb_replayer_t {
  std::unique_ptr<ROCKSDB_NAMESPACE::Replayer> rep;
};

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

// Where a trace goes to, or comes from.
struct TracePlace {
  const rocksdb_env_t* env;
  const rocksdb_envoptions_t* options;
  const char* path;
};

bool IsIncomplete(const TracePlace& place, char** errptr) {
  return IsNull(place.env, "env", errptr) ||
         IsNull(place.options, "envoptions", errptr) ||
         IsNull(place.path, "the path of the trace", errptr);
}

// Begins a trace by `start`, which gets its writer.
template <class Start>
void StartAt(const rocksdb_t* db, const TracePlace& place, const void* options,
             const Start& start, char** errptr) {
  if (IsNull(db, "db", errptr) || IsIncomplete(place, errptr) ||
      IsNull(options, "the options of the trace", errptr)) {
    return;
  }
  std::unique_ptr<TraceWriter> writer;
  Status s = NewFileTraceWriter(place.env->rep, place.options->rep, place.path,
                                &writer);
  if (s.ok()) s = start(std::move(writer));
  Fails(s, errptr);
}

Status OpenReader(const TracePlace& place,
                  std::unique_ptr<TraceReader>* reader) {
  return NewFileTraceReader(place.env->rep, place.options->rep, place.path,
                            reader);
}

}  // namespace

extern "C" {

void rocksdb_start_trace(rocksdb_t* db, rocksdb_env_t* env,
                         const rocksdb_envoptions_t* envoptions,
                         const rocksdb_trace_options_t* trace_options,
                         const char* text, char** errptr) {
  StartAt(
      db, {env, envoptions, text}, trace_options,
      [&](std::unique_ptr<TraceWriter> writer) {
        return db->rep->StartTrace(trace_options->rep, std::move(writer));
      },
      errptr);
}

void rocksdb_end_trace(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  Fails(db->rep->EndTrace(), errptr);
}

void rocksdb_start_io_trace(rocksdb_t* db, rocksdb_env_t* env,
                            const rocksdb_envoptions_t* envoptions,
                            const rocksdb_trace_options_t* trace_options,
                            const char* text, char** errptr) {
  StartAt(
      db, {env, envoptions, text}, trace_options,
      [&](std::unique_ptr<TraceWriter> writer) {
        return db->rep->StartIOTrace(trace_options->rep, std::move(writer));
      },
      errptr);
}

void rocksdb_end_io_trace(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  Fails(db->rep->EndIOTrace(), errptr);
}

void rocksdb_start_block_cache_trace(
    rocksdb_t* db, rocksdb_env_t* env, const rocksdb_envoptions_t* envoptions,
    const rocksdb_trace_options_t* trace_options, const char* text,
    char** errptr) {
  StartAt(
      db, {env, envoptions, text}, trace_options,
      [&](std::unique_ptr<TraceWriter> writer) {
        return db->rep->StartBlockCacheTrace(trace_options->rep,
                                             std::move(writer));
      },
      errptr);
}

void rocksdb_start_block_cache_trace_with_options(
    rocksdb_t* db, rocksdb_env_t* env, const rocksdb_envoptions_t* envoptions,
    const rocksdb_block_cache_trace_options_t* block_cache_trace_options,
    const rocksdb_block_cache_trace_writer_options_t*
        block_cache_trace_writer_options,
    const char* text, char** errptr) {
  if (IsNull(block_cache_trace_writer_options, "the options of the writer",
             errptr)) {
    return;
  }
  StartAt(
      db, {env, envoptions, text}, block_cache_trace_options,
      [&](std::unique_ptr<TraceWriter> writer) {
        return db->rep->StartBlockCacheTrace(
            block_cache_trace_options->rep,
            NewBlockCacheTraceWriter(SystemClock::Default().get(),
                                     block_cache_trace_writer_options->rep,
                                     std::move(writer)));
      },
      errptr);
}

void rocksdb_end_block_cache_trace(rocksdb_t* db, char** errptr) {
  if (IsNull(db, "db", errptr)) return;
  Fails(db->rep->EndBlockCacheTrace(), errptr);
}

rocksdb_trace_reader_t* rocksdb_trace_reader_create(
    rocksdb_env_t* env, const rocksdb_envoptions_t* envoptions,
    const char* text, char** errptr) {
  const TracePlace place{env, envoptions, text};
  if (IsIncomplete(place, errptr)) return nullptr;
  std::unique_ptr<TraceReader> reader;
  if (Fails(OpenReader(place, &reader), errptr)) return nullptr;
  return Own<rocksdb_trace_reader_t>(std::move(reader));
}

void rocksdb_trace_reader_destroy(rocksdb_trace_reader_t* trace_reader) {
  End(trace_reader);
}

// Incomplete at the end.
char* rocksdb_trace_reader_read(rocksdb_trace_reader_t* trace_reader,
                                size_t* size, char** errptr) {
  if (size != nullptr) *size = 0;
  std::string record;
  if (IsNull(trace_reader, "trace_reader", errptr) ||
      Fails(trace_reader->rep->Read(&record), errptr)) {
    return nullptr;
  }
  if (size != nullptr) *size = record.size();
  return CopyBytes(record);
}

void rocksdb_trace_reader_reset(rocksdb_trace_reader_t* trace_reader,
                                char** errptr) {
  if (IsNull(trace_reader, "trace_reader", errptr)) return;
  Fails(trace_reader->rep->Reset(), errptr);
}

void rocksdb_trace_reader_close(rocksdb_trace_reader_t* trace_reader,
                                char** errptr) {
  if (IsNull(trace_reader, "trace_reader", errptr)) return;
  Fails(trace_reader->rep->Close(), errptr);
}

rocksdb_replayer_t* rocksdb_new_default_replayer(
    rocksdb_t* db, rocksdb_column_family_handle_t** column_family,
    size_t argument3, rocksdb_env_t* env,
    const rocksdb_envoptions_t* envoptions, const char* text, char** errptr) {
  const TracePlace place{env, envoptions, text};
  if (IsNull(db, "db", errptr) || IsIncomplete(place, errptr)) return nullptr;
  std::vector<ColumnFamilyHandle*> families;
  for (size_t i = 0; i < argument3; ++i) {
    if (IsNull(column_family, "column_family", errptr) ||
        IsNull(column_family[i], "column_family[i]", errptr)) {
      return nullptr;
    }
    families.push_back(column_family[i]->rep);
  }
  std::unique_ptr<TraceReader> reader;
  std::unique_ptr<Replayer> replayer;
  Status s = OpenReader(place, &reader);
  if (s.ok()) {
    s = db->rep->NewDefaultReplayer(families, std::move(reader), &replayer);
  }
  if (Fails(s, errptr)) return nullptr;
  return Own<rocksdb_replayer_t>(std::move(replayer));
}

void rocksdb_replayer_destroy(rocksdb_replayer_t* replayer) { End(replayer); }

void rocksdb_replayer_prepare(rocksdb_replayer_t* replayer, char** errptr) {
  if (IsNull(replayer, "replayer", errptr)) return;
  Fails(replayer->rep->Prepare(), errptr);
}

uint64_t rocksdb_replayer_get_header_timestamp(
    const rocksdb_replayer_t* replayer) {
  return replayer == nullptr ? 0 : replayer->rep->GetHeaderTimestamp();
}

void rocksdb_replayer_replay(rocksdb_replayer_t* replayer,
                             const rocksdb_replay_options_t* replay_options,
                             char** errptr) {
  if (IsNull(replayer, "replayer", errptr) ||
      IsNull(replay_options, "replay_options", errptr)) {
    return;
  }
  Fails(replayer->rep->Replay(replay_options->rep, nullptr), errptr);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
