#include "util/value/wide_columns_coding.h"

#include <cstdint>
#include <vector>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kVersion1 = 1;
constexpr uint32_t kVersion2 = 2;
constexpr uint8_t kInlineColumn = 0x01;
constexpr uint8_t kBlobColumn = 0x11;

Status Bad(const char* what) {
  return Status::Corruption("wide-column entity", what);
}

// A column takes two bytes at least, which bounds the count before anything is
// allocated for it.
bool IsPlausibleCount(uint32_t count, const Slice& rest) {
  return count <= rest.size() / 2;
}

// Appends a column unless its name is out of order.
bool AppendColumn(const Slice& name, const Slice& value, WideColumns* columns) {
  if (!columns->empty() && columns->back().name().compare(name) >= 0) {
    return false;
  }
  columns->emplace_back(name, value);
  return true;
}

Status DecodeVersion1(Slice input, uint32_t count, WideColumns* columns) {
  std::vector<uint32_t> value_sizes(count);
  for (uint32_t& value_size : value_sizes) {
    Slice name;
    if (!GetLengthPrefixedSlice(&input, &name)) return Bad("column name");
    if (!GetVarint32(&input, &value_size)) return Bad("column value size");
    if (!AppendColumn(name, Slice(), columns)) return Bad("column order");
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (input.size() < value_sizes[i]) return Bad("column value");
    (*columns)[i].value() = Slice(input.data(), value_sizes[i]);
    input.remove_prefix(value_sizes[i]);
  }
  return input.empty() ? Status::OK() : Bad("bytes behind the last column");
}

// The sections of version 2 behind its column types.
struct Sections {
  Slice name_sizes;
  Slice value_sizes;
  Slice names;
  Slice values;
};

bool TakeBytes(Slice* input, size_t n, Slice* section) {
  if (input->size() < n) return false;
  *section = Slice(input->data(), n);
  input->remove_prefix(n);
  return true;
}

Status DecodeSections(Sections sections, uint32_t count, WideColumns* columns) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t name_size = 0;
    uint32_t value_size = 0;
    Slice name;
    Slice value;
    if (!GetVarint32(&sections.name_sizes, &name_size) ||
        !TakeBytes(&sections.names, name_size, &name)) {
      return Bad("column name");
    }
    if (!GetVarint32(&sections.value_sizes, &value_size) ||
        !TakeBytes(&sections.values, value_size, &value)) {
      return Bad("column value");
    }
    if (!AppendColumn(name, value, columns)) return Bad("column order");
  }
  const bool is_used_up = sections.name_sizes.empty() &&
                          sections.value_sizes.empty() &&
                          sections.names.empty() && sections.values.empty();
  return is_used_up ? Status::OK() : Bad("section sizes do not add up");
}

Status DecodeVersion2(Slice input, uint32_t count, WideColumns* columns) {
  uint32_t name_sizes_bytes = 0;
  uint32_t value_sizes_bytes = 0;
  uint32_t names_bytes = 0;
  if (!GetVarint32(&input, &name_sizes_bytes) ||
      !GetVarint32(&input, &value_sizes_bytes) ||
      !GetVarint32(&input, &names_bytes)) {
    return Bad("section sizes");
  }
  Slice types;
  if (!TakeBytes(&input, count, &types)) return Bad("column types");
  for (const char type : types.ToStringView()) {
    if (static_cast<uint8_t>(type) == kBlobColumn) {
      return Status::NotSupported("wide-column entity",
                                  "column stored as a blob");
    }
    if (static_cast<uint8_t>(type) != kInlineColumn) {
      return Bad("unknown column type");
    }
  }
  Sections sections;
  if (!TakeBytes(&input, name_sizes_bytes, &sections.name_sizes) ||
      !TakeBytes(&input, value_sizes_bytes, &sections.value_sizes) ||
      !TakeBytes(&input, names_bytes, &sections.names)) {
    return Bad("section sizes do not add up");
  }
  sections.values = input;
  return DecodeSections(sections, count, columns);
}

}  // namespace

Status EncodeWideColumns(const WideColumns& columns, std::string* output) {
  if (columns.size() > UINT32_MAX) {
    return Status::InvalidArgument("too many wide columns");
  }
  PutVarint32(output, kVersion1);
  PutVarint32(output, static_cast<uint32_t>(columns.size()));
  const WideColumn* previous = nullptr;
  for (const WideColumn& column : columns) {
    if (column.name().size() > UINT32_MAX ||
        column.value().size() > UINT32_MAX) {
      return Status::InvalidArgument("wide column is too large");
    }
    if (previous != nullptr && previous->name().compare(column.name()) >= 0) {
      return Status::InvalidArgument("wide columns out of order");
    }
    PutLengthPrefixedSlice(output, column.name());
    PutVarint32(output, static_cast<uint32_t>(column.value().size()));
    previous = &column;
  }
  for (const WideColumn& column : columns) {
    output->append(column.value().data(), column.value().size());
  }
  return Status::OK();
}

Status DecodeWideColumns(const Slice& input, WideColumns* columns) {
  Slice rest = input;
  uint32_t version = 0;
  uint32_t count = 0;
  if (!GetVarint32(&rest, &version)) return Bad("version");
  if (version != kVersion1 && version != kVersion2) {
    return Bad("unknown version");
  }
  if (!GetVarint32(&rest, &count)) return Bad("column count");
  if (!IsPlausibleCount(count, rest)) return Bad("column count too large");
  WideColumns decoded;
  decoded.reserve(count);
  Status s = version == kVersion1 ? DecodeVersion1(rest, count, &decoded)
                                  : DecodeVersion2(rest, count, &decoded);
  if (s.ok()) *columns = std::move(decoded);
  return s;
}

Status DefaultColumnOf(const Slice& entity, Slice* value) {
  WideColumns columns;
  Status s = DecodeWideColumns(entity, &columns);
  if (!s.ok()) return s;
  const bool has_default =
      !columns.empty() && columns.front().name() == kDefaultWideColumnName;
  *value = has_default ? columns.front().value() : Slice();
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
