#include "table/memory_table.h"

#include "file/random_access_file_reader.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

Status MemoryData::Load(const RandomAccessFileReader& file, uint64_t size) {
  assert(bytes_.empty() && copy_ == nullptr);
  if (size == 0) return Status::OK();
  char byte = 0;
  Slice found;
  Status s = file.Read(IOOptions(), 0, 1, &found, &byte, nullptr);
  if (!s.ok()) return s;
  const bool is_mapped = found.data() != &byte && !file.use_direct_io();
  const auto count = static_cast<size_t>(size);
  if (!is_mapped) copy_ = std::make_unique<char[]>(count);
  s = file.Read(IOOptions(), 0, count, &bytes_, copy_.get(), nullptr);
  if (s.ok() && bytes_.size() != count) {
    s = CorruptTable(file.file_name(), bytes_.size(), "the file ends early");
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
