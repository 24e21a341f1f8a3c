#include "table/index_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "table/block.h"
#include "table/common_prefix.h"
#include "table/key_spread.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Expanded keys of one index. More than a file can reasonably have; a limit
// because keys that share bytes take little room in a file.
constexpr uint64_t kMaxKeyBytes = uint64_t{1} << 34;

// The first 8 bytes of `s` as a number that orders like the bytes.
inline uint64_t Prefix8(const char* data, size_t size) {
  static_assert(sizeof(uint64_t) == 8);
  uint64_t value = 0;
  if (size >= 8) {
    memcpy(&value, data, 8);
    if constexpr (std::endian::native == std::endian::little) {
      value = __builtin_bswap64(value);
    }
    return value;
  }
  for (size_t i = 0; i < size; ++i) {
    value |= uint64_t{static_cast<uint8_t>(data[i])} << (56 - 8 * i);
  }
  return value;
}

// The first of the numbers, which ascend, that is not less than `wanted`.
inline size_t LowerBound(const std::vector<uint64_t>& numbers,
                         uint64_t wanted) {
  // Without a branch that depends on the data: half the entries go each time.
  // Either of the two that may be looked at next is on its way by then.
  const uint64_t* base = numbers.data();
  size_t count = numbers.size();
  while (count > 1) {
    const size_t half = count / 2;
    count -= half;
    __builtin_prefetch(base + count / 2);
    __builtin_prefetch(base + half + count / 2);
    base += half * static_cast<size_t>(base[half - 1] < wanted);
  }
  const size_t begin = static_cast<size_t>(base - numbers.data());
  return count == 1 && *base < wanted ? begin + 1 : begin;
}

struct EntryParser {
  const IndexEncoding& encoding;
  const char* position;
  const char* limit;
  std::string key;
  BlockHandle handle;
  Slice first_key = {};

  // False if the bytes make no sense.
  bool Next() {
    assert(position < limit);
    uint32_t shared = 0;
    uint32_t non_shared = 0;
    uint32_t value_size = 0;
    const char* p = GetVarint32Ptr(position, limit, &shared);
    if (p != nullptr) p = GetVarint32Ptr(p, limit, &non_shared);
    if (p != nullptr && !encoding.has_delta_values) {
      p = GetVarint32Ptr(p, limit, &value_size);
    }
    if (p == nullptr || shared > key.size() ||
        uint64_t{non_shared} + value_size > static_cast<uint64_t>(limit - p)) {
      return false;
    }
    key.resize(shared);
    key.append(p, non_shared);
    p += non_shared;
    Slice input(p, encoding.has_delta_values ? static_cast<size_t>(limit - p)
                                             : value_size);
    if (!ParseValue(shared, &input)) return false;
    position = encoding.has_delta_values ? input.data() : p + value_size;
    assert(position <= limit);
    return true;
  }

  bool ParseValue(uint32_t shared, Slice* input) {
    if (!encoding.has_delta_values || shared == 0) {
      if (!handle.DecodeFrom(input)) return false;
    } else {
      int64_t difference = 0;
      if (!GetVarsignedint64(input, &difference)) return false;
      handle.offset = handle.end_with_trailer();
      handle.size += static_cast<uint64_t>(difference);
    }
    return !encoding.has_first_keys ||
           GetLengthPrefixedSlice(input, &first_key);
  }
};

}  // namespace

const char* IndexBlock::Append(const Slice& payload) {
  BlockLayout layout;
  assert(prefixes_.empty());  // Not after Finish().
  if (const char* problem = layout.Parse(payload)) return problem;
  if (layout.is_separated) return "values are apart in an index block";
  is_uniform_ = is_uniform_ && layout.is_uniform;
  EntryParser parser{.encoding = encoding_,
                     .position = layout.data,
                     .limit = layout.data + layout.entries_end,
                     .key = {},
                     .handle = {}};
  while (parser.position < parser.limit) {
    if (!parser.Next()) return "bad entry in index block";
    if (handles_.empty()) {
      Expect(layout.restart_count, parser.key.size(), payload.size());
    }
    if (const char* problem = AppendKey(parser.key)) return problem;
    if (encoding_.has_first_keys) {
      const char* problem = AppendFirstKey(parser.first_key);
      if (problem != nullptr) return problem;
    }
    handles_.push_back(parser.handle);
  }
  assert(handles_.size() == key_ends_.size());
  return nullptr;
}

// Reserves room by a guess: most indexes have a restart for each entry, and
// keys of about one size. Buffers that grow by doubling would leave the old
// ones behind as holes in the heap. Keys that are stored whole take no more
// bytes than the payload.
void IndexBlock::Expect(size_t entries, size_t key_bytes,
                        size_t payload_bytes) {
  key_ends_.reserve(entries);
  handles_.reserve(entries);
  keys_.reserve(std::min(entries * key_bytes, payload_bytes) +
                entries * encoding_.rewrite.timestamp_bytes);
}

const char* IndexBlock::AppendKey(const Slice& key) {
  if (!encoding_.has_user_keys && key.size() < kInternalKeyTrailerBytes) {
    return "index key is too short";
  }
  if (keys_.size() + key.size() > kMaxKeyBytes) return "index is too large";
  if (encoding_.has_user_keys) {
    keys_.append(key.data(), key.size());
    keys_.append(encoding_.rewrite.timestamp_bytes, '\0');
  } else if (encoding_.rewrite.is_active()) {
    std::string rewritten;
    encoding_.rewrite.Apply(key, &rewritten);
    keys_.append(rewritten);
  } else {
    keys_.append(key.data(), key.size());
  }
  assert(key_ends_.empty() || key_ends_.back() <= keys_.size());
  key_ends_.push_back(keys_.size());
  return nullptr;
}

const char* IndexBlock::AppendFirstKey(const Slice& key) {
  if (!key.empty() && key.size() < kInternalKeyTrailerBytes) {
    return "first key in an index is too short";
  }
  if (first_keys_.size() + key.size() > kMaxKeyBytes) {
    return "index is too large";
  }
  if (!key.empty() && encoding_.rewrite.is_active()) {
    std::string rewritten;
    encoding_.rewrite.Apply(key, &rewritten);
    first_keys_.append(rewritten);
  } else {
    first_keys_.append(key.data(), key.size());
  }
  first_key_ends_.push_back(first_keys_.size());
  assert(first_key_ends_.size() == key_ends_.size());
  return nullptr;
}

void IndexBlock::Finish(const InternalKeyComparator& order) {
  keys_.shrink_to_fit();
  key_ends_.shrink_to_fit();
  handles_.shrink_to_fit();
  first_keys_.shrink_to_fit();
  first_key_ends_.shrink_to_fit();
  if (!order.is_bytewise() || handles_.empty()) return;
  const Slice first = user_key(0);
  const Slice last = user_key(size() - 1);
  // Keys ascend, so what first and last share is shared by all between. A
  // damaged index may break that: then there is no common part.
  common_size_ = CommonPrefix(first.data(), last.data(),
                              std::min(first.size(), last.size()));
  for (size_t i = 0; i < size() && common_size_ > 0; ++i) {
    if (!user_key(i).starts_with(Slice(first.data(), common_size_))) {
      common_size_ = 0;
    }
  }
  assert(common_size_ <= first.size() && common_size_ <= last.size());
  prefixes_.reserve(size());
  for (size_t i = 0; i < size(); ++i) {
    const Slice k = user_key(i);
    prefixes_.push_back(
        Prefix8(k.data() + common_size_, k.size() - common_size_));
  }
}

void IndexBlock::InternalKeyOf(size_t index, std::string* out) const {
  const Slice k = key(index);
  out->assign(k.data(), k.size());
  if (encoding_.has_user_keys) {
    // All entries of that user key, if any, are in this block.
    PutFixed64(out, PackSequenceAndType(0, kTypeDeletion));
  }
}

inline bool IndexBlock::IsBefore(const InternalKeyComparator& order,
                                 size_t index, const Slice& target) const {
  if (encoding_.has_user_keys) {
    return order.CompareStored(key(index), ExtractUserKey(target)) < 0;
  }
  return order.Compare(key(index), target) < 0;
}

// Narrows [low, high) to the entries that prefixes alone do not place.
void IndexBlock::SearchPrefixes(const Slice& target, size_t* low,
                                size_t* high) const {
  assert(prefixes_.size() == handles_.size());
  const Slice user = ExtractUserKey(target);
  const Slice first = user_key(0);
  const size_t common = std::min(common_size_, user.size());
  assert(*low <= *high && *high == prefixes_.size());
  CountComparisons(std::bit_width(prefixes_.size()));
  const int order = memcmp(user.data(), first.data(), common);
  if (order < 0 || (order == 0 && user.size() < common_size_)) {
    *high = *low;
    return;
  }
  if (order > 0) {
    *low = *high;
    return;
  }
  const uint64_t wanted =
      Prefix8(user.data() + common_size_, user.size() - common_size_);
  const size_t begin =
      Interpolates()
          ? InterpolatedLowerBound(prefixes_.data(), prefixes_.size(), wanted)
          : LowerBound(prefixes_, wanted);
  *low = begin;
  size_t end = begin;
  // Ties are few, as a rule none or one.
  for (size_t step = 1; end < prefixes_.size() && prefixes_[end] == wanted;
       step *= 2) {
    end += step;
  }
  *high = std::min(end, prefixes_.size());
  assert(*low <= *high);
}

void IndexBlock::Fetch(const Slice* targets, size_t count) const {
  assert(count <= kMostTogether);
  if (prefixes_.empty() || Interpolates()) return;
  std::array<uint64_t, kMostTogether> wanted{};
  std::array<const uint64_t*, kMostTogether> base{};
  for (size_t i = 0; i < count; ++i) {
    const Slice user = ExtractUserKey(targets[i]);
    const size_t skipped = std::min(common_size_, user.size());
    wanted[i] = Prefix8(user.data() + skipped, user.size() - skipped);
    base[i] = prefixes_.data();
  }
  for (size_t left = prefixes_.size(); left > 1;) {
    const size_t half = left / 2;
    left -= half;
    for (size_t i = 0; i < count; ++i) {
      base[i] += half * static_cast<size_t>(base[i][half - 1] < wanted[i]);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    const auto index = static_cast<size_t>(base[i] - prefixes_.data());
    __builtin_prefetch(&handles_[index]);
    __builtin_prefetch(&key_ends_[index]);
  }
}

size_t IndexBlock::Seek(const InternalKeyComparator& order,
                        const Slice& target) const {
  assert(target.size() >= kInternalKeyTrailerBytes);
  size_t low = 0;
  size_t high = handles_.size();
  if (!prefixes_.empty()) SearchPrefixes(target, &low, &high);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (IsBefore(order, middle, target)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(low <= handles_.size());
  return low;
}

// ---- Saved ----

namespace {

constexpr uint8_t kSavedVersion = 1;
constexpr uint8_t kSavedUserKeys = 1;
constexpr uint8_t kSavedInterpolates = 2;
constexpr size_t kSavedNumbers = 6;
constexpr size_t kSavedHeaderBytes = 2 + kSavedNumbers * sizeof(uint64_t);

// Takes `count` numbers off the front of `input`; false if there are fewer.
bool GetNumbers(Slice* input, uint64_t count, std::vector<uint64_t>* numbers) {
  if (count > input->size() / sizeof(uint64_t)) return false;
  numbers->resize(static_cast<size_t>(count));
  for (uint64_t& number : *numbers) {
    number = DecodeFixed64(input->data());
    input->remove_prefix(sizeof(uint64_t));
  }
  return true;
}

}  // namespace

size_t IndexBlock::SavedBytes() const {
  return kSavedHeaderBytes + size() * 3 * sizeof(uint64_t) +
         (prefixes_.size() + first_key_ends_.size()) * sizeof(uint64_t) +
         keys_.size() + first_keys_.size();
}

void IndexBlock::SaveTo(std::string* out) const {
  out->clear();
  out->reserve(SavedBytes());
  out->push_back(static_cast<char>(kSavedVersion));
  out->push_back(
      static_cast<char>((encoding_.has_user_keys ? kSavedUserKeys : 0) |
                        (Interpolates() ? kSavedInterpolates : 0)));
  const std::array<uint64_t, kSavedNumbers> header = {
      size(),       prefixes_.size(),       keys_.size(),
      common_size_, first_key_ends_.size(), first_keys_.size()};
  for (const uint64_t number : header) PutFixed64(out, number);
  for (const uint64_t end : key_ends_) PutFixed64(out, end);
  for (const BlockHandle& handle : handles_) {
    PutFixed64(out, handle.offset);
    PutFixed64(out, handle.size);
  }
  for (const uint64_t prefix : prefixes_) PutFixed64(out, prefix);
  for (const uint64_t end : first_key_ends_) PutFixed64(out, end);
  out->append(keys_);
  out->append(first_keys_);
  assert(out->size() == SavedBytes());
}

std::unique_ptr<IndexBlock> IndexBlock::FromSaved(const Slice& saved) {
  if (saved.size() < kSavedHeaderBytes ||
      static_cast<uint8_t>(saved[0]) != kSavedVersion) {
    return nullptr;
  }
  IndexEncoding encoding;
  encoding.has_user_keys = (saved[1] & kSavedUserKeys) != 0;
  encoding.search = (saved[1] & kSavedInterpolates) != 0
                        ? IndexSearch::kInterpolation
                        : IndexSearch::kBinary;
  auto index = std::make_unique<IndexBlock>(encoding);
  Slice rest(saved.data() + 2, saved.size() - 2);
  std::vector<uint64_t> header;
  std::vector<uint64_t> places;
  if (!GetNumbers(&rest, kSavedNumbers, &header)) return nullptr;
  const uint64_t count = header[0];
  index->common_size_ = static_cast<size_t>(header[3]);
  const bool is_whole =
      count <= rest.size() && GetNumbers(&rest, count, &index->key_ends_) &&
      GetNumbers(&rest, 2 * count, &places) &&
      GetNumbers(&rest, header[1], &index->prefixes_) &&
      GetNumbers(&rest, header[4], &index->first_key_ends_) &&
      rest.size() >= header[2] && rest.size() - header[2] == header[5];
  if (!is_whole) return nullptr;
  for (size_t i = 0; i < count; ++i) {
    index->handles_.push_back(
        {.offset = places[2 * i], .size = places[2 * i + 1]});
  }
  const size_t key_bytes = static_cast<size_t>(header[2]);
  index->keys_.assign(rest.data(), key_bytes);
  index->first_keys_.assign(rest.data() + key_bytes, rest.size() - key_bytes);
  return index->IsSound() ? std::move(index) : nullptr;
}

bool IndexBlock::HasSoundFirstKeys() const {
  if (first_key_ends_.empty()) return first_keys_.empty();
  if (first_key_ends_.size() != size()) return false;
  uint64_t begin = 0;
  for (const uint64_t end : first_key_ends_) {
    if (end < begin || end > first_keys_.size()) return false;
    if (end != begin && end - begin < kInternalKeyTrailerBytes) return false;
    begin = end;
  }
  return begin == first_keys_.size();
}

// May every accessor be called?
bool IndexBlock::IsSound() const {
  if (!prefixes_.empty() && prefixes_.size() != size()) return false;
  if (!HasSoundFirstKeys()) return false;
  if (key_ends_.empty()) return keys_.empty();
  const size_t least = encoding_.has_user_keys ? 0 : kInternalKeyTrailerBytes;
  uint64_t begin = 0;
  for (const uint64_t end : key_ends_) {
    if (end < begin || end > keys_.size() || end - begin < least) return false;
    const uint64_t user_bytes = end - begin - least;
    if (!prefixes_.empty() && user_bytes < common_size_) return false;
    begin = end;
  }
  return begin == keys_.size();
}

size_t IndexBlock::memory_bytes() const {
  return sizeof(*this) + keys_.capacity() +
         key_ends_.capacity() * sizeof(uint64_t) +
         handles_.capacity() * sizeof(BlockHandle) + first_keys_.capacity() +
         first_key_ends_.capacity() * sizeof(uint64_t) +
         prefixes_.capacity() * sizeof(uint64_t);
}

}  // namespace ROCKSDB_NAMESPACE
