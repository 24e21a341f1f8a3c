// TableProperties to and from text, compared, and what they say for people.
//
//   <block>;<fields>[;<name>=<value>]...
//
// all in hex: the block is the one that a table has, the fields are what no
// block has, and then come the readable properties.
#include <string>
#include <vector>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table_properties.h"
#include "table/properties_block.h"
#include "util/coding.h"
#include "util/compression.h"
#include "util/no_destructor.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What a block that is read gives both to its field and to the collected ones.
const std::vector<std::string>& DoubledNames() {
  static NoDestructor<std::vector<std::string>> names(
      std::vector<std::string>{TablePropertiesNames::kDeletedKeys,
                               TablePropertiesNames::kMergeOperands});
  return *names;
}

}  // namespace

Status TableProperties::Serialize(const ConfigOptions& /*opts*/,
                                  std::string* output) const {
  std::string fields;
  PutFixed64(&fields, uncompressed_data_size);
  PutFixed64(&fields, external_sst_file_global_seqno_offset);
  for (const std::string& name : DoubledNames()) {
    fields += static_cast<char>(user_collected_properties.count(name));
  }
  std::string text = ToHex(EncodeProperties(*this)) + ";" + ToHex(fields);
  for (const auto& [name, value] : readable_properties) {
    text += ";" + ToHex(name) + "=" + ToHex(value);
  }
  *output = std::move(text);
  return Status::OK();
}

Status TableProperties::Parse(const ConfigOptions& /*opts*/,
                              const std::string& serialized,
                              TableProperties* table_properties) {
  const Status damaged = Status::Corruption("not properties of a table");
  const std::vector<std::string> parts = SplitString(serialized, ';');
  std::string block;
  std::string fields;
  if (parts.size() < 2 || !Slice(parts[0]).DecodeHex(&block) ||
      !Slice(parts[1]).DecodeHex(&fields)) {
    return damaged;
  }
  TableProperties result;
  if (const char* problem = DecodeProperties(block, 0, &result)) {
    return Status::Corruption("not properties of a table", problem);
  }
  Slice rest(fields);
  if (!GetFixed64(&rest, &result.uncompressed_data_size) ||
      !GetFixed64(&rest, &result.external_sst_file_global_seqno_offset) ||
      rest.size() != DoubledNames().size()) {
    return damaged;
  }
  for (const std::string& name : DoubledNames()) {
    if (rest[0] == 0) result.user_collected_properties.erase(name);
    rest.remove_prefix(1);
  }
  for (size_t i = 2; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    std::string name;
    std::string value;
    if (equals == std::string::npos ||
        !Slice(parts[i].data(), equals).DecodeHex(&name) ||
        !Slice(parts[i].substr(equals + 1)).DecodeHex(&value)) {
      return damaged;
    }
    result.readable_properties[name] = value;
  }
  *table_properties = std::move(result);
  return Status::OK();
}

bool TableProperties::AreEqual(const ConfigOptions& /*opts*/,
                               const TableProperties* other_table_properties,
                               std::string* mismatch) const {
  *mismatch = DifferingProperty(*this, *other_table_properties);
  return mismatch->empty();
}

std::string ParseCompressionNameForDisplay(
    const std::string& compression_name) {
  return ParseCompressionNameForDisplay(compression_name, nullptr);
}

std::string ParseCompressionNameForDisplay(
    const std::string& compression_name,
    std::shared_ptr<CompressionManager> compression_manager) {
  const std::vector<std::string> fields = SplitString(compression_name, ';');
  // In older formats it is a name already.
  if (fields.size() < 3) return compression_name;
  std::string types;
  if (!Slice(fields[1]).DecodeHex(&types)) return compression_name;
  if (compression_manager != nullptr && !fields[0].empty()) {
    compression_manager =
        compression_manager->FindCompatibleCompressionManager(fields[0]);
  }
  std::string text;
  for (const char byte : types) {
    const auto type = static_cast<CompressionType>(byte);
    if (!text.empty()) text += ",";
    text += compression_manager != nullptr
                ? compression_manager->CompressionTypeToString(type)
                : CompressionTypeToString(type);
  }
  return text.empty() ? "NoCompression" : text;
}

}  // namespace ROCKSDB_NAMESPACE
