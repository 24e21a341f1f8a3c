// A batch that can be read before it is written.
#pragma once

#include <map>
#include <memory>

#include "java/jni/database.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::jni {

// Its iterators, and the handle of the plain batch in it, end with it.
class IndexedObject : public Object {
 public:
  static constexpr TypeTag kTag{"WriteBatchWithIndex", nullptr};
  explicit IndexedObject(std::shared_ptr<WriteBatchWithIndex> batch,
                         std::shared_ptr<const Comparator> order = nullptr)
      : rep(std::move(batch)), order_(std::move(order)) {}
  ~IndexedObject() override { children->CloseAll(); }
  const TypeTag* Tag() const override { return &kTag; }

  // The batch has keys of a family, in the family's order from now on: that
  // must live as long as the batch, which may outlive the database.
  void KeepOrderOf(const Family& family);

  std::shared_ptr<WriteBatchWithIndex> rep;
  std::shared_ptr<Children> children = std::make_shared<Children>();
  Handle plain_batch = 0;

 private:
  std::shared_ptr<const Comparator> order_;
  std::map<const Comparator*, std::shared_ptr<const void>> orders_;
};

}  // namespace ROCKSDB_NAMESPACE::jni
