#include "table/prefix_index.h"

#include <cassert>
#include <cstdint>
#include <utility>

#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::unique_ptr<const PrefixIndex> PrefixIndex::Parse(
    const Slice& prefixes, const Slice& metadata,
    std::shared_ptr<const SliceTransform> extractor, const char** problem) {
  INVARIANT(extractor != nullptr && problem != nullptr);
  auto index = std::make_unique<PrefixIndex>(PassKey());
  index->bytes_ = prefixes.ToString();
  size_t begin = 0;
  for (Slice rest = metadata; !rest.empty();) {
    uint32_t size = 0;
    uint32_t first_block = 0;
    uint32_t block_count = 0;
    if (!GetVarint32(&rest, &size) || !GetVarint32(&rest, &first_block) ||
        !GetVarint32(&rest, &block_count)) {
      *problem = "bad entry in the metadata of a hash index";
      return nullptr;
    }
    if (size > index->bytes_.size() - begin || block_count == 0) {
      *problem = "the prefixes of a hash index do not fit their metadata";
      return nullptr;
    }
    index->prefixes_.insert(
        std::string_view(index->bytes_.data() + begin, size));
    begin += size;
  }
  if (begin != index->bytes_.size()) {
    *problem = "the prefixes of a hash index do not fit their metadata";
    return nullptr;
  }
  index->extractor_text_ = extractor->AsString();
  index->extractor_ = std::move(extractor);
  return index;
}

bool PrefixIndex::Lacks(const SliceTransform* extractor,
                        const Slice& user_key) const {
  if (extractor == nullptr || !extractor->InDomain(user_key)) return false;
  if (extractor != extractor_.get() &&
      extractor->AsString() != extractor_text_) {
    return false;
  }
  const Slice prefix = extractor->Transform(user_key);
  assert(prefix.size() <= user_key.size());
  return !prefixes_.contains(std::string_view(prefix.data(), prefix.size()));
}

size_t PrefixIndex::memory_bytes() const {
  return sizeof(*this) + bytes_.capacity() +
         prefixes_.bucket_count() * sizeof(void*) +
         prefixes_.size() * (sizeof(std::string_view) + 2 * sizeof(void*));
}

}  // namespace ROCKSDB_NAMESPACE
