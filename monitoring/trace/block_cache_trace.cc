// What writes and reads traces of the block cache.
#include <cassert>
#include <string>
#include <utility>

#include "monitoring/trace/block_cache_trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/system_clock.h"
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
    return writer_->Write(EncodeTraceRecord(clock_->NowMicros(), kTraceBegin,
                                            AccessTraceHeader()));
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
    if (LooksUpKeys(record.caller)) {
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

bool GetFlag(Slice* input, bool* flag) {
  if (input->empty()) return false;
  *flag = (*input)[0] != 0;
  input->remove_prefix(1);
  return true;
}

bool GetName(Slice* input, std::string* name) {
  Slice found;
  if (!GetLengthPrefixedSlice(input, &found)) return false;
  *name = found.ToString();
  return true;
}

bool GetCaller(Slice* input, TableReaderCaller* caller) {
  if (input->empty()) return false;
  const char value = (*input)[0];
  if (value < kUserGet || value >= kMaxBlockCacheLookupCaller) return false;
  *caller = static_cast<TableReaderCaller>(value);
  input->remove_prefix(1);
  return true;
}

bool GetPlace(Slice* input, BlockCacheTraceRecord* record) {
  return GetName(input, &record->block_key) &&
         GetFixed64(input, &record->block_size) &&
         GetFixed64(input, &record->cf_id) &&
         GetName(input, &record->cf_name) &&
         GetFixed32(input, &record->level) &&
         GetFixed64(input, &record->sst_fd_number) &&
         GetCaller(input, &record->caller) &&
         GetFlag(input, &record->is_cache_hit) &&
         GetFlag(input, &record->no_insert);
}

bool GetLookup(Slice* input, BlockCacheTraceRecord* record) {
  if (!LooksUpKeys(record->caller)) return true;
  if (!GetFixed64(input, &record->get_id) ||
      !GetFlag(input, &record->get_from_user_specified_snapshot) ||
      !GetName(input, &record->referenced_key)) {
    return false;
  }
  return record->block_type != kBlockTraceDataBlock ||
         (GetFixed64(input, &record->referenced_data_size) &&
          GetFixed64(input, &record->num_keys_in_block) &&
          GetFlag(input, &record->referenced_key_exist_in_block));
}

}  // namespace

Status DecodeBlockAccess(const TraceRecordParts& bytes,
                         BlockCacheTraceRecord* record) {
  if (bytes.type < kBlockTraceIndexBlock ||
      bytes.type > kBlockTraceRangeDeletionBlock) {
    return Status::Corruption("block cache trace record",
                              "it is of no type of block: " +
                                  std::to_string(static_cast<int>(bytes.type)));
  }
  BlockCacheTraceRecord decoded;
  decoded.access_timestamp = bytes.time;
  decoded.block_type = bytes.type;
  Slice input = bytes.payload;
  if (!GetPlace(&input, &decoded) || !GetLookup(&input, &decoded)) {
    return Status::Corruption("block cache trace record",
                              "it is cut off, or has an unknown caller");
  }
  *record = std::move(decoded);
  return Status::OK();
}

std::unique_ptr<BlockCacheTraceWriter> NewBlockCacheTraceWriter(
    SystemClock* clock, const BlockCacheTraceWriterOptions& trace_options,
    std::unique_ptr<TraceWriter>&& trace_writer) {
  return std::make_unique<FileBlockCacheTraceWriter>(clock, trace_options,
                                                     std::move(trace_writer));
}

}  // namespace ROCKSDB_NAMESPACE
