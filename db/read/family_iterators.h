// One cursor over the keys of several column families.
//
// Each family has a cursor of its own, all of one moment; at a key, those that
// have it stand there together.
//
// Threads    One at a time.
// Ownership  Owns the families' cursors; borrows the handles.
// Errors     That of any family ends the walk.
#pragma once

#include <memory>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandle;
class Comparator;

struct FamilyCursor {
  ColumnFamilyHandle* family = nullptr;
  std::unique_ptr<Iterator> iterator;
};

// Shows all columns of a key at once; of columns of one name that of the
// family named last. `order` is the comparator that all share.
std::unique_ptr<Iterator> MakeCoalescingIterator(
    const Comparator* order, std::vector<FamilyCursor> families);

// Shows each family's columns by themselves.
std::unique_ptr<AttributeGroupIterator> MakeAttributeGroupIterator(
    const Comparator* order, std::vector<FamilyCursor> families);

}  // namespace ROCKSDB_NAMESPACE
