#include "util/value/wide_columns_coding.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <utility>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kColumnsVersion1 = 1;
constexpr uint32_t kColumnsVersion2 = 2;
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

Status DecodeVersion2(Slice input, uint32_t count, StoredColumns* stored) {
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
    const bool is_reference = static_cast<uint8_t>(type) == kBlobColumn;
    if (!is_reference && static_cast<uint8_t>(type) != kInlineColumn) {
      return Bad("unknown column type");
    }
    stored->is_reference.push_back(is_reference);
  }
  Sections sections;
  if (!TakeBytes(&input, name_sizes_bytes, &sections.name_sizes) ||
      !TakeBytes(&input, value_sizes_bytes, &sections.value_sizes) ||
      !TakeBytes(&input, names_bytes, &sections.names)) {
    return Bad("section sizes do not add up");
  }
  sections.values = input;
  return DecodeSections(sections, count, &stored->columns);
}

// Takes what both versions begin with.
Status TakeHeader(Slice* input, uint32_t* version, uint32_t* count) {
  if (!GetVarint32(input, version)) return Bad("version");
  if (*version != kColumnsVersion1 && *version != kColumnsVersion2) {
    return Bad("unknown version");
  }
  if (!GetVarint32(input, count)) return Bad("column count");
  return IsPlausibleCount(*count, *input) ? Status::OK()
                                          : Bad("column count too large");
}

Status CheckEncodable(const WideColumns& columns) {
  if (columns.size() > UINT32_MAX) {
    return Status::InvalidArgument("too many wide columns");
  }
  const WideColumn* previous = nullptr;
  for (const WideColumn& column : columns) {
    if (column.name().size() > UINT32_MAX ||
        column.value().size() > UINT32_MAX) {
      return Status::InvalidArgument("wide column is too large");
    }
    if (previous != nullptr && previous->name().compare(column.name()) >= 0) {
      return Status::Corruption("Wide columns out of order");
    }
    previous = &column;
  }
  return Status::OK();
}

bool HasReference(const StoredColumns& stored) {
  return std::find(stored.is_reference.begin(), stored.is_reference.end(),
                   true) != stored.is_reference.end();
}

Status EncodeVersion2(const StoredColumns& stored, std::string* output) {
  std::string types, name_sizes, value_sizes, names;
  for (size_t i = 0; i < stored.columns.size(); ++i) {
    const WideColumn& column = stored.columns[i];
    types.push_back(static_cast<char>(stored.is_reference[i] ? kBlobColumn
                                                             : kInlineColumn));
    PutVarint32(&name_sizes, static_cast<uint32_t>(column.name().size()));
    PutVarint32(&value_sizes, static_cast<uint32_t>(column.value().size()));
    names.append(column.name().data(), column.name().size());
  }
  if (names.size() > UINT32_MAX) {
    return Status::InvalidArgument("names of wide columns are too long");
  }
  PutVarint32(output, kColumnsVersion2);
  PutVarint32(output, static_cast<uint32_t>(stored.columns.size()));
  for (const std::string* section : {&name_sizes, &value_sizes, &names}) {
    PutVarint32(output, static_cast<uint32_t>(section->size()));
  }
  for (const std::string* section :
       {&types, &name_sizes, &value_sizes, &names}) {
    *output += *section;
  }
  for (const WideColumn& column : stored.columns) {
    output->append(column.value().data(), column.value().size());
  }
  return Status::OK();
}

}  // namespace

Status EncodeWideColumns(const WideColumns& columns, std::string* output) {
  if (Status s = CheckEncodable(columns); !s.ok()) return s;
  PutVarint32(output, kColumnsVersion1);
  PutVarint32(output, static_cast<uint32_t>(columns.size()));
  for (const WideColumn& column : columns) {
    PutLengthPrefixedSlice(output, column.name());
    PutVarint32(output, static_cast<uint32_t>(column.value().size()));
  }
  for (const WideColumn& column : columns) {
    output->append(column.value().data(), column.value().size());
  }
  return Status::OK();
}

Status EncodeStoredColumns(const StoredColumns& stored, std::string* output) {
  assert(stored.columns.size() == stored.is_reference.size());
  if (!HasReference(stored)) return EncodeWideColumns(stored.columns, output);
  if (Status s = CheckEncodable(stored.columns); !s.ok()) return s;
  return EncodeVersion2(stored, output);
}

bool RefersToBlobs(const Slice& entity) {
  if (entity.empty() || entity[0] != static_cast<char>(kColumnsVersion2))
    return false;
  Slice rest = entity;
  uint32_t version = 0, count = 0, size = 0;
  if (!TakeHeader(&rest, &version, &count).ok()) return false;
  for (int section = 0; section < 3; ++section) {
    if (!GetVarint32(&rest, &size)) return false;
  }
  Slice types;
  return TakeBytes(&rest, count, &types) &&
         types.ToStringView().find(static_cast<char>(kBlobColumn)) !=
             std::string_view::npos;
}

Status DecodeStoredColumns(const Slice& input, StoredColumns* stored) {
  Slice rest = input;
  uint32_t version = 0;
  uint32_t count = 0;
  if (Status s = TakeHeader(&rest, &version, &count); !s.ok()) return s;
  StoredColumns decoded;
  decoded.columns.reserve(count);
  Status s;
  if (version == kColumnsVersion1) {
    decoded.is_reference.assign(count, false);
    s = DecodeVersion1(rest, count, &decoded.columns);
  } else {
    s = DecodeVersion2(rest, count, &decoded);
  }
  if (!s.ok()) return s;
  assert(decoded.columns.size() == decoded.is_reference.size());
  *stored = std::move(decoded);
  return s;
}

Status DecodeWideColumns(const Slice& input, WideColumns* columns) {
  Slice rest = input;
  uint32_t version = 0;
  uint32_t count = 0;
  Status s = TakeHeader(&rest, &version, &count);
  if (!s.ok()) return s;
  StoredColumns decoded;
  decoded.columns.reserve(count);
  s = version == kColumnsVersion1
          ? DecodeVersion1(rest, count, &decoded.columns)
          : DecodeVersion2(rest, count, &decoded);
  if (!s.ok()) return s;
  if (HasReference(decoded)) {
    return Status::NotSupported("wide-column entity",
                                "column stored as a blob");
  }
  *columns = std::move(decoded.columns);
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
