#include "table/own_index_builder.h"

#include <utility>

#include "table/block.h"
#include "table/block_cursor.h"
#include "table/own_index.h"
#include "util/coding.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using IndexedType = UserDefinedIndexBuilder::ValueType;

IndexedType IndexedTypeOf(ValueType type) {
  switch (type) {
    case kTypeValue:
    case kTypeValuePreferredSeqno:
      return UserDefinedIndexBuilder::kValue;
    case kTypeDeletion:
    case kTypeSingleDeletion:
    case kTypeDeletionWithTimestamp:
      return UserDefinedIndexBuilder::kDelete;
    case kTypeMerge:
      return UserDefinedIndexBuilder::kMerge;
    default:
      return UserDefinedIndexBuilder::kOther;
  }
}

// Calls `void visit(Slice key, Slice value)` for each entry of a data block.
template <class Visit>
Status ForEachEntry(const Slice& block, const InternalKeyComparator& order,
                    const Visit& visit) {
  BlockLayout layout;
  const char* problem = layout.Parse(block);
  if (problem == nullptr) {
    BlockCursor cursor(&order, KeyRewrite());
    cursor.Reset(&layout);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      visit(cursor.key(), cursor.value());
    }
    problem = cursor.problem();
  }
  return problem == nullptr
             ? Status::OK()
             : Status::Corruption("a block in memory is damaged", problem);
}

}  // namespace

OwnIndexBuilder::OwnIndexBuilder(
    Key, std::unique_ptr<UserDefinedIndexBuilder> builder,
    std::string block_name, const InternalKeyComparator& order,
    size_t left_out_bytes)
    : builder_(std::move(builder)),
      block_name_(std::move(block_name)),
      order_(order),
      left_out_bytes_(left_out_bytes) {}

Status OwnIndexBuilder::Create(const BlockBasedTableOptions& table,
                               const InternalKeyComparator& order,
                               size_t left_out_bytes,
                               std::unique_ptr<OwnIndexBuilder>* result) {
  const UserDefinedIndexFactory* factory =
      table.user_defined_index_factory.get();
  if (factory == nullptr) return Status::OK();
  UserDefinedIndexOption option;
  option.comparator = order.user_comparator();
  std::unique_ptr<UserDefinedIndexBuilder> builder;
  Status s = factory->NewBuilder(option, builder);
  if (s.ok() && builder == nullptr) {
    s = Status::InvalidArgument(factory->Name(), "made no builder");
  }
  if (!s.ok()) return s;
  *result = std::make_unique<OwnIndexBuilder>(Key(), std::move(builder),
                                              OwnIndexBlockName(*factory),
                                              order, left_out_bytes);
  return s;
}

// The user key as readers see it.
Slice OwnIndexBuilder::Given(const Slice& internal_key,
                             std::string* buffer) const {
  const Slice user_key = ExtractUserKey(internal_key);
  if (left_out_bytes_ == 0) return user_key;
  buffer->assign(user_key.data(), user_key.size());
  buffer->append(left_out_bytes_, '\0');
  return *buffer;
}

void OwnIndexBuilder::AddKey(const Slice& internal_key, const Slice& value) {
  const ValueType type = ExtractType(internal_key);
  Slice plain = value;
  if (type == kTypeValuePreferredSeqno && value.size() >= sizeof(uint64_t)) {
    plain.remove_suffix(sizeof(uint64_t));
  }
  builder_->OnKeyAdded(Given(internal_key, &key_buffer_), IndexedTypeOf(type),
                       plain);
}

Status OwnIndexBuilder::AddKeysOf(const Slice& block) {
  return ForEachEntry(
      block, order_,
      [this](const Slice& key, const Slice& value) { AddKey(key, value); });
}

Status OwnIndexBuilder::FindBorders(const Slice& block, std::string* first,
                                    std::string* last) const {
  first->clear();
  const Status s =
      ForEachEntry(block, order_, [&](const Slice& key, const Slice&) {
        last->assign(key.data(), key.size());
        if (first->empty()) *first = *last;
      });
  INVARIANT(!s.ok() || !first->empty());
  return s;
}

void OwnIndexBuilder::EndBlock(const Slice& last_key, const Slice* next_key,
                               const BlockHandle& handle) {
  UserDefinedIndexBuilder::IndexEntryContext context;
  context.last_key_tag = ExtractTrailer(last_key);
  Slice next;
  if (next_key != nullptr) {
    context.first_key_tag = ExtractTrailer(*next_key);
    next = Given(*next_key, &next_buffer_);
  }
  static_cast<void>(builder_->AddIndexEntry(
      Given(last_key, &key_buffer_), next_key != nullptr ? &next : nullptr,
      {handle.offset, handle.size}, &separator_, context));
}

Status OwnIndexBuilder::Finish(Slice* contents) {
  return builder_->Finish(contents);
}

}  // namespace ROCKSDB_NAMESPACE
