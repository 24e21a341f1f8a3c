#include "table/trie/bit_vector.h"

#include <algorithm>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

bool TrieInput::TakeArray(uint64_t count, size_t width, const char** first) {
  assert(width > 0 && at_ <= block_.size());
  if (count > left() / width) return false;
  *first = block_.data() + at_;
  at_ += static_cast<size_t>(count) * width;
  return true;
}

bool TrieInput::TakeFixed32(uint32_t* value) {
  const char* bytes = nullptr;
  if (!TakeArray(1, sizeof(*value), &bytes)) return false;
  *value = DecodeFixed32(bytes);
  return true;
}

bool TrieInput::TakeFixed64(uint64_t* value) {
  const char* bytes = nullptr;
  if (!TakeArray(1, sizeof(*value), &bytes)) return false;
  *value = DecodeFixed64(bytes);
  return true;
}

bool TrieInput::TakePadding() {
  const char* unused = nullptr;
  return TakeArray((8 - at_ % 8) % 8, 1, &unused);
}

void PadTrie(std::string* block) {
  block->resize((block->size() + 7) / 8 * 8, '\0');
}

const char* BitVector::Take(TrieInput* input) {
  uint64_t ones = 0;
  uint64_t size = 0;
  if (!input->TakeFixed64(&size) || !input->TakeFixed64(&ones)) {
    return "a bit vector is cut off";
  }
  // No sum below overflows.
  if (size / 8 > input->left() || ones > size) {
    return "a bit vector is larger than the block";
  }
  const char* unused = nullptr;
  const auto hints = [](uint64_t bits) { return (bits + 255) / 256; };
  if (!input->TakeArray((size + 63) / 64, 8, &words_) ||
      !input->TakeArray(size / kBitsOfRank + 1, 4, &ranks_) ||
      !input->TakePadding() || !input->TakeArray(hints(ones), 4, &unused) ||
      !input->TakePadding() ||
      !input->TakeArray(hints(size - ones), 4, &unused) ||
      !input->TakePadding()) {
    return "a bit vector is cut off";
  }
  size_ = size;
  ones_ = ones;
  return CheckCounts();
}

// The ranks are believed from here on; the hints are not looked at.
const char* BitVector::CheckCounts() const {
  uint64_t ones = 0;
  const uint64_t words = (size_ + 63) / 64;
  for (uint64_t i = 0; i < words; ++i) {
    if (i % (kBitsOfRank / 64) == 0 && Rank(i / (kBitsOfRank / 64)) != ones) {
      return "a bit vector counts its bits wrong";
    }
    ones += Count(Word(i));
  }
  if (size_ % kBitsOfRank == 0 && Rank(size_ / kBitsOfRank) != ones) {
    return "a bit vector counts its bits wrong";
  }
  if (ones != ones_) return "a bit vector has other bits than it says";
  if (size_ % 64 != 0 && (Word(words - 1) >> (size_ % 64)) != 0) {
    return "a bit vector goes on behind its end";
  }
  return nullptr;
}

uint64_t BitVector::PlaceOfOne(uint64_t number) const {
  INVARIANT(number < ones_);
  // The last rank that is no larger.
  uint64_t low = 0;
  uint64_t high = size_ / kBitsOfRank;
  while (low < high) {
    const uint64_t middle = low + (high - low + 1) / 2;
    if (Rank(middle) <= number) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  uint64_t left = number - Rank(low);
  uint64_t word = low * (kBitsOfRank / 64);
  for (; Count(Word(word)) <= left; ++word) left -= Count(Word(word));
  uint64_t bits = Word(word);
  for (; left > 0; --left) bits &= bits - 1;
  assert(bits != 0);
  return word * 64 + static_cast<uint64_t>(std::countr_zero(bits));
}

uint64_t BitVector::FirstOne(uint64_t from, uint64_t to) const {
  assert(to <= size_);
  for (uint64_t at = from; at < to; at = (at / 64 + 1) * 64) {
    const uint64_t bits = Word(at / 64) >> (at % 64);
    if (bits == 0) continue;
    const uint64_t found = at + static_cast<uint64_t>(std::countr_zero(bits));
    return found < to ? found : kNone;
  }
  return kNone;
}

uint64_t BitVector::LastOne(uint64_t from, uint64_t to) const {
  assert(to <= size_);
  for (uint64_t end = to; end > from; end = (end - 1) / 64 * 64) {
    const uint64_t last = end - 1;
    const uint64_t bits = Word(last / 64) << (63 - last % 64);
    if (bits == 0) continue;
    const uint64_t found = last - static_cast<uint64_t>(std::countl_zero(bits));
    return found >= from ? found : kNone;
  }
  return kNone;
}

void BitVectorBuilder::Set(uint64_t at) {
  INVARIANT(at < size_);
  const uint64_t bit = uint64_t{1} << (at % 64);
  if ((words_[at / 64] & bit) != 0) return;
  words_[at / 64] |= bit;
  ++ones_;
}

void BitVectorBuilder::AppendTo(std::string* block) const {
  PutFixed64(block, size_);
  PutFixed64(block, ones_);
  std::string hints[2];  // for zeros, for ones
  uint64_t seen[2] = {0, 0};
  for (uint64_t at = 0; at < size_; ++at) {
    const size_t bit = (words_[at / 64] >> (at % 64)) & 1;
    if (seen[bit] % 256 == 0) {
      PutFixed32(&hints[bit],
                 static_cast<uint32_t>(at / BitVector::kBitsOfRank));
    }
    ++seen[bit];
  }
  assert(seen[1] == ones_);
  for (const uint64_t word : words_) PutFixed64(block, word);
  uint32_t ones = 0;
  constexpr uint64_t kWords = BitVector::kBitsOfRank / 64;
  for (uint64_t i = 0; i <= size_ / BitVector::kBitsOfRank; ++i) {
    PutFixed32(block, ones);
    const uint64_t end = std::min<uint64_t>((i + 1) * kWords, words_.size());
    for (uint64_t word = i * kWords; word < end; ++word) {
      ones += static_cast<uint32_t>(std::popcount(words_[word]));
    }
  }
  PadTrie(block);
  block->append(hints[1]);
  PadTrie(block);
  block->append(hints[0]);
  PadTrie(block);
}

}  // namespace ROCKSDB_NAMESPACE
