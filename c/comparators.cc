// Key orders that C functions decide.
//
// The callbacks come from any thread, and from several at once; `destructor`
// is called with `state` when the object ends. An order must outlive every
// database that was opened with it.

#include <string>

#include "c/handles.h"
#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

using CompareFn = int (*)(void*, const char*, size_t, const char*, size_t);
using CompareWithoutTsFn = int (*)(void*, const char*, size_t, unsigned char,
                                   const char*, size_t, unsigned char);

struct ComparatorCalls {
  void* state = nullptr;
  void (*destructor)(void*) = nullptr;
  CompareFn compare = nullptr;
  CompareFn compare_ts = nullptr;
  CompareWithoutTsFn compare_without_ts = nullptr;
  const char* (*name)(void*) = nullptr;
};

class CallbackComparator : public Comparator {
 public:
  CallbackComparator(const ComparatorCalls& calls, size_t timestamp_size)
      : Comparator(timestamp_size), calls_(calls) {}
  CallbackComparator(const CallbackComparator&) = delete;
  CallbackComparator& operator=(const CallbackComparator&) = delete;
  ~CallbackComparator() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return calls_.name(calls_.state); }
  int Compare(const Slice& a, const Slice& b) const override {
    return calls_.compare(calls_.state, a.data(), a.size(), b.data(), b.size());
  }
  int CompareTimestamp(const Slice& a, const Slice& b) const override {
    if (calls_.compare_ts == nullptr) return Comparator::CompareTimestamp(a, b);
    return calls_.compare_ts(calls_.state, a.data(), a.size(), b.data(),
                             b.size());
  }
  int CompareWithoutTimestamp(const Slice& a, bool a_has_ts, const Slice& b,
                              bool b_has_ts) const override {
    if (calls_.compare_without_ts == nullptr) return Compare(a, b);
    return calls_.compare_without_ts(calls_.state, a.data(), a.size(),
                                     a_has_ts ? 1 : 0, b.data(), b.size(),
                                     b_has_ts ? 1 : 0);
  }

  // Shorter keys between two others cannot be found through the callbacks.
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const ComparatorCalls calls_;
};

rocksdb_comparator_t* OwnComparator(const ComparatorCalls& calls,
                                    size_t timestamp_size) {
  auto* result = Own<rocksdb_comparator_t>();
  result->rep = std::make_unique<CallbackComparator>(calls, timestamp_size);
  return result;
}

}  // namespace

extern "C" {

// `compare` answers a number below, of, or above 0; `name` goes to the files
// and must stay the same.
rocksdb_comparator_t* rocksdb_comparator_create(
    void* state, void (*destructor)(void*),
    int (*compare)(void*, const char* a, size_t a_size, const char* b,
                   size_t b_size),
    const char* (*name)(void*)) {
  ComparatorCalls calls;
  calls.state = state;
  calls.destructor = destructor;
  calls.compare = compare;
  calls.name = name;
  return OwnComparator(calls, 0);
}

// For keys that end in a timestamp of `timestamp_size` bytes.
rocksdb_comparator_t* rocksdb_comparator_with_ts_create(
    void* state, void (*destructor)(void*),
    int (*compare)(void*, const char* a, size_t a_size, const char* b,
                   size_t b_size),
    int (*compare_ts)(void*, const char* a_ts, size_t a_ts_size,
                      const char* b_ts, size_t b_ts_size),
    int (*compare_without_ts)(void*, const char* a, size_t a_size,
                              unsigned char a_has_ts, const char* b,
                              size_t b_size, unsigned char b_has_ts),
    const char* (*name)(void*), size_t timestamp_size) {
  ComparatorCalls calls;
  calls.state = state;
  calls.destructor = destructor;
  calls.compare = compare;
  calls.compare_ts = compare_ts;
  calls.compare_without_ts = compare_without_ts;
  calls.name = name;
  return OwnComparator(calls, timestamp_size);
}

void rocksdb_comparator_destroy(rocksdb_comparator_t* comparator) {
  End(comparator);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
