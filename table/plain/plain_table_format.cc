#include "table/plain/plain_table_format.h"

#include <cassert>

#include "file/random_access_file_reader.h"
#include "table/unframed_tail.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kFooterBytes = Footer::kLegacyBytes;
constexpr size_t kMagicBytes = sizeof(uint64_t);
static_assert(kFooterBytes == 2 * BlockHandle::kMaxEncodedBytes + kMagicBytes);

}  // namespace

std::string EncodePlainTail(uint64_t offset, const TableProperties& properties,
                            const std::map<std::string, BlockHandle>& blocks) {
  BlockHandle metaindex;
  const std::string tail =
      EncodeUnframedTail(offset, properties, blocks, &metaindex);
  std::string footer;
  metaindex.EncodeTo(&footer);
  BlockHandle().EncodeTo(&footer);
  assert(footer.size() <= kFooterBytes - kMagicBytes);
  footer.resize(kFooterBytes - kMagicBytes, '\0');
  PutFixed64(&footer, kLegacyPlainTableMagic);
  return tail + footer;
}

Status ReadPlainTail(const RandomAccessFileReader& file, uint64_t file_size,
                     std::shared_ptr<TableProperties>* properties,
                     Metaindex* blocks, uint64_t* end) {
  assert(properties != nullptr && blocks != nullptr && end != nullptr);
  const std::string& name = file.file_name();
  if (file_size < kFooterBytes) {
    return CorruptTable(name, 0, "too short for a plain table");
  }
  const uint64_t footer_offset = file_size - kFooterBytes;
  std::string bytes;
  Status s =
      ReadUnframedBlock(file, {footer_offset, kFooterBytes}, file_size, &bytes);
  if (!s.ok()) return s;
  const uint64_t magic =
      DecodeFixed64(bytes.data() + kFooterBytes - kMagicBytes);
  if (magic != kLegacyPlainTableMagic) {
    return magic == kBlockBasedTableMagic ||
                   magic == kLegacyBlockBasedTableMagic
               ? Status::InvalidArgument(
                     name, "is a block-based table, not a plain one")
               : CorruptTable(name, footer_offset,
                              "bad magic number of a plain table");
  }
  Slice handles(bytes);
  BlockHandle metaindex;
  if (!metaindex.DecodeFrom(&handles)) {
    return CorruptTable(name, footer_offset, "bad handle of the metaindex");
  }
  *end = footer_offset;
  return ReadUnframedTail(file, metaindex, footer_offset, blocks, properties);
}

Status ReadPlainProperties(const RandomAccessFileReader& file,
                           uint64_t file_size,
                           std::shared_ptr<TableProperties>* properties) {
  Metaindex blocks;
  uint64_t end = 0;
  return ReadPlainTail(file, file_size, properties, &blocks, &end);
}

}  // namespace ROCKSDB_NAMESPACE
