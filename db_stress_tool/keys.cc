#include "db_stress_tool/keys.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr size_t kWordBytes = 8;
constexpr size_t kVersionBytes = 4;

// The finaliser of SplitMix64.
uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

std::optional<KeyLengths> KeyLengths::Parse(const std::string& percents,
                                            size_t max_words, uint64_t scale) {
  KeyLengths lengths(max_words);
  lengths.scale_ = scale;
  size_t word_count = 0;
  size_t filled = 0;
  const char* at = percents.data();
  const char* const end = at + percents.size();
  while (at < end) {
    size_t percent = 0;
    const auto [next, error] = std::from_chars(at, end, percent);
    const bool is_last = next == end;
    if (error != std::errc() || (!is_last && *next != ',') ||
        percent > lengths.words_.size() - filled || word_count == max_words) {
      return std::nullopt;
    }
    ++word_count;
    for (; percent > 0; --percent) {
      lengths.words_[filled++] = static_cast<uint8_t>(word_count);
    }
    at = is_last ? end : next + 1;
  }
  if (filled != lengths.words_.size() || word_count != max_words) {
    return std::nullopt;
  }
  return lengths;
}

std::string KeyFormat::Key(uint64_t number) const {
  std::string key(lengths_.Words(number) * kWordBytes, 'x');
  for (size_t i = 0; i < kWordBytes; ++i) {
    key[i] = static_cast<char>(number >> (8 * (kWordBytes - 1 - i)));
  }
  return key;
}

std::optional<uint64_t> KeyFormat::Number(const Slice& key) const {
  if (key.size() < kWordBytes) return std::nullopt;
  uint64_t number = 0;
  for (size_t i = 0; i < kWordBytes; ++i) {
    number = number << 8 | static_cast<uint8_t>(key[i]);
  }
  if (Slice(Key(number)) != key) return std::nullopt;
  return number;
}

std::string KeyFormat::Value(const KeyRef& key, uint32_t version) const {
  std::string value(kVersionBytes + value_bytes_ * (1 + version % 4), '\0');
  for (size_t i = 0; i < kVersionBytes; ++i) {
    value[i] = static_cast<char>(version >> (8 * i));
  }
  uint64_t state = Mix(Mix(key.number) ^ (key.family << 32 | version));
  // Each word twice, so that there is something to compress.
  for (size_t at = kVersionBytes; at < value.size(); at += 2 * kWordBytes) {
    state = Mix(state);
    for (size_t copy = 0; copy < 2; ++copy) {
      const size_t start = at + copy * kWordBytes;
      if (start >= value.size()) break;
      memcpy(value.data() + start, &state,
             std::min(kWordBytes, value.size() - start));
    }
  }
  return value;
}

std::optional<uint32_t> KeyFormat::Version(const KeyRef& key,
                                           const Slice& value) const {
  if (value.size() < kVersionBytes) return std::nullopt;
  uint32_t version = 0;
  for (size_t i = 0; i < kVersionBytes; ++i) {
    version |= uint32_t{static_cast<uint8_t>(value[i])} << (8 * i);
  }
  if (Slice(Value(key, version)) != value) return std::nullopt;
  return version;
}

std::string Hex(const Slice& text) {
  constexpr size_t kMostBytes = 40;
  const size_t shown = std::min(text.size(), kMostBytes);
  return Slice(text.data(), shown).ToString(true) +
         (shown < text.size() ? "..." : "");
}

}  // namespace ROCKSDB_NAMESPACE::stress
