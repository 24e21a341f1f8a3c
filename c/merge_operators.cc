// Merge operators that C functions carry out.

#include <deque>
#include <string>
#include <vector>

#include "c/handles.h"
#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

struct MergeCalls {
  void* state;
  void (*destructor)(void*);
  char* (*full_merge)(void*, const char*, size_t, const char*, size_t,
                      const char* const*, const size_t*, int, unsigned char*,
                      size_t*);
  char* (*partial_merge)(void*, const char*, size_t, const char* const*,
                         const size_t*, int, unsigned char*, size_t*);
  void (*delete_value)(void*, const char*, size_t);
  const char* (*name)(void*);
};

// Operands as C takes them.
struct OperandList {
  std::vector<const char*> data;
  std::vector<size_t> sizes;

  template <class Slices>
  explicit OperandList(const Slices& operands) {
    for (const Slice& operand : operands) {
      data.push_back(operand.data());
      sizes.push_back(operand.size());
    }
  }
  int count() const { return static_cast<int>(data.size()); }
};

class CallbackMergeOperator : public MergeOperator {
 public:
  explicit CallbackMergeOperator(const MergeCalls& calls) : calls_(calls) {}
  CallbackMergeOperator(const CallbackMergeOperator&) = delete;
  CallbackMergeOperator& operator=(const CallbackMergeOperator&) = delete;
  ~CallbackMergeOperator() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return calls_.name(calls_.state); }

  bool FullMergeV2(const MergeOperationInput& in,
                   MergeOperationOutput* out) const override {
    const OperandList operands(in.operand_list);
    const Slice* value = in.existing_value;
    unsigned char success = 0;
    size_t size = 0;
    char* merged = calls_.full_merge(
        calls_.state, in.key.data(), in.key.size(),
        value == nullptr ? nullptr : value->data(),
        value == nullptr ? 0 : value->size(), operands.data.data(),
        operands.sizes.data(), operands.count(), &success, &size);
    return Take(merged, size, success, &out->new_value);
  }

  bool PartialMergeMulti(const Slice& key, const std::deque<Slice>& operands,
                         std::string* new_value, Logger*) const override {
    if (calls_.partial_merge == nullptr) return false;
    const OperandList list(operands);
    unsigned char success = 0;
    size_t size = 0;
    char* merged = calls_.partial_merge(calls_.state, key.data(), key.size(),
                                        list.data.data(), list.sizes.data(),
                                        list.count(), &success, &size);
    return Take(merged, size, success, new_value);
  }

 private:
  // Copies what a callback returned and gives it back.
  bool Take(char* merged, size_t size, unsigned char success,
            std::string* to) const {
    if (success != 0) *to = BytesOf(merged, size).ToString();
    if (calls_.delete_value != nullptr) {
      calls_.delete_value(calls_.state, merged, size);
    } else {
      free(merged);
    }
    return success != 0;
  }

  const MergeCalls calls_;
};

}  // namespace

extern "C" {

// `full_merge` folds operands, oldest first, into the existing value, which is
// NULL if there is none; `partial_merge` folds operands into one. They set
// *success and *new_value_size, and return bytes that go to `delete_value`
// afterwards, or to free() where that is NULL. A full merge that fails fails
// the read as Corruption; a partial merge that fails is no error, and it may
// be NULL. Options take the object over.
rocksdb_mergeoperator_t* rocksdb_mergeoperator_create(
    void* state, void (*destructor)(void*),
    char* (*full_merge)(void*, const char* key, size_t key_size,
                        const char* existing_value, size_t existing_value_size,
                        const char* const* operands,
                        const size_t* operand_sizes, int num_operands,
                        unsigned char* success, size_t* new_value_size),
    char* (*partial_merge)(void*, const char* key, size_t key_size,
                           const char* const* operands,
                           const size_t* operand_sizes, int num_operands,
                           unsigned char* success, size_t* new_value_size),
    void (*delete_value)(void*, const char* value, size_t value_size),
    const char* (*name)(void*)) {
  auto* result = Own<rocksdb_mergeoperator_t>();
  result->rep = std::make_shared<CallbackMergeOperator>(MergeCalls{
      state, destructor, full_merge, partial_merge, delete_value, name});
  return result;
}

// Only for one that no option took over.
void rocksdb_mergeoperator_destroy(rocksdb_mergeoperator_t* merge_operator) {
  End(merge_operator);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
