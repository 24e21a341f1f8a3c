#include "utilities/backup/table_session.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "file/random_access_file_reader.h"
#include "rocksdb/options.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/table_properties.h"
#include "table/block_fetcher.h"
#include "table/cuckoo/cuckoo_format.h"
#include "table/metaindex.h"
#include "table/plain/plain_table_format.h"
#include "table/properties_block.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Payloads as they are: properties are never compressed, and the checksum of
// theirs may be that of before a sequence number was written into them.
Status ReadPayload(const TableFile& file, const BlockHandle& handle,
                   BlockBytes* bytes, Slice* payload) {
  const ReadOptions read;
  FetchOptions options;
  options.read = &read;
  Status s = CheckHandle(file, handle);
  if (s.ok()) s = FetchStored(file, handle, options, bytes);
  if (s.ok()) *payload = Slice(bytes->data().data(), handle.size);
  return s;
}

Status ReadBlockBasedProperties(TableFile* file, TableProperties* properties) {
  char scratch[Footer::kBytes];
  const auto n =
      static_cast<size_t>(std::min<uint64_t>(file->size, Footer::kBytes));
  Slice tail;
  Status s = file->reader->Read(IOOptions(), file->size - n, n, &tail, scratch,
                                nullptr);
  if (s.ok()) s = file->footer.DecodeFrom(tail, file->size, file->name());
  BlockBytes bytes;
  Slice payload;
  if (s.ok()) s = ReadPayload(*file, file->footer.metaindex, &bytes, &payload);
  if (!s.ok()) return s;
  Metaindex metaindex;
  if (const char* problem = metaindex.Decode(payload)) {
    return file->Corrupt(file->footer.metaindex.offset, problem);
  }
  const BlockHandle* block = metaindex.Find(kPropertiesBlock);
  if (block == nullptr) return s;
  s = ReadPayload(*file, *block, &bytes, &payload);
  if (!s.ok()) return s;
  const char* problem = DecodeProperties(payload, block->offset, properties);
  return problem == nullptr ? s : file->Corrupt(block->offset, problem);
}

// Part of a file name: no more than that.
bool IsSessionId(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

}  // namespace

IOStatus ReadTableSession(const TransferSource& table, RateLimiter* limiter,
                          std::string* session_id) {
  INVARIANT(table.fs != nullptr && session_id != nullptr);
  if (limiter != nullptr) {
    const auto cost = static_cast<int64_t>(sizeof(TableProperties));
    limiter->Request(std::min(cost, limiter->GetSingleBurstBytes()),
                     Env::IO_LOW, nullptr, RateLimiter::OpType::kRead);
  }
  TableFile file;
  file.size = table.size_bytes;
  file.fs = table.fs;
  IOStatus opened = RandomAccessFileReader::Create(table.fs, table.path,
                                                   table.options, &file.reader);
  if (!opened.ok()) return opened;
  TableProperties properties;
  Status s = ReadBlockBasedProperties(&file, &properties);
  // Each kind says of the others' files that they are none of its own.
  for (const auto read : {&ReadPlainProperties, &ReadCuckooProperties}) {
    std::shared_ptr<TableProperties> other;
    if (s.ok() || !read(*file.reader, file.size, &other).ok()) continue;
    properties = *other;
    s = Status::OK();
  }
  if (!s.ok()) return status_to_io_status(std::move(s));
  *session_id =
      IsSessionId(properties.db_session_id) ? properties.db_session_id : "";
  return IOStatus::OK();
}

}  // namespace ROCKSDB_NAMESPACE
