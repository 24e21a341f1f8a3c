// io_tracer_parser: prints a trace of I/O, an operation a line.

#include <cinttypes>
#include <cstdio>
#include <optional>
#include <string>

#include "monitoring/trace/io_trace_format.h"
#include "tools/common/access_trace.h"
#include "tools/common/exit_status.h"
#include "tools/common/flags.h"

namespace {

void PrintOperand(const char* name, const std::optional<uint64_t>& value) {
  if (value) std::printf(", %s: %" PRIu64, name, *value);
}

void PrintOperation(const ROCKSDB_NAMESPACE::IoTraceRecord& record) {
  std::printf("Access Time : %-20" PRIu64
              ", File Name: %-20s, File Operation: %-18s, "
              "Latency: %-10" PRIu64 ", IO Status: %s",
              record.access_nanos, record.file_name.c_str(),
              record.operation.c_str(), record.latency_nanos,
              record.status.c_str());
  PrintOperand("File Size", record.operands.file_size);
  PrintOperand("Length", record.operands.length);
  PrintOperand("Offset", record.operands.offset);
  if (record.request_id) {
    std::printf(", Request Id: %s", record.request_id->c_str());
  }
  std::printf("\n");
}

int Fail(const std::string& path, const ROCKSDB_NAMESPACE::Status& status) {
  std::fprintf(stderr, "io_tracer_parser: %s: %s\n", path.c_str(),
               status.ToString().c_str());
  return 1;
}

int Run(int argc, char** argv) {
  std::string path;
  tools::Flags flags;
  flags.Add("io_trace_file", &path, "the trace of I/O to be printed");
  if (!flags.Parse("prints a trace of I/O", argc, argv))
    return flags.exit_status();
  if (path.empty()) {
    std::fprintf(stderr, "Please set --io_trace_file\n");
    return 1;
  }
  tools::AccessTrace trace;
  ROCKSDB_NAMESPACE::Status s = trace.Open(path);
  if (!s.ok()) return Fail(path, s);
  std::printf("Start Time: %" PRIu64 "\n", trace.start_time());
  std::printf("RocksDB Major Version: %" PRIu32 "\n", trace.release().major);
  std::printf("RocksDB Minor Version: %" PRIu32 "\n", trace.release().minor);
  for (;;) {
    ROCKSDB_NAMESPACE::TraceRecordParts parts;
    s = trace.Next(&parts);
    // A trace whose process died may end within a record.
    if (!s.ok()) return s.IsIOError() ? Fail(path, s) : 0;
    ROCKSDB_NAMESPACE::IoTraceRecord record;
    record.access_nanos = parts.time;
    s = parts.type == ROCKSDB_NAMESPACE::kIOTracer
            ? ROCKSDB_NAMESPACE::DecodeIoTraceRecord(parts.payload, &record)
            : ROCKSDB_NAMESPACE::Status::Corruption("not a trace of I/O");
    if (!s.ok()) return Fail(path, s);
    PrintOperation(record);
  }
}

}  // namespace

int main(int argc, char** argv) { return tools::ExitStatus(Run(argc, argv)); }
