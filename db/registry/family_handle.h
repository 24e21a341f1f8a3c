// A handle of a column family that users hold.
//
// Threads    As ColumnFamilyHandle.
// Ownership  Shares the family. Says once when it goes.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "db/family/column_family.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyHandleImpl final : public ColumnFamilyHandle {
 public:
  // `on_release` runs once, when the handle goes, which is still whole then.
  // Null: nobody counts the handle. `owner`: the database, only to be compared.
  using OnRelease = std::function<void(ColumnFamilyHandleImpl*)>;
  ColumnFamilyHandleImpl(const DB* owner, ColumnFamilyRef cfd,
                         OnRelease on_release)
      : owner_(owner),
        cfd_(std::move(cfd)),
        on_release_(std::move(on_release)) {}
  ~ColumnFamilyHandleImpl() override {
    if (on_release_ != nullptr) on_release_(this);
  }

  const std::string& GetName() const override { return cfd_->name(); }
  uint32_t GetID() const override { return cfd_->id(); }
  Status GetDescriptor(ColumnFamilyDescriptor* descriptor) override;
  const Comparator* GetComparator() const override {
    return cfd_->user_comparator();
  }
  const DB* owner() const { return owner_; }
  ColumnFamilyData* cfd() const { return cfd_.get(); }
  const ColumnFamilyRef& cfd_ref() const { return cfd_; }
  ColumnFamilyRef TakeFamily() { return std::move(cfd_); }

 private:
  bool TakesWrites() const override {
    return !cfd_->ioptions().disallow_memtable_writes;
  }

  const DB* const owner_;
  ColumnFamilyRef cfd_;
  const OnRelease on_release_;
};

inline ColumnFamilyData* FamilyOf(ColumnFamilyHandle* family) {
  INVARIANT(family != nullptr);
  return static_cast<ColumnFamilyHandleImpl*>(family)->cfd();
}
inline const ColumnFamilyRef& FamilyRefOf(ColumnFamilyHandle* family) {
  INVARIANT(family != nullptr);
  return static_cast<ColumnFamilyHandleImpl*>(family)->cfd_ref();
}

// A handle that is null, or of another database than `owner`, is the caller's
// mistake.
Status CheckFamilyHandle(const DB* owner, ColumnFamilyHandle* family);

}  // namespace ROCKSDB_NAMESPACE
