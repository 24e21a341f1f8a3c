// A shared object with a comparator and a merge operator, as a program's user
// would have them, for --load_library of ldb and sst_dump.

#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/utilities/object_registry.h"

namespace {

namespace rdb = ROCKSDB_NAMESPACE;

// Shorter keys come first.
class ByLength final : public rdb::Comparator {
 public:
  static const char* kClassName() { return "test.ByLength"; }
  const char* Name() const override { return kClassName(); }
  int Compare(const rdb::Slice& a, const rdb::Slice& b) const override {
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const rdb::Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}
};

// The longest operand is the value.
class Longest final : public rdb::AssociativeMergeOperator {
 public:
  static const char* kClassName() { return "test.Longest"; }
  const char* Name() const override { return kClassName(); }
  bool Merge(const rdb::Slice& /*key*/, const rdb::Slice* existing,
             const rdb::Slice& value, std::string* result,
             rdb::Logger* /*logger*/) const override {
    const bool keeps = existing != nullptr && existing->size() > value.size();
    *result = keeps ? existing->ToString() : value.ToString();
    return true;
  }
};

}  // namespace

extern "C" int rocksdb_register_objects(rdb::ObjectLibrary& library,
                                        const std::string& /*argument*/) {
  library.AddFactory<const rdb::Comparator>(
      ByLength::kClassName(),
      [](const std::string& /*uri*/,
         std::unique_ptr<const rdb::Comparator>* /*guard*/,
         std::string* /*error*/) {
        static const ByLength order;
        return &order;
      });
  library.AddFactory<rdb::MergeOperator>(
      Longest::kClassName(),
      [](const std::string& /*uri*/, std::unique_ptr<rdb::MergeOperator>* guard,
         std::string* /*error*/) {
        *guard = std::make_unique<Longest>();
        return guard->get();
      });
  return 2;
}
