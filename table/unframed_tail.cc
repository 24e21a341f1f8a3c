#include "table/unframed_tail.h"

#include <cassert>
#include <utility>

#include "file/random_access_file_reader.h"
#include "rocksdb/comparator.h"
#include "table/properties_block.h"
#include "table/unique_id.h"

namespace ROCKSDB_NAMESPACE {

std::string EncodeUnframedTail(uint64_t offset,
                               const TableProperties& properties,
                               std::map<std::string, BlockHandle> blocks,
                               BlockHandle* metaindex) {
  assert(metaindex != nullptr);
  std::string tail = EncodeProperties(properties);
  blocks[kPropertiesBlock] = {.offset = offset, .size = tail.size()};
  const std::string names = Metaindex::Encode(blocks);
  *metaindex = {.offset = offset + tail.size(), .size = names.size()};
  return tail + names;
}

Status ReadUnframedBlock(const RandomAccessFileReader& file,
                         const BlockHandle& handle, uint64_t limit,
                         std::string* bytes) {
  if (handle.size > limit || handle.offset > limit - handle.size) {
    return CorruptTable(file.file_name(), limit,
                        "a block beyond it: " + handle.ToString());
  }
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

Status ReadUnframedTail(const RandomAccessFileReader& file,
                        const BlockHandle& metaindex, uint64_t limit,
                        Metaindex* blocks,
                        std::shared_ptr<TableProperties>* properties) {
  assert(blocks != nullptr && properties != nullptr);
  const std::string& name = file.file_name();
  std::string bytes;
  Status s = ReadUnframedBlock(file, metaindex, limit, &bytes);
  if (!s.ok()) return s;
  if (const char* problem = blocks->Decode(bytes)) {
    return CorruptTable(name, metaindex.offset, problem);
  }
  const BlockHandle* block = blocks->Find(kPropertiesBlock);
  if (block == nullptr) {
    return CorruptTable(name, metaindex.offset,
                        "the metaindex names no properties block");
  }
  s = ReadUnframedBlock(file, *block, limit, &bytes);
  if (!s.ok()) return s;
  auto result = std::make_shared<TableProperties>();
  if (const char* problem =
          DecodeProperties(bytes, block->offset, result.get())) {
    return CorruptTable(name, block->offset, problem);
  }
  if (result->data_size > limit) {
    return CorruptTable(name, block->offset, "data that exceed the file");
  }
  *properties = std::move(result);
  return s;
}

Status CheckUnframedProperties(const TableProperties& properties,
                               const TableReaderOptions& options,
                               const std::string& file_name) {
  const std::string order = options.cf->user_comparator->Name();
  if (!properties.comparator_name.empty() &&
      properties.comparator_name != order) {
    return Status::InvalidArgument(
        file_name, "comparator of the file is " + properties.comparator_name +
                       ", that of the column family is " + order);
  }
  const uint64_t* expected = options.expected_unique_id;
  if (expected[0] == 0 && expected[1] == 0) return Status::OK();
  TableUniqueId actual;
  if (InternalUniqueIdOf(properties, &actual).ok() &&
      actual[0] == expected[0] && actual[1] == expected[1]) {
    return Status::OK();
  }
  return CorruptTable(file_name, 0, "unique id mismatch");
}

}  // namespace ROCKSDB_NAMESPACE
