// Transactions: the keys that they read and write.
#include "java/jni/packing.h"
#include "java/jni/transactions.h"
#include "java/jni/updates.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// How a key is read, by the bits of Transactions.java.
constexpr jint kForUpdate = 1;
constexpr jint kExclusive = 2;
constexpr jint kValidate = 4;

// How a key is written, by the numbers of Transactions.java.
enum class Tracking { kTracked, kAssumed, kUntracked };

struct KeyLookup {
  jlong transaction;
  jlong family;
  jlong read;
  jint how;
};

// True if there is a value.
bool FindInTransaction(const KeyLookup& lookup, const Slice& key,
                       PinnableSlice* value) {
  TransactionCall txn(lookup.transaction);
  FamilyOf cf(txn.database(), lookup.family);
  ReadSettings settings(lookup.read);
  const jint how = lookup.how;
  const Status status =
      (how & kForUpdate) == 0
          ? txn->Get(*settings, cf, key, value)
          : txn->GetForUpdate(*settings, cf, key, value,
                              (how & kExclusive) != 0, (how & kValidate) != 0);
  if (status.IsNotFound()) return false;
  Check(status);
  return true;
}

struct KeyUpdate {
  jlong transaction;
  jlong family;
  jint operation;
  jint tracking;
};

Status WriteUntracked(Transaction* txn, const FamilyOf& cf, Update update,
                      const Slice& key, const Slice& value) {
  switch (update) {
    case Update::kPut:
      return txn->PutUntracked(cf, key, value);
    case Update::kMerge:
      return txn->MergeUntracked(cf, key, value);
    case Update::kDelete:
      return txn->DeleteUntracked(cf, key);
    case Update::kSingleDelete:
      return txn->SingleDeleteUntracked(cf, key);
    case Update::kDeleteRange:
      break;
  }
  return Status::NotSupported("a range deletion in a transaction");
}

Status WriteInTransaction(const KeyUpdate& target, const Slice& key,
                          const Slice& value) {
  TransactionCall txn(target.transaction);
  FamilyOf cf(txn.database(), target.family);
  const auto update = static_cast<Update>(target.operation);
  const auto tracking = static_cast<Tracking>(target.tracking);
  if (tracking == Tracking::kUntracked) {
    return WriteUntracked(txn.txn()->rep.get(), cf, update, key, value);
  }
  const bool is_tracked = tracking == Tracking::kAssumed;
  switch (update) {
    case Update::kPut:
      return txn->Put(cf, key, value, is_tracked);
    case Update::kMerge:
      return txn->Merge(cf, key, value, is_tracked);
    case Update::kDelete:
      return txn->Delete(cf, key, is_tracked);
    case Update::kSingleDelete:
      return txn->SingleDelete(cf, key, is_tracked);
    case Update::kDeleteRange:
      break;
  }
  return Status::NotSupported("a range deletion in a transaction");
}

// A handle for each key: one for all of them, or for none the default one.
std::vector<ColumnFamilyHandle*> FamiliesOfKeys(
    const OpenDatabase& database, const std::vector<int64_t>& families,
    size_t key_count, std::vector<std::unique_ptr<FamilyOf>>* pins) {
  for (const Handle family : families) {
    pins->push_back(std::make_unique<FamilyOf>(database, family));
  }
  if (pins->empty()) pins->push_back(std::make_unique<FamilyOf>(database, 0));
  if (pins->size() > 1 && pins->size() != key_count) {
    Fail(Wrong::kArgument, "as many families as keys are needed");
  }
  std::vector<ColumnFamilyHandle*> handles(key_count, pins->front()->get());
  for (size_t i = 1; i < pins->size(); ++i) handles[i] = (*pins)[i]->get();
  return handles;
}

}  // namespace

NATIVE(jbyteArray, Transactions, get, jlong handle, jlong family, jlong read,
       jint how, jbyteArray key, jint offset, jint size) {
  return Run(env, [&]() -> jbyteArray {
    const ArrayBytes wanted(env, key, offset, size);
    PinnableSlice value;
    if (!FindInTransaction({handle, family, read, how}, wanted.slice(),
                           &value)) {
      return nullptr;
    }
    return NewArray(env, value);
  });
}

NATIVE(jint, Transactions, getInto, jlong handle, jlong family, jlong read,
       jint how, jbyteArray key, jint offset, jint size, jbyteArray target,
       jint target_offset, jint room) {
  return Run(env, [&]() -> jint {
    const ArrayBytes wanted(env, key, offset, size);
    PinnableSlice value;
    if (!FindInTransaction({handle, family, read, how}, wanted.slice(), &value))
      return -1;
    return CopyOut(env, value, target, target_offset, room);
  });
}

NATIVE(jint, Transactions, getDirect, jlong handle, jlong family, jlong read,
       jint how, jlong key, jint size, jlong target, jint room) {
  return Run(env, [&]() -> jint {
    PinnableSlice value;
    if (!FindInTransaction({handle, family, read, how}, Direct(key, size),
                           &value)) {
      return -1;
    }
    return CopyOut(value, target, room);
  });
}

NATIVE(jobjectArray, Transactions, multiGet, jlong handle, jlongArray families,
       jlong read, jbyteArray packed, jboolean for_update) {
  return Run(env, [&]() -> jobjectArray {
    TransactionCall txn(handle);
    Unpacker in(BytesOf(env, packed));
    std::vector<Slice> keys(static_cast<size_t>(in.Int()));
    for (Slice& key : keys) key = in.Bytes();
    std::vector<std::unique_ptr<FamilyOf>> pins;
    const std::vector<ColumnFamilyHandle*> of_keys = FamiliesOfKeys(
        txn.database(), LongsOf(env, families), keys.size(), &pins);
    ReadSettings settings(read);
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        for_update ? txn->MultiGetForUpdate(*settings, of_keys, keys, &values)
                   : txn->MultiGet(*settings, of_keys, keys, &values);
    values.resize(keys.size());
    return NewArrays(env, values, statuses);
  });
}

NATIVE(jlong, Transactions, iterator, jlong handle, jlong family, jlong read) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    FamilyOf cf(txn.database(), family);
    ReadSettings settings(read);
    auto object = std::make_unique<IteratorObject>(ChildrenOf(txn.txn()),
                                                   txn.txn()->open);
    object->sources = {txn.txn(), cf.Keep()};
    object->rep.reset(txn->GetIterator(object->Keep(settings), cf));
    CheckCallbacks();
    return Child::Publish(std::move(object));
  });
}

NATIVE(void, Transactions, update, jlong handle, jlong family, jint operation,
       jint tracking, jbyteArray key, jint offset, jint size, jbyteArray value,
       jint value_offset, jint value_size) {
  Run(env, [&] {
    const ArrayBytes first(env, key, offset, size);
    const KeyUpdate target{handle, family, operation, tracking};
    if (value == nullptr) {
      Check(WriteInTransaction(target, first.slice(), Slice()));
      return;
    }
    const ArrayBytes second(env, value, value_offset, value_size);
    Check(WriteInTransaction(target, first.slice(), second.slice()));
  });
}

NATIVE(void, Transactions, updateDirect, jlong handle, jlong family,
       jint operation, jint tracking, jlong key, jint size, jlong value,
       jint value_size) {
  Run(env, [&] {
    Check(WriteInTransaction({handle, family, operation, tracking},
                             Direct(key, size), Direct(value, value_size)));
  });
}

NATIVE(void, Transactions, putLogData, jlong handle, jbyteArray blob) {
  Run(env, [&] { TransactionCall(handle)->PutLogData(BytesOf(env, blob)); });
}

}  // namespace ROCKSDB_NAMESPACE::jni
