// ReadingDB: traces of what users ask, of the blocks that are looked up, and of
// what is asked of files.
#include "db/impl/reading_db.h"
#include "db/observe/trace/trace_replayer.h"
#include "monitoring/trace/block_cache_tracer.h"
#include "monitoring/trace/io_tracer.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/trace_reader_writer.h"

namespace ROCKSDB_NAMESPACE {

Status ReadingDB::StartTrace(const TraceOptions& options,
                             std::unique_ptr<TraceWriter>&& writer) {
  return base_.tracer->Start(options, std::move(writer));
}

Status ReadingDB::EndTrace() { return base_.tracer->End(); }

Status ReadingDB::StartBlockCacheTrace(const TraceOptions& options,
                                       std::unique_ptr<TraceWriter>&& writer) {
  if (writer == nullptr) return Status::InvalidArgument("no trace writer");
  return StartBlockCacheTrace(
      BlockCacheTraceOptions{.sampling_frequency = options.sampling_frequency},
      NewBlockCacheTraceWriter(
          base_.options.clock,
          BlockCacheTraceWriterOptions{.max_trace_file_size =
                                           options.max_trace_file_size},
          std::move(writer)));
}

Status ReadingDB::StartBlockCacheTrace(
    const BlockCacheTraceOptions& options,
    std::unique_ptr<BlockCacheTraceWriter>&& writer) {
  return base_.block_tracer->Start(options, std::move(writer));
}

Status ReadingDB::EndBlockCacheTrace() {
  base_.block_tracer->End();
  return Status::OK();
}

Status ReadingDB::StartIOTrace(const TraceOptions& options,
                               std::unique_ptr<TraceWriter>&& writer) {
  return base_.io_tracer->Start(options, std::move(writer));
}

Status ReadingDB::EndIOTrace() {
  base_.io_tracer->End();
  return Status::OK();
}

Status ReadingDB::NewDefaultReplayer(
    const std::vector<ColumnFamilyHandle*>& handles,
    std::unique_ptr<TraceReader>&& reader,
    std::unique_ptr<Replayer>* replayer) {
  return NewTraceReplayer(this, handles, std::move(reader), replayer);
}

}  // namespace ROCKSDB_NAMESPACE
