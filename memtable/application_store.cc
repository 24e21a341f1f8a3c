#include "memtable/application_store.h"

#include <cassert>
#include <utility>

#include "memtable/entry_tree.h"
#include "rocksdb/env.h"
#include "rocksdb/slice_transform.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class ApplicationStore::Order final : public MemTableRep::KeyComparator {
 public:
  explicit Order(const InternalKeyComparator* order) : order_(order) {}

  int operator()(const char* a, const char* b) const override {
    return order_->Compare(EntryTree::KeyOf(a), EntryTree::KeyOf(b));
  }
  int operator()(const char* entry, const Slice& key) const override {
    return order_->Compare(EntryTree::KeyOf(entry), key);
  }

 private:
  const InternalKeyComparator* const order_;
};

class ApplicationStore::RepIterator final : public InternalIterator {
 public:
  explicit RepIterator(const ApplicationStore* store) : store_(*store) {}

  bool Valid() const override { return entry_ != nullptr; }
  void SeekToFirst() override {
    Move([](MemTableRep::Iterator* it) { it->SeekToFirst(); });
  }
  void SeekToLast() override {
    Move([](MemTableRep::Iterator* it) { it->SeekToLast(); });
  }
  void Seek(const Slice& target) override {
    Move([&](MemTableRep::Iterator* it) { it->Seek(target, nullptr); });
  }
  void SeekForPrev(const Slice& target) override {
    Move([&](MemTableRep::Iterator* it) { it->SeekForPrev(target, nullptr); });
  }
  void Next() override {
    assert(Valid());
    Move([](MemTableRep::Iterator* it) { it->Next(); });
  }
  void Prev() override {
    assert(Valid());
    Move([](MemTableRep::Iterator* it) { it->Prev(); });
  }
  Slice key() const override { return EntryTree::KeyOf(entry_); }
  Slice value() const override { return EntryTree::ValueOf(entry_); }
  Status status() const override { return status_; }
  bool IsKeyPinned() const override { return true; }
  bool IsValuePinned() const override { return true; }

 private:
  template <class Step>
  void Move(const Step& step) {
    entry_ = nullptr;
    status_ = store_.Ask([&](MemTableRep* rep) {
      // Not before: whoever reads at a sequence has it by the first step.
      if (rep_iterator_ == nullptr) rep_iterator_.reset(rep->GetIterator());
      if (rep_iterator_ == nullptr) {
        return Status::Aborted(store_.name_, "made no iterator");
      }
      step(rep_iterator_.get());
      if (rep_iterator_->Valid()) entry_ = rep_iterator_->key();
      return Status::OK();
    });
  }

  const ApplicationStore& store_;
  std::unique_ptr<MemTableRep::Iterator> rep_iterator_;
  const char* entry_ = nullptr;  // null: none
  Status status_;
};

ApplicationStore::ApplicationStore(std::string name, const Context& context)
    : name_(std::move(name)),
      context_(context),
      order_(std::make_unique<Order>(context.order)) {
  INVARIANT(context_.order != nullptr);
  INVARIANT(context_.allocator != nullptr);
}

ApplicationStore::~ApplicationStore() {
  IgnoreError(Ask([](MemTableRep*) { return Status::OK(); }),
              "nobody reads any more");
}

std::unique_ptr<ApplicationStore> ApplicationStore::Make(
    MemTableRepFactory* factory, const Context& context) {
  INVARIANT(factory != nullptr);
  auto store = std::make_unique<ApplicationStore>(factory->Name(), context);
  const Status s = store->MakeRep(factory);
  if (s.ok()) return store;
  Error(context.logger, "A memtable is an ordered tree: %s",
        s.ToString().c_str());
  store->rep_.reset();
  return nullptr;
}

Status ApplicationStore::MakeRep(MemTableRepFactory* factory) {
  return CallUserCode(name_, [&] {
    is_concurrent_ = factory->IsInsertConcurrentlySupported();
    rep_.reset(factory->CreateMemTableRep(*order_, context_.allocator,
                                          context_.prefix_extractor,
                                          context_.logger, context_.family_id));
    if (rep_ == nullptr) return Status::Aborted(name_, "made no MemTableRep");
    if (!rep_->IsMergeOperatorSupported() || !rep_->IsSnapshotSupported()) {
      return Status::NotSupported(
          name_, "makes a MemTableRep without merges or snapshots");
    }
    return Status::OK();
  });
}

// Throws what the application does; then it is told again next time.
void ApplicationStore::Prepare() const {
  if (rep_ == nullptr) return;
  // acquire: pairs with the release of whoever noted it.
  if (is_immutable_.load(std::memory_order_acquire)) {
    std::call_once(told_immutable_, [this] { rep_->MarkReadOnly(); });
  }
  if (is_flushed_.load(std::memory_order_acquire)) {
    std::call_once(told_flushed_, [this] { rep_->MarkFlushed(); });
  }
}

Status ApplicationStore::Allocate(size_t bytes, KeyHandle* handle,
                                  char** entry) {
  assert(bytes > 0);
  return Ask([&](MemTableRep* rep) {
    *entry = nullptr;
    *handle = rep->Allocate(bytes, entry);
    return *entry != nullptr ? Status::OK()
                             : Status::Aborted(name_, "made no room");
  });
}

Status ApplicationStore::Insert(KeyHandle handle, const Slice& user_key) {
  assert(!is_immutable_.load(std::memory_order_relaxed));
  return Ask([&](MemTableRep* /*rep*/) {
    return InsertEntry(handle, user_key)
               ? Status::OK()
               : Status::TryAgain(
                     "key and sequence are in the memtable "
                     "already");
  });
}

bool ApplicationStore::InsertEntry(KeyHandle handle, const Slice& user_key) {
  if (is_concurrent_) return rep_->InsertKeyConcurrently(handle);
  void** const hint = HintFor(user_key);
  return hint == nullptr ? rep_->InsertKey(handle)
                         : rep_->InsertKeyWithHint(handle, hint);
}

void** ApplicationStore::HintFor(const Slice& user_key) {
  const SliceTransform* const extractor = context_.hint_extractor;
  if (extractor == nullptr) return nullptr;
  const Slice given =
      WithoutTimestamp(user_key, context_.order->timestamp_size());
  if (!extractor->InDomain(given)) return nullptr;
  return &hints_[extractor->Transform(given).ToString()];
}

void ApplicationStore::EndBatch() {
  if (!is_concurrent_) return;
  const Status s = Ask([](MemTableRep* rep) {
    rep->BatchPostProcess();
    return Status::OK();
  });
  if (!s.ok()) {
    Error(context_.logger, "BatchPostProcess(): %s", s.ToString().c_str());
  }
}

Status ApplicationStore::Visit(const Slice& internal_key,
                               const Visitor& visit) const {
  assert(ExtractType(internal_key) == kValueTypeForSeek);
  const LookupKey key(ExtractUserKey(internal_key),
                      ExtractSequence(internal_key));
  return Ask([&](MemTableRep* rep) {
    rep->Get(key, const_cast<Visitor*>(&visit),
             [](void* arg, const char* entry) {
               return (*static_cast<const Visitor*>(arg))(entry);
             });
    return Status::OK();
  });
}

std::unique_ptr<InternalIterator> ApplicationStore::NewIterator() const {
  return std::make_unique<RepIterator>(this);
}

uint64_t ApplicationStore::EstimateCount(const Slice& begin,
                                         const Slice& end) const {
  uint64_t count = 0;
  IgnoreError(Ask([&](MemTableRep* rep) {
                count = rep->ApproximateNumEntries(begin, end);
                return Status::OK();
              }),
              "an estimate: none");
  return count;
}

size_t ApplicationStore::memory_bytes() const {
  size_t bytes = 0;
  IgnoreError(CallUserCode(name_,
                           [&] {
                             bytes = rep_->ApproximateMemoryUsage();
                             return Status::OK();
                           }),
              "what is not told is not counted");
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE
