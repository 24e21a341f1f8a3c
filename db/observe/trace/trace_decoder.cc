#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "db/observe/trace/trace_replayer.h"
#include "monitoring/trace/trace_format.h"
#include "rocksdb/trace_record.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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

bool GetField(TraceField field, Slice* input, TraceFields* fields) {
  switch (field) {
    case TraceField::kBatch:
      return GetLengthPrefixedSlice(input, &fields->batch);
    case TraceField::kGetFamily:
    case TraceField::kSeekFamily:
      return GetFixed32(input, &fields->family);
    case TraceField::kGetKey:
    case TraceField::kSeekKey:
      return GetLengthPrefixedSlice(input, &fields->key);
    case TraceField::kLowerBound:
      return GetLengthPrefixedSlice(input, &fields->lower);
    case TraceField::kUpperBound:
      return GetLengthPrefixedSlice(input, &fields->upper);
    case TraceField::kKeyCount:
      return GetFixed32(input, &fields->count);
    case TraceField::kKeyFamilies:
      return GetLengthPrefixedSlice(input, &fields->families);
    case TraceField::kLookedUpKeys:
      return GetLengthPrefixedSlice(input, &fields->keys);
    default:
      return false;
  }
}

// `present` gets the map.
bool GetFields(Slice input, uint64_t* present, TraceFields* fields) {
  if (!GetFixed64(&input, present)) return false;
  for (uint64_t left = *present; left != 0; left &= left - 1) {
    if (!GetField(static_cast<TraceField>(std::countr_zero(left)), &input,
                  fields))
      return false;
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

bool HasFields(uint64_t present, std::initializer_list<TraceField> fields) {
  for (const TraceField field : fields) {
    if ((present & TraceFieldBit(field)) == 0) return false;
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
    if (!HasFields(present, {TraceField::kBatch})) return Damaged();
    *record =
        std::make_unique<WriteQueryTraceRecord>(fields.batch.ToString(), time);
  } else if (type == kTraceGet) {
    if (!HasFields(present, {TraceField::kGetFamily, TraceField::kGetKey}))
      return Damaged();
    *record = std::make_unique<GetQueryTraceRecord>(
        fields.family, fields.key.ToString(), time);
  } else if (type == kTraceMultiGet) {
    std::vector<uint32_t> families;
    std::vector<std::string> keys;
    if (!HasFields(present, {TraceField::kKeyCount, TraceField::kKeyFamilies,
                             TraceField::kLookedUpKeys}) ||
        !GetLists(fields, &families, &keys)) {
      return Damaged();
    }
    *record = std::make_unique<MultiGetQueryTraceRecord>(std::move(families),
                                                         keys, time);
  } else {
    if (!HasFields(present, {TraceField::kSeekFamily, TraceField::kSeekKey}))
      return Damaged();
    *record = std::make_unique<IteratorSeekQueryTraceRecord>(
        static_cast<IteratorSeekQueryTraceRecord::SeekType>(type),
        fields.family, fields.key.ToString(), fields.lower.ToString(),
        fields.upper.ToString(), time);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
