// Transactions: what they are and do but for reading and writing keys, and
// what their databases tell of them.
#include "java/jni/transactions.h"

#include "java/jni/indexed_batches.h"
#include "java/jni/java_machine.h"
#include "java/jni/packing.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction_db.h"

namespace ROCKSDB_NAMESPACE::jni {

TransactionObject::~TransactionObject() {
  ForgetName();
  txn->children.CloseAll();
}

Status TransactionObject::SetName(const std::string& name) {
  Status status = txn->rep->SetName(name);
  if (status.ok()) {
    name_ = name;
    open->named.Add(name, handle());
  }
  return status;
}

void TransactionObject::ForgetName() {
  if (!name_.empty()) open->named.Remove(name_, handle());
  name_.clear();
}

void DropOldSnapshot(OpenTransaction& transaction) {
  if (transaction.snapshot == 0) return;
  const Snapshot* now = transaction.rep->GetSnapshot();
  HandleSlot* slot = PinSlot(transaction.snapshot);
  if (slot != nullptr) {
    const auto* known = static_cast<SnapshotObject*>(slot->object);
    const bool is_the_same =
        now != nullptr && known->rep.get() == now &&
        now->GetSequenceNumber() == transaction.snapshot_sequence;
    UnpinSlot(slot);
    if (is_the_same) return;
  }
  CloseHandle(transaction.snapshot);
  transaction.snapshot = 0;
}

Handle SnapshotOf(const std::shared_ptr<OpenTransaction>& transaction) {
  const Snapshot* now = transaction->rep->GetSnapshot();
  if (now == nullptr) return 0;
  if (transaction->snapshot == 0) {
    transaction->snapshot_sequence = now->GetSequenceNumber();
    transaction->snapshot = Child::Publish(std::make_unique<SnapshotObject>(
        ChildrenOf(transaction), now, transaction));
  }
  return transaction->snapshot;
}

namespace {

// Tells Java's AbstractTransactionNotifier of a snapshot; what that throws
// leaves the call that took the snapshot.
class JavaNotifier {
 public:
  JavaNotifier(JNIEnv* env, jobject notifier) : object_(env, notifier) {}

  void Tell(Handle snapshot) const {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return;
    LocalFrame frame(env);
    env->CallStaticVoidMethod(Classes().callbacks, Classes().snapshot_created,
                              object_.get(), static_cast<jlong>(snapshot));
    TakeException(env, true);
  }

 private:
  JavaObject object_;
};

// The same for one transaction, which owns this.
class NotifierOfTransaction : public TransactionNotifier {
 public:
  NotifierOfTransaction(std::shared_ptr<JavaNotifier> notifier,
                        const std::shared_ptr<OpenTransaction>& transaction)
      : notifier_(std::move(notifier)), transaction_(transaction) {}

  void SnapshotCreated(const Snapshot*) override {
    const std::shared_ptr<OpenTransaction> transaction = transaction_.lock();
    if (transaction == nullptr) return;
    DropOldSnapshot(*transaction);
    notifier_->Tell(SnapshotOf(transaction));
  }

 private:
  std::shared_ptr<JavaNotifier> notifier_;
  std::weak_ptr<OpenTransaction> transaction_;
};

// The write options of a transaction, in place.
class TransactionWriteOptions : public StructObject {
 public:
  explicit TransactionWriteOptions(std::shared_ptr<OpenTransaction> transaction)
      : transaction_(std::move(transaction)) {}
  const TypeTag* Tag() const override { return &StructObject::kTag; }
  void* StructOf(const std::type_info& type) override {
    return type == typeid(WriteOptions) ? transaction_->rep->GetWriteOptions()
                                        : nullptr;
  }

 private:
  std::shared_ptr<OpenTransaction> transaction_;
};

// Options of a struct, or defaults for 0.
template <class T>
T OptionsOr(Handle handle) {
  return handle == 0 ? T() : *PinStruct<T>(handle);
}

Transaction* BeginOn(const OpenDatabase& database, const WriteOptions& write,
                     Handle options, Transaction* old) {
  if (database.transactions != nullptr) {
    return database.transactions->BeginTransaction(
        write, OptionsOr<TransactionOptions>(options), old);
  }
  if (database.optimistic != nullptr) {
    return database.optimistic->BeginTransaction(
        write, OptionsOr<OptimisticTransactionOptions>(options), old);
  }
  Fail(Wrong::kState, "the database has no transactions");
}

TransactionDB& TransactionsOf(const Pin<Database>& database) {
  if (database->open->transactions == nullptr) {
    Fail(Wrong::kState, "the database is no TransactionDB");
  }
  return *database->open->transactions;
}

// The numbers of Transactions.java.
enum class TransactionStep {
  kPrepare,
  kCommit,
  kRollback,
  kSetSavePoint,
  kRollbackToSavePoint,
  kSetSnapshot,
  kClearSnapshot,
  kDisableIndexing,
  kEnableIndexing
};

Status RunTransactionStep(Transaction* txn, TransactionStep step) {
  switch (step) {
    case TransactionStep::kPrepare:
      return txn->Prepare();
    case TransactionStep::kCommit:
      return txn->Commit();
    case TransactionStep::kRollback:
      return txn->Rollback();
    case TransactionStep::kSetSavePoint:
      txn->SetSavePoint();
      return Status::OK();
    case TransactionStep::kRollbackToSavePoint:
      return txn->RollbackToSavePoint();
    case TransactionStep::kSetSnapshot:
      txn->SetSnapshot();
      return Status::OK();
    case TransactionStep::kClearSnapshot:
      txn->ClearSnapshot();
      return Status::OK();
    case TransactionStep::kDisableIndexing:
      txn->DisableIndexing();
      return Status::OK();
    case TransactionStep::kEnableIndexing:
      txn->EnableIndexing();
      return Status::OK();
  }
  return Status::InvalidArgument("no such step");
}

enum class TransactionFigure {
  kKeys,
  kPuts,
  kDeletes,
  kMerges,
  kElapsed,
  kLogNumber,
  kId,
  kCommitId,
  kDeadlockDetect,
  kState
};

uint64_t TransactionFigureOf(Transaction* txn, TransactionFigure figure) {
  switch (figure) {
    case TransactionFigure::kKeys:
      return txn->GetNumKeys();
    case TransactionFigure::kPuts:
      return txn->GetNumPuts();
    case TransactionFigure::kDeletes:
      return txn->GetNumDeletes();
    case TransactionFigure::kMerges:
      return txn->GetNumMerges();
    case TransactionFigure::kElapsed:
      return txn->GetElapsedTime();
    case TransactionFigure::kLogNumber:
      return txn->GetLogNumber();
    case TransactionFigure::kId:
      return txn->GetID();
    case TransactionFigure::kCommitId:
      return txn->GetId();
    case TransactionFigure::kDeadlockDetect:
      return txn->IsDeadlockDetect() ? 1 : 0;
    case TransactionFigure::kState:
      return static_cast<uint64_t>(txn->GetState());
  }
  Fail(Wrong::kArgument, "no such figure");
}

void PackIds(Packer& out, const std::vector<TransactionID>& ids) {
  out.Int(ids.size());
  for (const TransactionID id : ids) out.Long(id);
}

// A child of a transaction that is no Child itself.
template <class T, class... Args>
Handle PublishFor(OpenTransaction& transaction, Args&&... args) {
  const Handle handle = PublishNew<T>(std::forward<Args>(args)...);
  transaction.children.Add(handle);
  return handle;
}

}  // namespace

// Kept by the options of a transaction that is to tell of its snapshot.
template <>
inline constexpr TypeTag Shared<JavaNotifier>::kTag{"TransactionNotifier",
                                                    nullptr};

void PublishRecovered(const std::shared_ptr<OpenDatabase>& database) {
  std::vector<Transaction*> recovered;
  database->transactions->GetAllPreparedTransactions(&recovered);
  for (Transaction* txn : recovered) {
    const std::string name = txn->GetName();
    database->named.Add(name,
                        Child::Publish(std::make_unique<TransactionObject>(
                            std::make_shared<OpenTransaction>(database, txn))));
  }
}

NATIVE(jlong, Transactions, begin, jlong database, jlong write, jlong options,
       jlong old) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    WriteSettings settings(write);
    if (old != 0) {
      TransactionCall again(old);
      if (again.txn()->open != db->open) {
        Fail(Wrong::kArgument, "the Transaction is of another database");
      }
      again.object().ForgetName();
      BeginOn(*db->open, *settings, options, again.txn()->rep.get());
      return old;
    }
    Transaction* begun = BeginOn(*db->open, *settings, options, nullptr);
    return Child::Publish(std::make_unique<TransactionObject>(
        std::make_shared<OpenTransaction>(db->open, begun)));
  });
}

NATIVE(void, Transactions, run, jlong handle, jint step) {
  Run(env, [&] {
    TransactionCall txn(handle);
    Check(RunTransactionStep(txn.txn()->rep.get(),
                             static_cast<TransactionStep>(step)));
  });
}

NATIVE(jlong, Transactions, number, jlong handle, jint figure) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    return static_cast<jlong>(TransactionFigureOf(
        txn.txn()->rep.get(), static_cast<TransactionFigure>(figure)));
  });
}

NATIVE(jlong, Transactions, notifier, jobject notifier) {
  return Run(env, [&]() -> jlong {
    return Share(std::make_shared<JavaNotifier>(env, notifier));
  });
}

NATIVE(void, Transactions, snapshotOnNext, jlong handle, jlong notifier) {
  Run(env, [&] {
    TransactionCall txn(handle);
    Pin<Shared<JavaNotifier>> told(notifier, true);
    txn->SetSnapshotOnNextOperation(
        told ? std::make_shared<NotifierOfTransaction>(told->rep, txn.txn())
             : nullptr);
  });
}

NATIVE(jlong, Transactions, snapshot, jlong handle) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    return SnapshotOf(txn.txn());
  });
}

NATIVE(void, Transactions, setLockTimeout, jlong handle, jlong milliseconds) {
  Run(env, [&] { TransactionCall(handle)->SetLockTimeout(milliseconds); });
}

NATIVE(void, Transactions, setLogNumber, jlong handle, jlong number) {
  Run(env, [&] {
    TransactionCall(handle)->SetLogNumber(static_cast<uint64_t>(number));
  });
}

NATIVE(void, Transactions, setName, jlong handle, jbyteArray name) {
  Run(env, [&] {
    TransactionCall txn(handle);
    Check(txn.object().SetName(TextOf(env, name)));
  });
}

NATIVE(jbyteArray, Transactions, name, jlong handle) {
  return Run(env,
             [&] { return NewArray(env, TransactionCall(handle)->GetName()); });
}

NATIVE(jbyteArray, Transactions, waiting, jlong handle) {
  return Run(env, [&] {
    TransactionCall txn(handle);
    uint32_t family = 0;
    std::string key;
    const std::vector<TransactionID> ids = txn->GetWaitingTxns(&family, &key);
    Packer out;
    out.Long(family);
    out.Text(key);
    PackIds(out, ids);
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, Transactions, undoGetForUpdate, jlong handle, jlong family,
       jbyteArray key) {
  Run(env, [&] {
    TransactionCall txn(handle);
    txn->UndoGetForUpdate(FamilyOf(txn.database(), family), BytesOf(env, key));
  });
}

NATIVE(void, Transactions, rebuild, jlong handle, jlong batch) {
  Run(env, [&] {
    TransactionCall txn(handle);
    Check(txn->RebuildFromWriteBatch(Pin<BatchObject>(batch)->rep));
  });
}

NATIVE(jlong, Transactions, indexedBatch, jlong handle) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    const std::shared_ptr<OpenTransaction>& open = txn.txn();
    if (open->indexed_batch == 0) {
      open->indexed_batch = PublishFor<IndexedObject>(
          *open, std::shared_ptr<WriteBatchWithIndex>(
                     open, open->rep->GetWriteBatch()));
    }
    return open->indexed_batch;
  });
}

NATIVE(jlong, Transactions, commitTimeBatch, jlong handle) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    const std::shared_ptr<OpenTransaction>& open = txn.txn();
    if (open->commit_time_batch == 0) {
      open->commit_time_batch = PublishFor<BatchObject>(
          *open, open->rep->GetCommitTimeWriteBatch(), open);
    }
    return open->commit_time_batch;
  });
}

NATIVE(jlong, Transactions, writeOptions, jlong handle) {
  return Run(env, [&]() -> jlong {
    TransactionCall txn(handle);
    const std::shared_ptr<OpenTransaction>& open = txn.txn();
    if (open->write_options == 0) {
      open->write_options = PublishFor<TransactionWriteOptions>(*open, open);
    }
    return open->write_options;
  });
}

NATIVE(void, Transactions, setWriteOptions, jlong handle, jlong options) {
  Run(env, [&] {
    TransactionCall txn(handle);
    const WriteOptions given = *WriteSettings(options);
    txn->SetWriteOptions(given);
  });
}

NATIVE(jlong, Transactions, byName, jlong database, jbyteArray name) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    const std::string wanted = TextOf(env, name);
    // The engine forgets names at commits.
    if (TransactionsOf(db).GetTransactionByName(wanted) == nullptr) return 0;
    return db->open->named.Find(wanted);
  });
}

NATIVE(jlongArray, Transactions, prepared, jlong database) {
  return Run(env, [&] {
    Pin<Database> db(database);
    TransactionsOf(db);
    std::vector<int64_t> handles;
    for (const Handle handle : db->open->named.All()) {
      HandleSlot* slot = PinSlot(handle);
      if (slot == nullptr) continue;
      const auto* object = static_cast<TransactionObject*>(slot->object);
      if (object->txn->rep->GetState() == Transaction::PREPARED) {
        handles.push_back(handle);
      }
      UnpinSlot(slot);
    }
    return NewLongs(env, handles);
  });
}

NATIVE(jbyteArray, Transactions, locks, jlong database) {
  return Run(env, [&] {
    Pin<Database> db(database);
    const auto locks = TransactionsOf(db).GetLockStatusData();
    Packer out;
    out.Int(locks.size());
    for (const auto& [family, lock] : locks) {
      out.Long(family);
      out.Text(lock.key);
      PackIds(out, lock.ids);
      out.Bool(lock.exclusive);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, Transactions, deadlocks, jlong database) {
  return Run(env, [&] {
    Pin<Database> db(database);
    const auto paths = TransactionsOf(db).GetDeadlockInfoBuffer();
    Packer out;
    out.Int(paths.size());
    for (const DeadlockPath& path : paths) {
      out.Bool(path.limit_exceeded);
      out.Int(path.path.size());
      for (const DeadlockInfo& info : path.path) {
        out.Long(info.m_txn_id);
        out.Long(info.m_cf_id);
        out.Text(info.m_waiting_key);
        out.Bool(info.m_exclusive);
      }
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(void, Transactions, setDeadlockBufferSize, jlong database, jint size) {
  Run(env, [&] {
    if (size < 0) Fail(Wrong::kArgument, "the size is less than 0");
    Pin<Database> db(database);
    TransactionsOf(db).SetDeadlockInfoBufferSize(static_cast<uint32_t>(size));
  });
}

// The database that an optimistic one stands on; it ends with that.
NATIVE(jlong, Transactions, base, jlong database) {
  return Run(env, [&]() -> jlong {
    Pin<Database> db(database);
    if (db->open->optimistic == nullptr) {
      Fail(Wrong::kState, "the database is no OptimisticTransactionDB");
    }
    const Handle base =
        PublishNew<Database>(db->open, db->open->optimistic->GetBaseDB());
    db->open->children.Add(base);
    return base;
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
