#include "table/unique_id.h"

#include <xxhash.h>

#include <cassert>
#include <string>

#include "rocksdb/unique_id.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Word128 = unsigned __int128;

constexpr size_t kSessionLowDigits = 12;
constexpr size_t kMaxSessionHighDigits = 12;
constexpr uint64_t kLow62 = (uint64_t{1} << 62) - 1;
static_assert(sizeof(XXH128_hash_t) == 16);
static_assert(sizeof(TableUniqueId) == 24);

// The two words of a session id; false if it is not of the usual form.
bool DecodeSessionId(const std::string& id, uint64_t* high, uint64_t* low) {
  if (id.size() <= kSessionLowDigits ||
      id.size() > kSessionLowDigits + kMaxSessionHighDigits) {
    return false;
  }
  uint64_t a = 0;
  uint64_t b = 0;
  Slice digits = id;
  if (!ParseBaseChars36(&digits, id.size() - kSessionLowDigits, &a) ||
      !ParseBaseChars36(&digits, kSessionLowDigits, &b)) {
    return false;
  }
  assert(digits.empty());
  *high = a >> 2;
  *low = (b & kLow62) | (a << 62);
  return true;
}

uint64_t Avalanche(uint64_t h) {
  h ^= h >> 37;
  h *= 0x165667919E3779F9u;
  return h ^ (h >> 32);
}

}  // namespace

Status InternalUniqueIdOf(const std::string& db_id,
                          const std::string& db_session_id,
                          uint64_t file_number, TableUniqueId* result) {
  if (db_id.empty() || db_session_id.empty() || file_number == 0) {
    return Status::NotSupported(
        "table file without identity in its properties");
  }
  uint64_t session_high = 0;
  uint64_t session_low = 0;
  if (!DecodeSessionId(db_session_id, &session_high, &session_low)) {
    const XXH128_hash_t hash =
        XXH3_128bits_withSeed(db_session_id.data(), db_session_id.size(), 0);
    session_high = hash.high64;
    session_low = hash.low64 != 0 ? hash.low64 : (session_high | 1);
  }
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(db_id.data(), db_id.size(), session_high);
  *result = {session_low, hash.high64 ^ file_number, hash.low64};
  return Status::OK();
}

Status InternalUniqueIdOf(const TableProperties& properties,
                          TableUniqueId* result) {
  return InternalUniqueIdOf(properties.db_id, properties.db_session_id,
                            properties.orig_file_number, result);
}

TableUniqueId PublicUniqueIdOf(const TableUniqueId& internal) {
  uint64_t in_high = internal[1] + 17391078804906429400u;
  const uint64_t in_low = internal[0] + 6417269962128484497u;
  const Word128 p =
      Word128{in_low ^ in_high ^ 0x59973f0033362349u} * 0x9E3779B185EBCA87u;
  uint64_t low = static_cast<uint64_t>(p) + 0x03c0000000000000u;
  uint64_t high = static_cast<uint64_t>(p >> 64);
  in_high ^= 0xc202797692d63d58u;
  high += in_high + uint64_t{static_cast<uint32_t>(in_high)} * 0x85EBCA76u;
  low ^= __builtin_bswap64(high);
  const Word128 q = Word128{low} * 0xC2B2AE3D27D4EB4Fu;
  const uint64_t out_low = Avalanche(static_cast<uint64_t>(q));
  const uint64_t out_high =
      Avalanche(static_cast<uint64_t>(q >> 64) + high * 0xC2B2AE3D27D4EB4Fu);
  return {out_low, out_high, internal[2] + out_low + out_high};
}

namespace {

Status EncodeUniqueId(const TableProperties& properties, size_t words,
                      std::string* out) {
  TableUniqueId internal;
  if (Status s = InternalUniqueIdOf(properties, &internal); !s.ok()) return s;
  const TableUniqueId id = PublicUniqueIdOf(internal);
  assert(words <= id.size());
  out->clear();
  for (size_t i = 0; i < words; ++i) PutFixed64(out, id[i]);
  return Status::OK();
}

}  // namespace

Status GetUniqueIdFromTableProperties(const TableProperties& properties,
                                      std::string* out_id) {
  return EncodeUniqueId(properties, 2, out_id);
}

Status GetExtendedUniqueIdFromTableProperties(const TableProperties& properties,
                                              std::string* out_id) {
  return EncodeUniqueId(properties, 3, out_id);
}

}  // namespace ROCKSDB_NAMESPACE
