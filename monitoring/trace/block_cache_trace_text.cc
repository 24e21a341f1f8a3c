#include "monitoring/trace/block_cache_trace_text.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "monitoring/trace/block_cache_trace_format.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kValueCount = 21;
constexpr size_t kFamilyNameAt = 5;
// An internal key has so many bytes behind the user key.
constexpr size_t kTrailerBytes = 8;
constexpr size_t kTableBytes = 4;

// The values of a line; the name of the family may have commas itself.
bool SplitLine(std::string_view line, std::vector<std::string_view>* values) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t comma = std::min(line.find(',', begin), line.size());
    parts.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  if (parts.size() < kValueCount) return false;
  const size_t behind = parts.size() - (kValueCount - kFamilyNameAt - 1);
  const char* const name = parts[kFamilyNameAt].data();
  const std::string_view last = parts[behind - 1];
  values->assign(parts.begin(), parts.begin() + kFamilyNameAt);
  values->emplace_back(name,
                       static_cast<size_t>(last.data() + last.size() - name));
  values->insert(values->end(), parts.begin() + static_cast<ptrdiff_t>(behind),
                 parts.end());
  return values->size() == kValueCount;
}

// Takes the numbers of a line one by one; none fits once one has not.
class NumberTaker {
 public:
  explicit NumberTaker(const std::vector<std::string_view>& values)
      : values_(values) {}

  void Skip() { ++next_; }
  template <class T>
  void Take(T* number) {
    const std::string_view text = values_[next_++];
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, *number);
    is_good_ = is_good_ && !text.empty() && result.ec == std::errc() &&
               result.ptr == end;
  }
  void Take(bool* flag) {
    uint8_t number = 0;
    Take(&number);
    *flag = number != 0;
  }
  uint8_t TakeByte() {
    uint8_t number = 0;
    Take(&number);
    return number;
  }
  bool is_good() const { return is_good_; }

 private:
  const std::vector<std::string_view>& values_;
  size_t next_ = 0;
  bool is_good_ = true;
};

}  // namespace

std::string BlockAccessLine(const BlockAccessText& access) {
  std::string line;
  const auto add = [&line](uint64_t value) {
    line += std::to_string(value) + ",";
  };
  add(access.time_micros);
  add(access.block);
  add(static_cast<uint64_t>(access.type));
  add(access.block_bytes);
  add(access.family);
  line += access.family_name + ",";
  add(access.level);
  add(access.file);
  add(static_cast<uint64_t>(access.caller));
  add(access.no_insert);
  add(access.lookup);
  add(access.key);
  add(access.found_bytes);
  add(access.is_hit);
  add(access.is_key_found);
  add(access.key_count);
  add(access.table);
  add(access.sequence);
  add(access.block_key_bytes);
  add(access.key_bytes);
  line += std::to_string(access.offset);
  return line;
}

Status ParseBlockAccess(std::string_view line, BlockAccessText* access) {
  std::vector<std::string_view> values;
  if (!SplitLine(line, &values)) {
    return Status::Corruption("a line of a trace has not its 21 values");
  }
  BlockAccessText parsed;
  NumberTaker taker(values);
  taker.Take(&parsed.time_micros);
  taker.Take(&parsed.block);
  const uint8_t type = taker.TakeByte();
  taker.Take(&parsed.block_bytes);
  taker.Take(&parsed.family);
  taker.Skip();
  taker.Take(&parsed.level);
  taker.Take(&parsed.file);
  const uint8_t caller = taker.TakeByte();
  taker.Take(&parsed.no_insert);
  taker.Take(&parsed.lookup);
  taker.Take(&parsed.key);
  taker.Take(&parsed.found_bytes);
  taker.Take(&parsed.is_hit);
  taker.Take(&parsed.is_key_found);
  taker.Take(&parsed.key_count);
  taker.Take(&parsed.table);
  taker.Take(&parsed.sequence);
  taker.Take(&parsed.block_key_bytes);
  taker.Take(&parsed.key_bytes);
  taker.Take(&parsed.offset);
  if (!taker.is_good()) {
    return Status::Corruption(
        "a line of a trace has a value that is no number");
  }
  if (type < kBlockTraceIndexBlock || type > kBlockTraceRangeDeletionBlock ||
      caller < kUserGet || caller >= kMaxBlockCacheLookupCaller) {
    return Status::Corruption(
        "a line of a trace has an unknown type of block, or caller");
  }
  parsed.type = static_cast<TraceType>(type);
  parsed.caller = static_cast<TableReaderCaller>(caller);
  parsed.family_name = values[kFamilyNameAt];
  *access = std::move(parsed);
  return Status::OK();
}

BlockAccessText BlockAccessNumbers::Number(
    const BlockCacheTraceRecord& record) {
  BlockAccessText access;
  access.time_micros = record.access_timestamp;
  access.block = NumberOf(record.block_key, &blocks_);
  access.type = record.block_type;
  access.block_bytes = record.block_size;
  access.family = record.cf_id;
  access.family_name = record.cf_name;
  access.level = record.level;
  access.file = record.sst_fd_number;
  access.caller = record.caller;
  access.no_insert = record.no_insert;
  access.is_hit = record.is_cache_hit;
  access.block_key_bytes = record.block_key.size();
  if (!LooksUpKeys(record.caller)) return access;
  access.lookup = record.get_id;
  access.found_bytes = record.referenced_data_size;
  access.is_key_found = record.referenced_key_exist_in_block;
  access.key_count = record.num_keys_in_block;
  const std::string& key = record.referenced_key;
  access.key_bytes = key.size();
  if (key.size() < kTrailerBytes) return access;
  const std::string user_key = key.substr(0, key.size() - kTrailerBytes);
  access.key = NumberOf(user_key, &keys_);
  access.sequence = DecodeFixed64(key.data() + user_key.size()) >> 8;
  for (size_t i = 0; i < kTableBytes && user_key.size() >= kTableBytes; ++i) {
    access.table = access.table << 8 | static_cast<uint8_t>(user_key[i]);
  }
  return access;
}

}  // namespace ROCKSDB_NAMESPACE
