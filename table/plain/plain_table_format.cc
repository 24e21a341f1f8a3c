#include "table/plain/plain_table_format.h"

#include <cassert>

#include "file/random_access_file_reader.h"
#include "table/metaindex.h"
#include "table/properties_block.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kFooterBytes = Footer::kLegacyBytes;
constexpr size_t kMagicBytes = sizeof(uint64_t);
static_assert(kFooterBytes == 2 * BlockHandle::kMaxEncodedBytes + kMagicBytes);

Status ReadExactly(const RandomAccessFileReader& file,
                   const BlockHandle& handle, std::string* bytes) {
  std::string scratch(handle.size, '\0');
  Slice found;
  const IOStatus s = file.Read(IOOptions(), handle.offset, handle.size, &found,
                               scratch.data(), nullptr);
  if (!s.ok()) return s;
  if (found.size() != handle.size) {
    return CorruptTable(file.file_name(), handle.offset, "the file ends early");
  }
  *bytes = found.ToString();
  return Status::OK();
}

bool Fits(const BlockHandle& handle, uint64_t limit) {
  return handle.size <= limit && handle.offset <= limit - handle.size;
}

}  // namespace

std::string EncodePlainTail(uint64_t offset,
                            const TableProperties& properties) {
  std::string tail = EncodeProperties(properties);
  const BlockHandle block{.offset = offset, .size = tail.size()};
  const std::string index = Metaindex::Encode({{kPropertiesBlock, block}});
  const BlockHandle metaindex{.offset = offset + tail.size(),
                              .size = index.size()};
  tail += index;
  std::string footer;
  metaindex.EncodeTo(&footer);
  BlockHandle().EncodeTo(&footer);
  assert(footer.size() <= kFooterBytes - kMagicBytes);
  footer.resize(kFooterBytes - kMagicBytes, '\0');
  PutFixed64(&footer, kLegacyPlainTableMagic);
  return tail + footer;
}

Status ReadPlainProperties(const RandomAccessFileReader& file,
                           uint64_t file_size,
                           std::shared_ptr<TableProperties>* properties) {
  assert(properties != nullptr);
  const std::string& name = file.file_name();
  if (file_size < kFooterBytes) {
    return CorruptTable(name, 0, "too short for a plain table");
  }
  const uint64_t footer_offset = file_size - kFooterBytes;
  std::string bytes;
  Status s = ReadExactly(file, {footer_offset, kFooterBytes}, &bytes);
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
  if (!metaindex.DecodeFrom(&handles) || !Fits(metaindex, footer_offset)) {
    return CorruptTable(name, footer_offset, "bad handle of the metaindex");
  }
  s = ReadExactly(file, metaindex, &bytes);
  if (!s.ok()) return s;
  Metaindex index;
  if (const char* problem = index.Decode(bytes)) {
    return CorruptTable(name, metaindex.offset, problem);
  }
  const BlockHandle* block = index.Find(kPropertiesBlock);
  if (block == nullptr || !Fits(*block, footer_offset)) {
    return CorruptTable(name, metaindex.offset,
                        "the metaindex names no properties block");
  }
  s = ReadExactly(file, *block, &bytes);
  if (!s.ok()) return s;
  auto result = std::make_shared<TableProperties>();
  if (const char* problem =
          DecodeProperties(bytes, block->offset, result.get())) {
    return CorruptTable(name, block->offset, problem);
  }
  if (result->data_size > footer_offset) {
    return CorruptTable(name, block->offset, "rows that exceed the file");
  }
  *properties = std::move(result);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
