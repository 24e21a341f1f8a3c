// Prefix extractors and filter policies. Options take both over.

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

struct TransformCalls {
  void* state;
  void (*destructor)(void*);
  char* (*transform)(void*, const char*, size_t, size_t*);
  unsigned char (*in_domain)(void*, const char*, size_t);
  const char* (*name)(void*);
};

class CallbackTransform : public SliceTransform {
 public:
  explicit CallbackTransform(const TransformCalls& calls) : calls_(calls) {}
  CallbackTransform(const CallbackTransform&) = delete;
  CallbackTransform& operator=(const CallbackTransform&) = delete;
  ~CallbackTransform() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return calls_.name(calls_.state); }
  Slice Transform(const Slice& key) const override {
    size_t size = 0;
    const char* prefix =
        calls_.transform(calls_.state, key.data(), key.size(), &size);
    return BytesOf(prefix, size);
  }
  bool InDomain(const Slice& key) const override {
    return calls_.in_domain(calls_.state, key.data(), key.size()) != 0;
  }

 private:
  const TransformCalls calls_;
};

rocksdb_slicetransform_t* OwnTransform(const SliceTransform* transform) {
  auto* result = Own<rocksdb_slicetransform_t>();
  result->rep.reset(transform);
  return result;
}

rocksdb_filterpolicy_t* OwnPolicy(const FilterPolicy* policy) {
  auto* result = Own<rocksdb_filterpolicy_t>();
  result->rep.reset(policy);
  return result;
}

}  // namespace

extern "C" {

// `transform` returns a prefix of the key, within it, and sets its size.
rocksdb_slicetransform_t* rocksdb_slicetransform_create(
    void* state, void (*destructor)(void*),
    char* (*transform)(void*, const char* key, size_t key_size,
                       size_t* prefix_size),
    unsigned char (*in_domain)(void*, const char* key, size_t key_size),
    const char* (*name)(void*)) {
  auto* result = Own<rocksdb_slicetransform_t>();
  result->rep = std::make_shared<CallbackTransform>(
      TransformCalls{state, destructor, transform, in_domain, name});
  return result;
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create_fixed_prefix(
    size_t prefix_size) {
  return OwnTransform(NewFixedPrefixTransform(prefix_size));
}

rocksdb_slicetransform_t* rocksdb_slicetransform_create_noop(void) {
  return OwnTransform(NewNoopTransform());
}

void rocksdb_slicetransform_destroy(rocksdb_slicetransform_t* transform) {
  End(transform);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom(double bits_per_key) {
  return OwnPolicy(NewBloomFilterPolicy(bits_per_key));
}

// The same: filters of single blocks are no more.
rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom_full(
    double bits_per_key) {
  return OwnPolicy(NewBloomFilterPolicy(bits_per_key));
}

// Ribbon filters alone, in what flushes write, too.
rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon(
    double bloom_equivalent_bits_per_key) {
  constexpr int kNoBloom = -1;
  return OwnPolicy(
      NewRibbonFilterPolicy(bloom_equivalent_bits_per_key, kNoBloom));
}

// Bloom filters in the levels before `bloom_before_level`.
rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon_hybrid(
    double bloom_equivalent_bits_per_key, int bloom_before_level) {
  return OwnPolicy(
      NewRibbonFilterPolicy(bloom_equivalent_bits_per_key, bloom_before_level));
}

void rocksdb_filterpolicy_destroy(rocksdb_filterpolicy_t* policy) {
  End(policy);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
