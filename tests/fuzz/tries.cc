#include "tests/fuzz/tries.h"

#include "rocksdb/advanced_iterator.h"
#include "table/trie/trie_block.h"
#include "table/trie/trie_builder.h"
#include "table/trie/trie_cursor.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE::fuzz {

namespace {

bool IsAtBlock(const Status& s, const IterateResult& result,
               TrieCursor* cursor) {
  INVARIANT(s.ok());
  if (result.bound_check_result != IterBoundCheck::kInbound) return false;
  static_cast<void>(cursor->value());
  return true;
}

}  // namespace

size_t RunTrie(const Slice& bytes) {
  constexpr size_t kMostSteps = 10000;
  TrieBlock trie;
  if (trie.Parse(bytes) != nullptr) return 0;
  TrieCursor cursor(trie);
  IterateResult result;
  std::string key;
  size_t blocks = 0;
  Status s = cursor.SeekToFirstAndGetResult(&result);
  while (blocks < kMostSteps && IsAtBlock(s, result, &cursor)) {
    if (++blocks % 8 == 1) key.assign(result.key.data(), result.key.size());
    s = cursor.NextAndGetResult(&result);
  }
  s = cursor.SeekToLastAndGetResult(&result);
  for (size_t i = 0; i < kMostSteps && IsAtBlock(s, result, &cursor); ++i) {
    s = cursor.PrevAndGetResult(&result);
  }
  for (const uint64_t tag : {uint64_t{0}, uint64_t{1000}, UINT64_MAX}) {
    s = cursor.SeekAndGetResult(key, &result, {tag});
    static_cast<void>(IsAtBlock(s, result, &cursor));
    s = cursor.SeekAndGetResult(key + '\xff', &result, {tag});
    static_cast<void>(IsAtBlock(s, result, &cursor));
  }
  return blocks;
}

std::vector<std::string> TrieSeeds() {
  std::vector<std::string> seeds;
  for (const size_t count : {1, 5, 600}) {
    TrieIndexBuilder builder;
    std::string scratch;
    for (size_t i = 0; i < count; ++i) {
      // Every three blocks have the same last key: the first two end between
      // its versions.
      const std::string last = std::to_string(100000 + i / 3);
      const std::string next = std::to_string(100000 + (i + 1) / 3);
      const Slice next_key(next);
      builder.AddIndexEntry(last, i + 1 < count ? &next_key : nullptr,
                            {100 * i, 90}, &scratch, {1000 - i, 999 - i});
    }
    Slice contents;
    IgnoreError(builder.Finish(&contents), "a seed may be empty");
    seeds.push_back(contents.ToString());
  }
  return seeds;
}

}  // namespace ROCKSDB_NAMESPACE::fuzz
