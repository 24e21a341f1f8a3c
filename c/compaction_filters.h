// A compaction filter that a C function decides.
//
// Threads    The callback comes from any thread, for a filter of options from
//            several at once.
// Ownership  `destructor` is called with `state` when the filter ends.
#pragma once

#include <string>

#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE::c_api {

struct CompactionFilterCalls {
  void* state;
  void (*destructor)(void*);
  unsigned char (*filter)(void*, int, const char*, size_t, const char*, size_t,
                          char**, size_t*, unsigned char*);
  const char* (*name)(void*);
};

class CallbackCompactionFilter : public CompactionFilter {
 public:
  explicit CallbackCompactionFilter(const CompactionFilterCalls& calls)
      : calls_(calls) {}
  CallbackCompactionFilter(const CallbackCompactionFilter&) = delete;
  CallbackCompactionFilter& operator=(const CallbackCompactionFilter&) = delete;
  ~CallbackCompactionFilter() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return calls_.name(calls_.state); }
  bool Filter(int level, const Slice& key, const Slice& existing_value,
              std::string* new_value, bool* value_changed) const override {
    char* changed = nullptr;
    size_t changed_size = 0;
    unsigned char is_changed = 0;
    const unsigned char is_removed = calls_.filter(
        calls_.state, level, key.data(), key.size(), existing_value.data(),
        existing_value.size(), &changed, &changed_size, &is_changed);
    if (is_changed != 0) new_value->assign(changed, changed_size);
    *value_changed = is_changed != 0;
    return is_removed != 0;
  }
  bool IgnoreSnapshots() const override { return ignore_snapshots_; }
  void SetIgnoreSnapshots(bool ignore) { ignore_snapshots_ = ignore; }

 private:
  const CompactionFilterCalls calls_;
  bool ignore_snapshots_ = true;
};

}  // namespace ROCKSDB_NAMESPACE::c_api
