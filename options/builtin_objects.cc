#include "options/builtin_objects.h"

#include <memory>
#include <string>

#include "options/object_registry.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Comparators live for ever; the result owns nothing.
Status MakeComparator(const std::string& id,
                      std::shared_ptr<Comparator>* result) {
  const Comparator* comparator = nullptr;
  Status s = Comparator::CreateFromString(ConfigOptions(), id, &comparator);
  if (s.ok()) {
    *result = std::shared_ptr<Comparator>(std::shared_ptr<void>(),
                                          const_cast<Comparator*>(comparator));
  }
  return s;
}

Status MakeMergeOperator(const std::string& id,
                         std::shared_ptr<MergeOperator>* result) {
  return MergeOperator::CreateFromString(ConfigOptions(), id, result);
}

Status MakeSliceTransform(const std::string& id,
                          std::shared_ptr<SliceTransform>* result) {
  std::shared_ptr<const SliceTransform> transform;
  Status s = SliceTransform::CreateFromString(ConfigOptions(), id, &transform);
  if (s.ok()) *result = std::const_pointer_cast<SliceTransform>(transform);
  return s;
}

// A memtable factory with one number behind a colon: "skip_list:16".
template <class Factory>
Status MakeMemTable(const std::string& id,
                    std::shared_ptr<MemTableRepFactory>* result) {
  size_t argument = 0;
  const size_t colon = id.find(':');
  if (colon != std::string::npos &&
      !ParseSizeT(id.substr(colon + 1), &argument)) {
    return Status::InvalidArgument("not a number behind the colon", id);
  }
  *result = std::make_shared<Factory>(argument);
  return Status::OK();
}

template <class Factory>
void RegisterMemTable() {
  for (const std::string name : {Factory::kClassName(), Factory::kNickName()}) {
    RegisterObject<MemTableRepFactory>(name, ObjectMatch::kWholeId,
                                       MakeMemTable<Factory>);
    RegisterObject<MemTableRepFactory>(name + ":", ObjectMatch::kPrefix,
                                       MakeMemTable<Factory>);
  }
}

}  // namespace

void RegisterBuiltinObjects() {
  // The empty prefix fits every id; what others registered comes first.
  RegisterObject<Comparator>("", ObjectMatch::kPrefix, MakeComparator);
  RegisterObject<MergeOperator>("", ObjectMatch::kPrefix, MakeMergeOperator);
  RegisterObject<SliceTransform>("", ObjectMatch::kPrefix, MakeSliceTransform);
  RegisterMemTable<SkipListFactory>();
  RegisterMemTable<VectorRepFactory>();
}

}  // namespace ROCKSDB_NAMESPACE
