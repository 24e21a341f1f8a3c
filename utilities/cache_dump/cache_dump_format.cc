#include "utilities/cache_dump/cache_dump_format.h"

#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr unsigned char kFirstUnitType = 1;
constexpr unsigned char kLastUnitType = 13;

Status DamagedUnit(const char* what) {
  return Status::Corruption("cache dump", what);
}

}  // namespace

std::string EncodeCacheDumpUnit(const CacheDumpUnit& unit) {
  std::string bytes;
  PutFixed64(&bytes, unit.micros);
  bytes += static_cast<char>(unit.type);
  PutLengthPrefixedSlice(&bytes, unit.key);
  PutFixed32(&bytes, static_cast<uint32_t>(unit.value.size()));
  PutFixed32(&bytes, crc32c::Value(unit.value.data(), unit.value.size()));
  PutLengthPrefixedSlice(&bytes, unit.value);
  return bytes;
}

Status DecodeCacheDumpUnit(const Slice& bytes, CacheDumpUnit* unit) {
  Slice rest = bytes;
  CacheDumpUnit result;
  if (!GetFixed64(&rest, &result.micros) || rest.empty()) {
    return DamagedUnit("a unit ends early");
  }
  const auto type = static_cast<unsigned char>(rest[0]);
  rest.remove_prefix(1);
  if (type < kFirstUnitType || type > kLastUnitType) {
    return DamagedUnit("a unit of an unknown type");
  }
  result.type = static_cast<CacheDumpUnitType>(type);
  uint32_t size = 0;
  uint32_t checksum = 0;
  if (!GetLengthPrefixedSlice(&rest, &result.key) ||
      !GetFixed32(&rest, &size) || !GetFixed32(&rest, &checksum) ||
      !GetLengthPrefixedSlice(&rest, &result.value) || !rest.empty()) {
    return DamagedUnit("a unit has another size than its parts");
  }
  if (result.value.size() != size ||
      crc32c::Value(result.value.data(), size) != checksum) {
    return DamagedUnit("a block's size or checksum is wrong");
  }
  *unit = result;
  return Status::OK();
}

std::string EncodeCacheDumpMetadata(uint32_t number, const Slice& unit) {
  std::string bytes;
  PutFixed32(&bytes, number);
  PutFixed32(&bytes, crc32c::Value(unit.data(), unit.size()));
  PutFixed64(&bytes, unit.size());
  return bytes;
}

Status CheckCacheDumpMetadata(const Slice& metadata, uint32_t number,
                              const Slice& unit) {
  Slice rest = metadata;
  uint32_t found = 0;
  uint32_t checksum = 0;
  uint64_t size = 0;
  if (!GetFixed32(&rest, &found) || !GetFixed32(&rest, &checksum) ||
      !GetFixed64(&rest, &size) || !rest.empty()) {
    return DamagedUnit("metadata of another size");
  }
  if (found != number) return DamagedUnit("a unit is missing");
  if (size != unit.size() ||
      checksum != crc32c::Value(unit.data(), unit.size())) {
    return DamagedUnit("a unit's size or checksum is wrong");
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
