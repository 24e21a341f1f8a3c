#include "table/cuckoo/cuckoo_format.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "file/random_access_file_reader.h"
#include "rocksdb/table.h"
#include "table/format.h"
#include "table/unframed_tail.h"
#include "util/coding.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kCuckooVersion = 1;
constexpr uint32_t kHashSeed = 816922183;
constexpr size_t kCuckooFooterBytes = Footer::kBytes;
constexpr size_t kHandlesEnd = 1 + 2 * BlockHandle::kMaxEncodedBytes;
static_assert(kHandlesEnd + sizeof(uint32_t) + sizeof(uint64_t) ==
              kCuckooFooterBytes);

using CuckooNames = CuckooTablePropertyNames;

// The property if it has so many bytes.
bool FindBytes(const TableProperties& properties, const std::string& name,
               size_t size, Slice* value) {
  const auto& all = properties.user_collected_properties;
  const auto found = all.find(name);
  if (found == all.end() || found->second.size() != size) return false;
  *value = found->second;
  return true;
}
bool FindFixed32(const TableProperties& properties, const std::string& name,
                 uint32_t* result) {
  Slice value;
  if (!FindBytes(properties, name, sizeof *result, &value)) return false;
  *result = DecodeFixed32(value.data());
  return true;
}
bool FindFixed64(const TableProperties& properties, const std::string& name,
                 uint64_t* result) {
  Slice value;
  if (!FindBytes(properties, name, sizeof *result, &value)) return false;
  *result = DecodeFixed64(value.data());
  return true;
}
bool FindFlag(const TableProperties& properties, const std::string& name,
              bool* result) {
  Slice value;
  if (!FindBytes(properties, name, 1, &value)) return false;
  *result = value[0] != 0;
  return true;
}

std::string Fixed32Text(uint32_t value) {
  std::string text;
  PutFixed32(&text, value);
  return text;
}
std::string Fixed64Text(uint64_t value) {
  std::string text;
  PutFixed64(&text, value);
  return text;
}

}  // namespace

uint64_t MurmurHash64A(const Slice& key, uint32_t seed) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995u;
  constexpr int kShift = 47;
  uint64_t hash = seed ^ (key.size() * kFactor);
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= key.size(); at += sizeof(uint64_t)) {
    uint64_t part = DecodeFixed64(key.data() + at);
    part *= kFactor;
    part ^= part >> kShift;
    part *= kFactor;
    hash ^= part;
    hash *= kFactor;
  }
  if (at < key.size()) {
    for (size_t i = 0; at + i < key.size(); ++i) {
      hash ^= uint64_t{static_cast<unsigned char>(key[at + i])} << (8 * i);
    }
    hash *= kFactor;
  }
  hash ^= hash >> kShift;
  hash *= kFactor;
  hash ^= hash >> kShift;
  return hash;
}

uint64_t CuckooShape::HomeOf(const Slice& user_key, uint32_t hash) const {
  assert(home_count > 0);
  uint64_t value = 0;
  if (hash == 0 && identity_is_first_hash) {
    // Shorter keys as if zeros followed.
    char first[sizeof value] = {};
    std::memcpy(first, user_key.data(),
                std::min(user_key.size(), sizeof first));
    value = DecodeFixed64(first);
  } else {
    value = MurmurHash64A(user_key, kHashSeed * hash);
  }
  return uses_modulo ? value % home_count : value & (home_count - 1);
}

void CuckooShape::AddTo(TableProperties* properties) const {
  UserCollectedProperties& all = properties->user_collected_properties;
  all[CuckooNames::kEmptyKey] = empty_key;
  all[CuckooNames::kNumHashFunc] = Fixed32Text(hash_count);
  all[CuckooNames::kHashTableSize] = Fixed64Text(home_count);
  all[CuckooNames::kValueLength] = Fixed64Text(value_bytes);
  all[CuckooNames::kIsLastLevel] = std::string(1, is_last_level ? 1 : 0);
  all[CuckooNames::kCuckooBlockSize] = Fixed32Text(block_buckets);
  all[CuckooNames::kIdentityAsFirstHash] =
      std::string(1, identity_is_first_hash ? 1 : 0);
  all[CuckooNames::kUseModuleHash] = std::string(1, uses_modulo ? 1 : 0);
  all[CuckooNames::kUserKeyLength] = Fixed32Text(user_key_bytes);
  properties->fixed_key_len = key_bytes;
}

const char* CuckooShape::ReadFrom(const TableProperties& properties) {
  uint64_t value_length = 0;
  if (!FindFixed32(properties, CuckooNames::kNumHashFunc, &hash_count) ||
      !FindFixed64(properties, CuckooNames::kHashTableSize, &home_count) ||
      !FindFixed64(properties, CuckooNames::kValueLength, &value_length) ||
      !FindFlag(properties, CuckooNames::kIsLastLevel, &is_last_level) ||
      !FindFixed32(properties, CuckooNames::kCuckooBlockSize, &block_buckets) ||
      !FindFlag(properties, CuckooNames::kIdentityAsFirstHash,
                &identity_is_first_hash) ||
      !FindFlag(properties, CuckooNames::kUseModuleHash, &uses_modulo) ||
      !FindFixed32(properties, CuckooNames::kUserKeyLength, &user_key_bytes)) {
    return "a property of cuckoo tables is absent or of a wrong length";
  }
  // Its upper half means nothing: writers leave there what they have.
  value_bytes = static_cast<uint32_t>(value_length);
  if (block_buckets == 0) block_buckets = 1;
  if (properties.num_entries == 0 && properties.data_size == 0) {
    home_count = 0;
    return nullptr;
  }
  const uint64_t trailer = is_last_level ? 0 : kInternalKeyTrailerBytes;
  if (properties.fixed_key_len != user_key_bytes + trailer ||
      properties.fixed_key_len > UINT32_MAX || properties.fixed_key_len == 0) {
    return "the lengths of keys contradict each other";
  }
  key_bytes = static_cast<uint32_t>(properties.fixed_key_len);
  Slice empty;
  if (!FindBytes(properties, CuckooNames::kEmptyKey, key_bytes, &empty)) {
    return "the key of empty buckets is absent or of a wrong length";
  }
  empty_key = empty.ToString();
  if (hash_count == 0 || hash_count > kMaxHashes) {
    return "the number of hash functions is out of range";
  }
  if (home_count == 0 || home_count > properties.data_size ||
      (!uses_modulo && (home_count & (home_count - 1)) != 0) ||
      block_buckets > properties.data_size ||
      properties.data_size % bucket_bytes() != 0 ||
      properties.data_size / bucket_bytes() != bucket_count()) {
    return "the number of buckets is not what the properties say";
  }
  return nullptr;
}

std::string EncodeCuckooTail(uint64_t offset,
                             const TableProperties& properties) {
  BlockHandle metaindex;
  const std::string tail =
      EncodeUnframedTail(offset, properties, {}, &metaindex);
  std::string footer(1, static_cast<char>(kNoChecksum));
  metaindex.EncodeTo(&footer);
  BlockHandle().EncodeTo(&footer);
  assert(footer.size() <= kHandlesEnd);
  footer.resize(kHandlesEnd, '\0');
  PutFixed32(&footer, kCuckooVersion);
  PutFixed64(&footer, kCuckooTableMagic);
  assert(footer.size() == kCuckooFooterBytes);
  return tail + footer;
}

Status ReadCuckooProperties(const RandomAccessFileReader& file,
                            uint64_t file_size,
                            std::shared_ptr<TableProperties>* properties) {
  const std::string& name = file.file_name();
  if (file_size < kCuckooFooterBytes) {
    return CorruptTable(name, 0, "too short for a cuckoo table");
  }
  const uint64_t footer_offset = file_size - kCuckooFooterBytes;
  std::string bytes;
  Status s = ReadUnframedBlock(file, {footer_offset, kCuckooFooterBytes},
                               file_size, &bytes);
  if (!s.ok()) return s;
  const char* const version = bytes.data() + kHandlesEnd;
  if (DecodeFixed64(version + sizeof(uint32_t)) != kCuckooTableMagic) {
    return CorruptTable(name, footer_offset,
                        "bad magic number of a cuckoo table");
  }
  if (DecodeFixed32(version) != kCuckooVersion) {
    return Status::NotSupported(
        name, "CuckooTable: version " + std::to_string(DecodeFixed32(version)));
  }
  Slice handles(bytes.data() + 1, kHandlesEnd - 1);
  BlockHandle metaindex;
  if (!metaindex.DecodeFrom(&handles)) {
    return CorruptTable(name, footer_offset, "bad handle of the metaindex");
  }
  Metaindex blocks;
  return ReadUnframedTail(file, metaindex, footer_offset, &blocks, properties);
}

}  // namespace ROCKSDB_NAMESPACE
