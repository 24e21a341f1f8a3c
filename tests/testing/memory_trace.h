// A trace that is written to memory, and its records.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

struct TraceInMemory {
  std::mutex mutex;
  std::string bytes;
  int closed = 0;
  int writes_left = -1;  // then they fail; -1: never

  std::unique_ptr<TraceWriter> NewWriter();

  struct Record {
    uint64_t time = 0;
    TraceType type = kTraceNone;
    std::string payload;
    std::string bytes;  // all of them
  };
  std::vector<Record> Records() const { return RecordsOf(bytes); }
  static std::vector<Record> RecordsOf(Slice input) {
    std::vector<Record> records;
    while (!input.empty()) {
      const char* const begin = input.data();
      Record record;
      uint32_t length = 0;
      EXPECT_TRUE(GetFixed64(&input, &record.time));
      record.type = static_cast<TraceType>(input[0]);
      input.remove_prefix(1);
      EXPECT_TRUE(GetFixed32(&input, &length));
      EXPECT_LE(length, input.size());
      if (length > input.size()) return {};
      record.payload.assign(input.data(), length);
      input.remove_prefix(length);
      record.bytes.assign(begin, static_cast<size_t>(input.data() - begin));
      records.push_back(std::move(record));
    }
    return records;
  }
};

class TraceInMemoryWriter final : public TraceWriter {
 public:
  explicit TraceInMemoryWriter(TraceInMemory* trace) : trace_(trace) {}
  Status Write(const Slice& data) override {
    const std::lock_guard<std::mutex> lock(trace_->mutex);
    if (trace_->writes_left == 0) return Status::IOError("the disk is full");
    if (trace_->writes_left > 0) --trace_->writes_left;
    trace_->bytes.append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override {
    ++trace_->closed;
    return Status::OK();
  }
  uint64_t GetFileSize() override { return trace_->bytes.size(); }

 private:
  TraceInMemory* const trace_;
};

inline std::unique_ptr<TraceWriter> TraceInMemory::NewWriter() {
  return std::make_unique<TraceInMemoryWriter>(this);
}

}  // namespace ROCKSDB_NAMESPACE
