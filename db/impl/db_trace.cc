// ReadingDB: traces of what users ask.
#include "db/impl/reading_db.h"
#include "db/observe/trace/trace_replayer.h"
#include "monitoring/trace/query_tracer.h"
#include "rocksdb/trace_reader_writer.h"

namespace ROCKSDB_NAMESPACE {

Status ReadingDB::StartTrace(const TraceOptions& options,
                             std::unique_ptr<TraceWriter>&& writer) {
  return base_.tracer->Start(options, std::move(writer));
}

Status ReadingDB::EndTrace() { return base_.tracer->End(); }

Status ReadingDB::NewDefaultReplayer(
    const std::vector<ColumnFamilyHandle*>& handles,
    std::unique_ptr<TraceReader>&& reader,
    std::unique_ptr<Replayer>* replayer) {
  return NewTraceReplayer(this, handles, std::move(reader), replayer);
}

}  // namespace ROCKSDB_NAMESPACE
