// One cursor over the keys of several column families.
//
// Each family has a cursor of its own, all of one moment; at a key, those that
// have it stand there together.
//
// Threads    One at a time.
// Ownership  Owns the families' cursors; borrows the handles.
// Errors     That of any family ends the walk.
#pragma once

#include <functional>
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

// What the families' cursors stop at: keys, or with iter_start_ts each version
// of a key. Of a version the cursors tell the internal key.
enum class Stops { kKeys, kVersions };

struct FamilyCursors {
  const Comparator* order = nullptr;  // all share it
  Stops stops = Stops::kKeys;
  // The cursors keep to the prefix of what they last sought
  // (prefix_same_as_start).
  bool stay_in_prefix = false;
  std::vector<FamilyCursor> cursors;
  // New ones in the same order, of one moment: the snapshot's, or the present.
  // Null where the family was dropped and its last handle is gone: the cursor
  // that is there holds what is left of it.
  std::function<Status(const Snapshot* snapshot,
                       std::vector<Iterator*>* result)>
      renew;
};

// Shows all columns of a key at once; of columns of one name that of the
// family named last.
std::unique_ptr<Iterator> MakeCoalescingIterator(FamilyCursors families);

// Shows each family's columns by themselves.
std::unique_ptr<AttributeGroupIterator> MakeAttributeGroupIterator(
    FamilyCursors families);

// Without entries, with a status.
std::unique_ptr<AttributeGroupIterator> NewAttributeGroupErrorIterator(
    const Status& status);

}  // namespace ROCKSDB_NAMESPACE
