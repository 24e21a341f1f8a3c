// What the classes of an application's index do that it does not override.
#include "rocksdb/user_defined_index.h"

#include "options/object_kinds.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status IndexStepIsMissing(const char* step) {
  return Status::NotSupported(step, "by this UserDefinedIndexIterator");
}

Status CheckIndexOrder(const UserDefinedIndexFactory& factory,
                       const UserDefinedIndexOption& option) {
  return option.comparator == BytewiseComparator()
             ? Status::OK()
             : Status::NotSupported(factory.Name(),
                                    "knows the order of bytes alone");
}

Status CheckIndexIsMade(const UserDefinedIndexFactory& factory, bool is_made) {
  return is_made ? Status::OK()
                 : Status::InvalidArgument(factory.Name(), "made nothing");
}

}  // namespace

Status UserDefinedIndexIterator::SeekToFirstAndGetResult(
    IterateResult* /*result*/) {
  return IndexStepIsMissing("SeekToFirstAndGetResult()");
}

Status UserDefinedIndexIterator::SeekToLastAndGetResult(
    IterateResult* /*result*/) {
  return IndexStepIsMissing("SeekToLastAndGetResult()");
}

Status UserDefinedIndexIterator::PrevAndGetResult(IterateResult* /*result*/) {
  return IndexStepIsMissing("PrevAndGetResult()");
}

Status UserDefinedIndexFactory::CreateFromString(
    const ConfigOptions& config_options, const std::string& value,
    std::shared_ptr<UserDefinedIndexFactory>* factory) {
  return ParseSharedObject(config_options, value, factory);
}

Status UserDefinedIndexFactory::NewBuilder(
    const UserDefinedIndexOption& option,
    std::unique_ptr<UserDefinedIndexBuilder>& builder) const {
  if (Status s = CheckIndexOrder(*this, option); !s.ok()) return s;
  std::unique_ptr<UserDefinedIndexBuilder> made(NewBuilder());
  Status s = CheckIndexIsMade(*this, made != nullptr);
  if (s.ok()) builder = std::move(made);
  return s;
}

Status UserDefinedIndexFactory::NewReader(
    const UserDefinedIndexOption& option, Slice& index_block,
    std::unique_ptr<UserDefinedIndexReader>& reader) const {
  if (Status s = CheckIndexOrder(*this, option); !s.ok()) return s;
  std::unique_ptr<UserDefinedIndexReader> made = NewReader(index_block);
  Status s = CheckIndexIsMade(*this, made != nullptr);
  if (s.ok()) reader = std::move(made);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
