// IndexedBatches: batches that can be read before they are written.
#include "java/jni/indexed_batches.h"

#include "java/jni/packing.h"
#include "java/jni/updates.h"

namespace ROCKSDB_NAMESPACE::jni {

void IndexedObject::KeepOrderOf(OpenDatabase& database,
                                ColumnFamilyHandle* family) {
  const Comparator* order = family->GetComparator();
  if (order == BytewiseComparator() || order == ReverseBytewiseComparator()) {
    return;
  }
  std::shared_ptr<const void>& kept = ordered_->orders[order];
  if (kept == nullptr) kept = database.KeptByFamilies();
}

namespace {

// The updates of a family in a batch, as an iterator of entries.
class UpdateIterator : public Iterator {
 public:
  explicit UpdateIterator(WBWIIterator* updates) : updates_(updates) {}

  bool Valid() const override { return updates_->Valid(); }
  void SeekToFirst() override { updates_->SeekToFirst(); }
  void SeekToLast() override { updates_->SeekToLast(); }
  void Seek(const Slice& key) override { updates_->Seek(key); }
  void SeekForPrev(const Slice& key) override { updates_->SeekForPrev(key); }
  void Next() override { updates_->Next(); }
  void Prev() override { updates_->Prev(); }
  Slice key() const override { return updates_->Entry().key; }
  Slice value() const override { return updates_->Entry().value; }
  Status status() const override { return updates_->status(); }

  WriteEntry Entry() const { return updates_->Entry(); }

 private:
  std::unique_ptr<WBWIIterator> updates_;
};

class UpdateIteratorObject : public IteratorObject {
 public:
  static constexpr TypeTag kTag{"WBWIRocksIterator", &IteratorObject::kTag};
  UpdateIteratorObject(const IndexedObject& batch, WBWIIterator* updates)
      : IteratorObject(batch.children, nullptr) {
    auto iterator = std::make_unique<UpdateIterator>(updates);
    update = iterator.get();
    sources = {batch.rep};
    rep = std::move(iterator);
  }
  const TypeTag* Tag() const override { return &kTag; }

  const UpdateIterator* update;
};

Status AddIndexed(jlong handle, jlong family, jint operation, const Slice& key,
                  const Slice& value) {
  Pin<IndexedObject> batch(handle);
  Pin<Family> pin(family, true);
  WriteBatchWithIndex& updates = *batch->rep;
  if (pin) {
    batch->KeepOrderOf(*pin);
    ColumnFamilyHandle* cf = pin->rep;
    switch (static_cast<Update>(operation)) {
      case Update::kPut:
        return updates.Put(cf, key, value);
      case Update::kMerge:
        return updates.Merge(cf, key, value);
      case Update::kDelete:
        return updates.Delete(cf, key);
      case Update::kSingleDelete:
        return updates.SingleDelete(cf, key);
      case Update::kDeleteRange:
        return updates.DeleteRange(cf, key, value);
    }
  }
  switch (static_cast<Update>(operation)) {
    case Update::kPut:
      return updates.Put(key, value);
    case Update::kMerge:
      return updates.Merge(key, value);
    case Update::kDelete:
      return updates.Delete(key);
    case Update::kSingleDelete:
      return updates.SingleDelete(key);
    case Update::kDeleteRange:
      return updates.DeleteRange(key, value);
  }
  return Status::InvalidArgument("no such update");
}

}  // namespace

NATIVE(jlong, IndexedBatches, create, jlong comparator, jint reserved,
       jboolean overwrite_key) {
  return Run(env, [&]() -> jlong {
    if (reserved < 0) {
      Fail(Wrong::kArgument, "reserved bytes are less than 0");
    }
    Pin<Shared<const Comparator>> order(comparator, true);
    return PublishNew<IndexedObject>(
        std::make_shared<WriteBatchWithIndex>(
            order ? order->rep.get() : BytewiseComparator(),
            static_cast<size_t>(reserved), overwrite_key != JNI_FALSE),
        order ? order->rep : nullptr);
  });
}

NATIVE(jlong, IndexedBatches, batch, jlong indexed) {
  return Run(env, [&]() -> jlong {
    Pin<IndexedObject> pin(indexed);
    if (pin->plain_batch == 0) {
      pin->plain_batch = PublishNew<BatchObject>(pin->rep->GetWriteBatch(),
                                                 pin->rep, pin->rep.get());
      pin->children->Add(pin->plain_batch);
    }
    return pin->plain_batch;
  });
}

NATIVE(void, IndexedBatches, update, jlong indexed, jlong family,
       jint operation, jbyteArray key, jint offset, jint size, jbyteArray value,
       jint value_offset, jint value_size) {
  Run(env, [&] {
    const ArrayBytes first(env, key, offset, size);
    if (value == nullptr) {
      Check(AddIndexed(indexed, family, operation, first.slice(), Slice()));
      return;
    }
    const ArrayBytes second(env, value, value_offset, value_size);
    Check(
        AddIndexed(indexed, family, operation, first.slice(), second.slice()));
  });
}

NATIVE(void, IndexedBatches, updateDirect, jlong indexed, jlong family,
       jint operation, jlong key, jint size, jlong value, jint value_size) {
  Run(env, [&] {
    Check(AddIndexed(indexed, family, operation, Direct(key, size),
                     Direct(value, value_size)));
  });
}

NATIVE(void, IndexedBatches, putLogData, jlong indexed, jbyteArray blob) {
  Run(env, [&] {
    Check(Pin<IndexedObject>(indexed)->rep->PutLogData(BytesOf(env, blob)));
  });
}

NATIVE(void, IndexedBatches, clear, jlong indexed) {
  Run(env, [&] { Pin<IndexedObject>(indexed)->rep->Clear(); });
}

NATIVE(void, IndexedBatches, setSavePoint, jlong indexed) {
  Run(env, [&] { Pin<IndexedObject>(indexed)->rep->SetSavePoint(); });
}

NATIVE(void, IndexedBatches, rollbackToSavePoint, jlong indexed) {
  Run(env,
      [&] { Check(Pin<IndexedObject>(indexed)->rep->RollbackToSavePoint()); });
}

NATIVE(void, IndexedBatches, popSavePoint, jlong indexed) {
  Run(env, [&] { Check(Pin<IndexedObject>(indexed)->rep->PopSavePoint()); });
}

NATIVE(void, IndexedBatches, setMaxBytes, jlong indexed, jlong bytes) {
  Run(env, [&] {
    Pin<IndexedObject>(indexed)->rep->SetMaxBytes(static_cast<size_t>(bytes));
  });
}

NATIVE(jlong, IndexedBatches, iterator, jlong indexed, jlong family) {
  return Run(env, [&]() -> jlong {
    Pin<IndexedObject> pin(indexed);
    Pin<Family> cf(family, true);
    if (cf) pin->KeepOrderOf(*cf);
    return Child::Publish(std::make_unique<UpdateIteratorObject>(
        *pin, cf ? pin->rep->NewIterator(cf->rep) : pin->rep->NewIterator()));
  });
}

// Type, key and value of the update that an iterator is at.
NATIVE(jbyteArray, IndexedBatches, entry, jlong iterator) {
  return Run(env, [&] {
    Pin<UpdateIteratorObject> pin(iterator);
    if (!pin->update->Valid()) {
      Fail(Wrong::kState, "the iterator is at no entry");
    }
    const WriteEntry entry = pin->update->Entry();
    Packer out;
    out.Enum(entry.type);
    out.Text(entry.key);
    out.Text(entry.value);
    return NewArray(env, out.bytes());
  });
}

NATIVE(jlong, IndexedBatches, iteratorWithBase, jlong indexed, jlong family,
       jlong base, jlong read) {
  return Run(env, [&]() -> jlong {
    Pin<IndexedObject> pin(indexed);
    Pin<IteratorObject> below(base);
    if (below->open == nullptr || below->rep == nullptr) {
      Fail(Wrong::kState, "the iterator is over no database of its own");
    }
    FamilyOf cf(*below->open, family);
    pin->KeepOrderOf(*below->open, cf);
    ReadSettings settings(read);
    auto object =
        std::make_unique<IteratorObject>(ChildrenOf(below->open), below->open);
    object->sources = below->sources;
    object->sources.push_back(pin->rep);
    object->sources.push_back(cf.Keep());
    const ReadOptions& kept = object->Keep(settings);
    object->rep.reset(pin->rep->NewIteratorWithBase(
        cf, below->rep.release(), settings.object() ? &kept : nullptr));
    const Handle made = Child::Publish(std::move(object));
    // What it was is part of the new one now.
    CloseHandle(base);
    return made;
  });
}

NATIVE(jbyteArray, IndexedBatches, get, jlong indexed, jlong family,
       jlong options, jbyteArray key) {
  return Run(env, [&]() -> jbyteArray {
    Pin<IndexedObject> pin(indexed);
    Pin<Family> cf(family, true);
    if (cf) pin->KeepOrderOf(*cf);
    PinStruct<DBOptions> settings(options);
    const std::string wanted = BytesOf(env, key);
    std::string value;
    const Status status =
        cf ? pin->rep->GetFromBatch(cf->rep, *settings, wanted, &value)
           : pin->rep->GetFromBatch(*settings, wanted, &value);
    if (status.IsNotFound()) return nullptr;
    Check(status);
    return NewArray(env, value);
  });
}

NATIVE(jbyteArray, IndexedBatches, getWithDatabase, jlong indexed,
       jlong database, jlong family, jlong read, jbyteArray key) {
  return Run(env, [&]() -> jbyteArray {
    Pin<IndexedObject> pin(indexed);
    Pin<Database> db(database);
    FamilyOf cf(*db->open, family);
    pin->KeepOrderOf(*db->open, cf);
    ReadSettings settings(read);
    std::string value;
    const Status status = pin->rep->GetFromBatchAndDB(
        db->db(), *settings, cf, BytesOf(env, key), &value);
    if (status.IsNotFound()) return nullptr;
    Check(status);
    return NewArray(env, value);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
