#include "table/trie/trie_index_factory.h"

#include <utility>

#include "options/builtin_objects.h"
#include "rocksdb/comparator.h"
#include "table/trie/trie_block.h"
#include "table/trie/trie_builder.h"
#include "table/trie/trie_cursor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class TrieIndexReader final : public UserDefinedIndexReader {
 public:
  explicit TrieIndexReader(TrieBlock trie) : trie_(std::move(trie)) {}

  std::unique_ptr<UserDefinedIndexIterator> NewIterator(
      const ReadOptions& /*read_options*/) override {
    return std::make_unique<TrieCursor>(trie_);
  }
  size_t ApproximateMemoryUsage() const override {
    return trie_.memory_bytes();
  }

 private:
  const TrieBlock trie_;
};

Status OpenTrie(const Slice& block,
                std::unique_ptr<UserDefinedIndexReader>* reader) {
  TrieBlock trie;
  if (const char* problem = trie.Parse(block)) {
    return Status::Corruption("Trie index", problem);
  }
  *reader = std::make_unique<TrieIndexReader>(std::move(trie));
  return Status::OK();
}

Status CheckTrieOrder(const UserDefinedIndexOption& option) {
  return option.comparator == BytewiseComparator()
             ? Status::OK()
             : Status::NotSupported(
                   "TrieIndexFactory requires BytewiseComparator",
                   option.comparator->Name());
}

void RegisterTrieIndex() {
  AddBuiltin<UserDefinedIndexFactory, TrieIndexFactory>(
      TrieIndexFactory::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterTrieIndex);

}  // namespace

UserDefinedIndexBuilder* TrieIndexFactory::NewBuilder() const {
  return std::make_unique<TrieIndexBuilder>().release();
}

std::unique_ptr<UserDefinedIndexReader> TrieIndexFactory::NewReader(
    Slice& index_block) const {
  std::unique_ptr<UserDefinedIndexReader> reader;
  return OpenTrie(index_block, &reader).ok() ? std::move(reader) : nullptr;
}

Status TrieIndexFactory::NewBuilder(
    const UserDefinedIndexOption& option,
    std::unique_ptr<UserDefinedIndexBuilder>& builder) const {
  Status s = CheckTrieOrder(option);
  if (s.ok()) builder = std::make_unique<TrieIndexBuilder>();
  return s;
}

Status TrieIndexFactory::NewReader(
    const UserDefinedIndexOption& option, Slice& index_block,
    std::unique_ptr<UserDefinedIndexReader>& reader) const {
  Status s = CheckTrieOrder(option);
  return s.ok() ? OpenTrie(index_block, &reader) : s;
}

}  // namespace ROCKSDB_NAMESPACE
