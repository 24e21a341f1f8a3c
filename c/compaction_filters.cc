// Compaction filters: what a C function drops or changes in compactions.

#include "c/compaction_filters.h"

#include <memory>
#include <utility>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

struct FactoryCalls {
  void* state;
  void (*destructor)(void*);
  rocksdb_compactionfilter_t* (*create)(void*,
                                        rocksdb_compactionfiltercontext_t*);
  const char* (*name)(void*);
};

class CallbackFilterFactory : public CompactionFilterFactory {
 public:
  explicit CallbackFilterFactory(const FactoryCalls& calls) : calls_(calls) {}
  CallbackFilterFactory(const CallbackFilterFactory&) = delete;
  CallbackFilterFactory& operator=(const CallbackFilterFactory&) = delete;
  ~CallbackFilterFactory() override {
    if (calls_.destructor != nullptr) calls_.destructor(calls_.state);
  }

  const char* Name() const override { return calls_.name(calls_.state); }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    CompactionFilter::Context copy = context;
    rocksdb_compactionfilter_t* filter = calls_.create(
        calls_.state,
        reinterpret_cast<rocksdb_compactionfiltercontext_t*>(&copy));
    return filter == nullptr ? nullptr : TakeOver(filter);
  }

 private:
  const FactoryCalls calls_;
};

}  // namespace

extern "C" {

// `filter` is asked about every value that a compaction meets: non-zero drops
// the key. It may set *new_value, which stays the caller's and must live until
// the next call, its size, and *value_changed. The filter must outlive the
// databases whose options name it.
rocksdb_compactionfilter_t* rocksdb_compactionfilter_create(
    void* state, void (*destructor)(void*),
    unsigned char (*filter)(void*, int level, const char* key, size_t key_size,
                            const char* existing_value,
                            size_t existing_value_size, char** new_value,
                            size_t* new_value_size,
                            unsigned char* value_changed),
    const char* (*name)(void*)) {
  auto* result = Own<rocksdb_compactionfilter_t>();
  result->rep = std::make_unique<CallbackCompactionFilter>(
      CompactionFilterCalls{state, destructor, filter, name});
  return result;
}

// With 0, opening a database with the filter is refused, as by the C++ class.
void rocksdb_compactionfilter_set_ignore_snapshots(
    rocksdb_compactionfilter_t* filter, unsigned char ignore) {
  filter->rep->SetIgnoreSnapshots(ignore != 0);
}

// Only for a filter that no factory gave away.
void rocksdb_compactionfilter_destroy(rocksdb_compactionfilter_t* filter) {
  End(filter);
}

// `create` makes a filter for each compaction, which owns it; NULL is none.
// Options take the factory over.
rocksdb_compactionfilterfactory_t* rocksdb_compactionfilterfactory_create(
    void* state, void (*destructor)(void*),
    rocksdb_compactionfilter_t* (*create)(void*,
                                          rocksdb_compactionfiltercontext_t*),
    const char* (*name)(void*)) {
  auto* result = Own<rocksdb_compactionfilterfactory_t>();
  result->rep = std::make_shared<CallbackFilterFactory>(
      FactoryCalls{state, destructor, create, name});
  return result;
}

// Only for a factory that no option took over.
void rocksdb_compactionfilterfactory_destroy(
    rocksdb_compactionfilterfactory_t* factory) {
  End(factory);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
