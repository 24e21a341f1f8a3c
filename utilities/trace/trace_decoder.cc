#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/trace_record.h"
#include "util/coding.h"
#include "utilities/trace/trace_replayer.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Fields of payloads; bits of the map in front of them.
enum TraceField : int {
  kFieldBatch = 1,
  kFieldGetFamily = 2,
  kFieldGetKey = 3,
  kFieldSeekFamily = 4,
  kFieldSeekKey = 5,
  kFieldLowerBound = 6,
  kFieldUpperBound = 7,
  kFieldCount = 8,
  kFieldFamilies = 9,
  kFieldKeys = 10,
};

struct TraceFields {
  Slice batch;
  uint32_t family = 0;
  Slice key;
  Slice lower;
  Slice upper;
  uint32_t count = 0;
  Slice families;
  Slice keys;
};

bool GetField(int field, Slice* input, TraceFields* fields) {
  switch (field) {
    case kFieldBatch:
      return GetLengthPrefixedSlice(input, &fields->batch);
    case kFieldGetFamily:
    case kFieldSeekFamily:
      return GetFixed32(input, &fields->family);
    case kFieldGetKey:
    case kFieldSeekKey:
      return GetLengthPrefixedSlice(input, &fields->key);
    case kFieldLowerBound:
      return GetLengthPrefixedSlice(input, &fields->lower);
    case kFieldUpperBound:
      return GetLengthPrefixedSlice(input, &fields->upper);
    case kFieldCount:
      return GetFixed32(input, &fields->count);
    case kFieldFamilies:
      return GetLengthPrefixedSlice(input, &fields->families);
    case kFieldKeys:
      return GetLengthPrefixedSlice(input, &fields->keys);
    default:
      return false;
  }
}

// `present` gets the map.
bool GetFields(Slice input, uint64_t* present, TraceFields* fields) {
  if (!GetFixed64(&input, present)) return false;
  for (uint64_t left = *present; left != 0; left &= left - 1) {
    if (!GetField(std::countr_zero(left), &input, fields)) return false;
  }
  return true;
}

bool GetOldFields(TraceType type, Slice input, uint64_t* present,
                  TraceFields* fields) {
  *present = ~uint64_t{0};
  if (type == kTraceWrite) {
    fields->batch = input;
    return true;
  }
  return type != kTraceMultiGet && GetFixed32(&input, &fields->family) &&
         GetLengthPrefixedSlice(&input, &fields->key);
}

bool HasFields(uint64_t present, std::initializer_list<int> fields) {
  for (const int field : fields) {
    if ((present >> field & 1) == 0) return false;
  }
  return true;
}

bool GetLists(const TraceFields& fields, std::vector<uint32_t>* families,
              std::vector<std::string>* keys) {
  Slice family_bytes = fields.families;
  Slice key_bytes = fields.keys;
  for (uint32_t i = 0; i < fields.count; ++i) {
    uint32_t family = 0;
    Slice key;
    if (!GetFixed32(&family_bytes, &family) ||
        !GetLengthPrefixedSlice(&key_bytes, &key)) {
      return false;
    }
    families->push_back(family);
    keys->push_back(key.ToString());
  }
  return family_bytes.empty() && key_bytes.empty();
}

Status Damaged() { return Status::Corruption("Corrupted trace file."); }

}  // namespace

Status DecodeTraceRecord(const std::string& bytes, int version,
                         std::unique_ptr<TraceRecord>* record) {
  Slice input(bytes);
  uint64_t time = 0;
  uint32_t length = 0;
  if (!GetFixed64(&input, &time) || input.empty()) return Damaged();
  const auto type = static_cast<TraceType>(input[0]);
  input.remove_prefix(1);
  if (!GetFixed32(&input, &length) || input.size() != length) return Damaged();
  const bool is_operation =
      (type >= kTraceWrite && type <= kTraceIteratorSeekForPrev) ||
      type == kTraceMultiGet;
  if (!is_operation) return Status::NotSupported("Unsupported trace type.");

  TraceFields fields;
  uint64_t present = 0;
  const bool is_read = version < 2
                           ? GetOldFields(type, input, &present, &fields)
                           : GetFields(input, &present, &fields);
  if (!is_read) return Damaged();
  if (type == kTraceWrite) {
    if (!HasFields(present, {kFieldBatch})) return Damaged();
    *record =
        std::make_unique<WriteQueryTraceRecord>(fields.batch.ToString(), time);
  } else if (type == kTraceGet) {
    if (!HasFields(present, {kFieldGetFamily, kFieldGetKey})) return Damaged();
    *record = std::make_unique<GetQueryTraceRecord>(
        fields.family, fields.key.ToString(), time);
  } else if (type == kTraceMultiGet) {
    std::vector<uint32_t> families;
    std::vector<std::string> keys;
    if (!HasFields(present, {kFieldCount, kFieldFamilies, kFieldKeys}) ||
        !GetLists(fields, &families, &keys)) {
      return Damaged();
    }
    *record = std::make_unique<MultiGetQueryTraceRecord>(std::move(families),
                                                         keys, time);
  } else {
    if (!HasFields(present, {kFieldSeekFamily, kFieldSeekKey}))
      return Damaged();
    *record = std::make_unique<IteratorSeekQueryTraceRecord>(
        static_cast<IteratorSeekQueryTraceRecord::SeekType>(type),
        fields.family, fields.key.ToString(), fields.lower.ToString(),
        fields.upper.ToString(), time);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
