// A batch that can be read before it is written.
#pragma once

#include <map>
#include <memory>

#include "java/jni/database.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::jni {

// A batch and the orders of its keys: whoever keeps the batch keeps these too,
// such as an iterator over it and a database, which may outlive its handle.
struct OrderedBatch {
  OrderedBatch(std::shared_ptr<WriteBatchWithIndex> indexed,
               std::shared_ptr<const Comparator> default_order)
      : order(std::move(default_order)), batch(std::move(indexed)) {}

  std::shared_ptr<const Comparator> order;
  // Those of families.
  std::map<const Comparator*, std::shared_ptr<const void>> orders;
  // The last: it ends before what orders it.
  std::shared_ptr<WriteBatchWithIndex> batch;
};

// Its iterators, and the handle of the plain batch in it, end with it.
class IndexedObject : public Object {
 public:
  static constexpr TypeTag kTag{"WriteBatchWithIndex", nullptr};
  explicit IndexedObject(std::shared_ptr<WriteBatchWithIndex> batch,
                         std::shared_ptr<const Comparator> order = nullptr)
      : ordered_(std::make_shared<OrderedBatch>(std::move(batch),
                                                std::move(order))) {
    rep = {ordered_, ordered_->batch.get()};
  }
  ~IndexedObject() override { children->CloseAll(); }
  const TypeTag* Tag() const override { return &kTag; }

  // The batch has the keys of a family in the family's order from now on, be it
  // by a write or by a read: that must live as long as the batch, which may
  // outlive the database.
  void KeepOrderOf(OpenDatabase& database, ColumnFamilyHandle* family);
  void KeepOrderOf(const Family& family) {
    KeepOrderOf(*family.open, family.rep);
  }

  // It keeps the orders, too.
  std::shared_ptr<WriteBatchWithIndex> rep;
  std::shared_ptr<Children> children = std::make_shared<Children>();
  Handle plain_batch = 0;

 private:
  std::shared_ptr<OrderedBatch> ordered_;
};

}  // namespace ROCKSDB_NAMESPACE::jni
