// The files that traces of the block cache are (trace_format.h). The first
// record is kTraceBegin; each other one is of a block's type.
//
//   lps magic  fixed32 major release  fixed32 minor                  | first
//
//   lps key of the block  fixed64 size                               | others
//   fixed64 family  lps name of the family  fixed32 level  fixed64 file
//   uint8 caller  uint8 hit  uint8 not inserted
//   fixed64 look-up  uint8 snapshot of the user's  lps internal key  | Get
//   fixed64 bytes found  fixed64 keys in the block  uint8 found      | its data
#include <cassert>

#include "monitoring/trace/trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/version.h"
#include "util/coding.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void PutFlag(std::string* payload, bool flag) {
  payload->push_back(static_cast<char>(flag ? 1 : 0));
}

class FileBlockCacheTraceWriter final : public BlockCacheTraceWriter {
 public:
  FileBlockCacheTraceWriter(SystemClock* clock,
                            const BlockCacheTraceWriterOptions& options,
                            std::unique_ptr<TraceWriter>&& writer)
      : clock_(clock), options_(options), writer_(std::move(writer)) {
    assert(clock_ != nullptr && writer_ != nullptr);
  }
  ~FileBlockCacheTraceWriter() override {
    IgnoreError(writer_->Close(), "nobody is there to be told");
  }

  Status WriteHeader() override {
    std::string payload;
    PutLengthPrefixedSlice(&payload, kTraceMagic);
    PutFixed32(&payload, ROCKSDB_MAJOR);
    PutFixed32(&payload, ROCKSDB_MINOR);
    return writer_->Write(
        EncodeTraceRecord(clock_->NowMicros(), kTraceBegin, payload));
  }

  Status WriteBlockAccess(const BlockCacheTraceRecord& record,
                          const Slice& block_key, const Slice& cf_name,
                          const Slice& referenced_key) override {
    if (writer_->GetFileSize() > options_.max_trace_file_size) {
      return Status::OK();
    }
    std::string payload;
    PutLengthPrefixedSlice(&payload, block_key);
    PutFixed64(&payload, record.block_size);
    PutFixed64(&payload, record.cf_id);
    PutLengthPrefixedSlice(&payload, cf_name);
    PutFixed32(&payload, record.level);
    PutFixed64(&payload, record.sst_fd_number);
    payload.push_back(record.caller);
    PutFlag(&payload, record.is_cache_hit);
    PutFlag(&payload, record.no_insert);
    if (record.caller == kUserGet || record.caller == kUserMultiGet) {
      PutFixed64(&payload, record.get_id);
      PutFlag(&payload, record.get_from_user_specified_snapshot);
      PutLengthPrefixedSlice(&payload, referenced_key);
      if (record.block_type == kBlockTraceDataBlock) {
        PutFixed64(&payload, record.referenced_data_size);
        PutFixed64(&payload, record.num_keys_in_block);
        PutFlag(&payload, record.referenced_key_exist_in_block);
      }
    }
    return writer_->Write(
        EncodeTraceRecord(record.access_timestamp, record.block_type, payload));
  }

 private:
  SystemClock* const clock_;
  const BlockCacheTraceWriterOptions options_;
  const std::unique_ptr<TraceWriter> writer_;
};

}  // namespace

std::unique_ptr<BlockCacheTraceWriter> NewBlockCacheTraceWriter(
    SystemClock* clock, const BlockCacheTraceWriterOptions& trace_options,
    std::unique_ptr<TraceWriter>&& trace_writer) {
  return std::make_unique<FileBlockCacheTraceWriter>(clock, trace_options,
                                                     std::move(trace_writer));
}

}  // namespace ROCKSDB_NAMESPACE
