#include "rocksdb/cleanable.h"

#include <atomic>
#include <cassert>
#include <memory>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void DeleteAll(Cleanable::Cleanup* node) {
  while (node != nullptr) {
    const std::unique_ptr<Cleanable::Cleanup> owner(node);
    node = owner->next;
    owner->function(owner->arg1, owner->arg2);
  }
}

}  // namespace

void Cleanable::Append(CleanupFunction function, void* arg1, void* arg2) {
  auto node = std::make_unique<Cleanup>();
  *node = {function, arg1, arg2, cleanup_.next};
  cleanup_.next = node.release();
}

void Cleanable::RegisterCleanup(Cleanup* c) {
  assert(c != nullptr && c->function != nullptr);
  const std::unique_ptr<Cleanup> owner(c);
  RegisterCleanup(c->function, c->arg1, c->arg2);
}

void Cleanable::RunAll() {
  // Emptied first: a cleanup may look at this object.
  const Cleanup first = std::exchange(cleanup_, Cleanup());
  first.function(first.arg1, first.arg2);
  DeleteAll(first.next);
}

void Cleanable::DelegateCleanupsTo(Cleanable* other) {
  assert(other != nullptr && other != this);
  Cleanup first = std::exchange(cleanup_, Cleanup());
  if (first.function == nullptr) return;
  if (other->cleanup_.function == nullptr) {
    other->cleanup_ = first;
    return;
  }
  other->RegisterCleanup(first.function, first.arg1, first.arg2);
  if (first.next == nullptr) return;
  Cleanup* last = first.next;
  while (last->next != nullptr) last = last->next;
  last->next = other->cleanup_.next;
  other->cleanup_.next = first.next;
}

struct SharedCleanablePtr::Impl : public Cleanable {
  std::atomic<unsigned> refs{1};

  void Ref() { refs.fetch_add(1, std::memory_order_relaxed); }
  // acq_rel: the last holder sees what the others did.
  void Unref() {
    if (refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::unique_ptr<Impl> owner(this);
    }
  }
};

SharedCleanablePtr::SharedCleanablePtr(const SharedCleanablePtr& from)
    : ptr_(from.ptr_) {
  if (ptr_ != nullptr) ptr_->Ref();
}

SharedCleanablePtr& SharedCleanablePtr::operator=(
    const SharedCleanablePtr& from) {
  if (this != &from) *this = SharedCleanablePtr(from);
  return *this;
}

SharedCleanablePtr& SharedCleanablePtr::operator=(
    SharedCleanablePtr&& from) noexcept {
  if (this != &from) {
    Reset();
    ptr_ = std::exchange(from.ptr_, nullptr);
  }
  return *this;
}

void SharedCleanablePtr::Allocate() {
  Reset();
  ptr_ = std::make_unique<Impl>().release();
}

void SharedCleanablePtr::Reset() {
  if (Impl* old = std::exchange(ptr_, nullptr)) old->Unref();
}

Cleanable& SharedCleanablePtr::operator*() { return *ptr_; }
Cleanable* SharedCleanablePtr::operator->() { return ptr_; }
Cleanable* SharedCleanablePtr::get() { return ptr_; }
const Cleanable* SharedCleanablePtr::get() const { return ptr_; }

void SharedCleanablePtr::UnrefFromCleanup(void* impl, void* /*unused*/) {
  static_cast<Impl*>(impl)->Unref();
}

void SharedCleanablePtr::RegisterCopyWith(Cleanable* target) {
  if (ptr_ == nullptr) return;
  ptr_->Ref();
  target->RegisterCleanup(&UnrefFromCleanup, ptr_, nullptr);
}

void SharedCleanablePtr::MoveAsCleanupTo(Cleanable* target) {
  if (ptr_ == nullptr) return;
  target->RegisterCleanup(&UnrefFromCleanup, std::exchange(ptr_, nullptr),
                          nullptr);
}

}  // namespace ROCKSDB_NAMESPACE
