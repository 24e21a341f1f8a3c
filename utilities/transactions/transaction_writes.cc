// TransactionBase: the calls that write.
#include <map>

#include "db/write/transaction_port.h"
#include "rocksdb/db.h"
#include "util/ignore_error.h"
#include "util/value/wide_columns_coding.h"
#include "utilities/transactions/transaction_base.h"

namespace ROCKSDB_NAMESPACE {

template <class Add>
Status TransactionBase::Write(ColumnFamilyHandle* family, const Slice& key,
                              Conflicts conflicts, uint64_t* count,
                              const Add& add) {
  Status s = BeforeUpdate();
  if (!s.ok()) return s;
  s = TryLock({.family = Known(family),
               .key = key,
               .validates = conflicts == Conflicts::kLookFor,
               .assumes_tracked = conflicts == Conflicts::kAssumeTracked});
  if (!s.ok()) return s;
  WriteBatchBase* const to =
      is_indexing_ ? static_cast<WriteBatchBase*>(&batch_)
                   : static_cast<WriteBatchBase*>(batch_.GetWriteBatch());
  s = add(to, Known(family));
  if (s.ok()) ++*count;
  return s;
}

// --- One key and value

Status TransactionBase::Put(ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& value, const bool assume_tracked) {
  return Write(column_family, key, TrackedIf(assume_tracked), &counts_.puts,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Put(family, key, value);
               });
}

Status TransactionBase::Put(const Slice& key, const Slice& value) {
  return Put(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::PutUntracked(ColumnFamilyHandle* column_family,
                                     const Slice& key, const Slice& value) {
  return Write(column_family, key, Conflicts::kPassOver, &counts_.puts,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Put(family, key, value);
               });
}

Status TransactionBase::PutUntracked(const Slice& key, const Slice& value) {
  return PutUntracked(nullptr, key, value);
}

Status TransactionBase::PutEntity(ColumnFamilyHandle* column_family,
                                  const Slice& key, const WideColumns& columns,
                                  bool assume_tracked) {
  if (column_family == nullptr) {
    return Status::InvalidArgument(
        "Cannot call PutEntity without a column family handle");
  }
  return Write(column_family, key, TrackedIf(assume_tracked), &counts_.entities,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->PutEntity(family, key, columns);
               });
}

Status TransactionBase::PutEntityUntracked(ColumnFamilyHandle* column_family,
                                           const Slice& key,
                                           const WideColumns& columns) {
  if (column_family == nullptr) {
    return Status::InvalidArgument(
        "Cannot call PutEntityUntracked without a column family handle");
  }
  return Write(column_family, key, Conflicts::kPassOver, &counts_.entities,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->PutEntity(family, key, columns);
               });
}

Status TransactionBase::Merge(ColumnFamilyHandle* column_family,
                              const Slice& key, const Slice& value,
                              const bool assume_tracked) {
  return Write(column_family, key, TrackedIf(assume_tracked), &counts_.merges,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Merge(family, key, value);
               });
}

Status TransactionBase::Merge(const Slice& key, const Slice& value) {
  return Merge(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::MergeUntracked(ColumnFamilyHandle* column_family,
                                       const Slice& key, const Slice& value) {
  return Write(column_family, key, Conflicts::kPassOver, &counts_.merges,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Merge(family, key, value);
               });
}

Status TransactionBase::MergeUntracked(const Slice& key, const Slice& value) {
  return MergeUntracked(nullptr, key, value);
}

// --- Deletions

Status TransactionBase::Delete(ColumnFamilyHandle* column_family,
                               const Slice& key, const bool assume_tracked) {
  return Write(column_family, key, TrackedIf(assume_tracked), &counts_.deletes,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Delete(family, key);
               });
}

Status TransactionBase::Delete(const Slice& key) {
  return Delete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::DeleteUntracked(ColumnFamilyHandle* column_family,
                                        const Slice& key) {
  return Write(column_family, key, Conflicts::kPassOver, &counts_.deletes,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->Delete(family, key);
               });
}

Status TransactionBase::DeleteUntracked(const Slice& key) {
  return DeleteUntracked(nullptr, key);
}

Status TransactionBase::SingleDelete(ColumnFamilyHandle* column_family,
                                     const Slice& key,
                                     const bool assume_tracked) {
  return Write(column_family, key, TrackedIf(assume_tracked), &counts_.deletes,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->SingleDelete(family, key);
               });
}

Status TransactionBase::SingleDelete(const Slice& key) {
  return SingleDelete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::SingleDeleteUntracked(ColumnFamilyHandle* column_family,
                                              const Slice& key) {
  return Write(column_family, key, Conflicts::kPassOver, &counts_.deletes,
               [&](WriteBatchBase* to, ColumnFamilyHandle* family) {
                 return to->SingleDelete(family, key);
               });
}

Status TransactionBase::SingleDeleteUntracked(const Slice& key) {
  return SingleDeleteUntracked(nullptr, key);
}

// --- Keys and values in pieces: a lock needs the key as a whole

Status TransactionBase::Put(ColumnFamilyHandle* column_family,
                            const SliceParts& key, const SliceParts& value,
                            const bool assume_tracked) {
  std::string whole_key, whole_value;
  return Put(column_family, Slice(key, &whole_key), Slice(value, &whole_value),
             assume_tracked);
}

Status TransactionBase::Put(const SliceParts& key, const SliceParts& value) {
  return Put(nullptr, key, value, /*assume_tracked=*/false);
}

Status TransactionBase::PutUntracked(ColumnFamilyHandle* column_family,
                                     const SliceParts& key,
                                     const SliceParts& value) {
  std::string whole_key, whole_value;
  return PutUntracked(column_family, Slice(key, &whole_key),
                      Slice(value, &whole_value));
}

Status TransactionBase::PutUntracked(const SliceParts& key,
                                     const SliceParts& value) {
  return PutUntracked(nullptr, key, value);
}

Status TransactionBase::Delete(ColumnFamilyHandle* column_family,
                               const SliceParts& key,
                               const bool assume_tracked) {
  std::string whole;
  return Delete(column_family, Slice(key, &whole), assume_tracked);
}

Status TransactionBase::Delete(const SliceParts& key) {
  return Delete(nullptr, key, /*assume_tracked=*/false);
}

Status TransactionBase::DeleteUntracked(ColumnFamilyHandle* column_family,
                                        const SliceParts& key) {
  std::string whole;
  return DeleteUntracked(column_family, Slice(key, &whole));
}

Status TransactionBase::DeleteUntracked(const SliceParts& key) {
  return DeleteUntracked(nullptr, key);
}

Status TransactionBase::SingleDelete(ColumnFamilyHandle* column_family,
                                     const SliceParts& key,
                                     const bool assume_tracked) {
  std::string whole;
  return SingleDelete(column_family, Slice(key, &whole), assume_tracked);
}

Status TransactionBase::SingleDelete(const SliceParts& key) {
  return SingleDelete(nullptr, key, /*assume_tracked=*/false);
}

void TransactionBase::PutLogData(const Slice& blob) {
  IgnoreError(batch_.PutLogData(blob), "the call has no status");
}

// --- From a batch

namespace {

// Does with a transaction what a batch says.
class BatchRebuilder final : public WriteBatch::Handler {
 public:
  BatchRebuilder(Transaction* txn, TransactionPort* port)
      : txn_(txn), port_(port) {}

  Status PutCF(uint32_t id, const Slice& key, const Slice& value) override {
    return With(id, key, [&](ColumnFamilyHandle* family, const Slice& plain) {
      return txn_->Put(family, plain, value);
    });
  }
  Status PutEntityCF(uint32_t id, const Slice& key,
                     const Slice& entity) override {
    WideColumns columns;
    Status s = DecodeWideColumns(entity, &columns);
    if (!s.ok()) return s;
    return With(id, key, [&](ColumnFamilyHandle* family, const Slice& plain) {
      return txn_->PutEntity(family, plain, columns);
    });
  }
  Status DeleteCF(uint32_t id, const Slice& key) override {
    return With(id, key, [&](ColumnFamilyHandle* family, const Slice& plain) {
      return txn_->Delete(family, plain);
    });
  }
  Status SingleDeleteCF(uint32_t id, const Slice& key) override {
    return With(id, key, [&](ColumnFamilyHandle* family, const Slice& plain) {
      return txn_->SingleDelete(family, plain);
    });
  }
  Status MergeCF(uint32_t id, const Slice& key, const Slice& value) override {
    return With(id, key, [&](ColumnFamilyHandle* family, const Slice& plain) {
      return txn_->Merge(family, plain, value);
    });
  }
  Status MarkNoop(bool /*empty_batch*/) override { return Status::OK(); }
  Status MarkBeginPrepare(bool /*unprepared*/) override { return Marker(); }
  Status MarkEndPrepare(const Slice& /*xid*/) override { return Marker(); }
  Status MarkCommit(const Slice& /*xid*/) override { return Marker(); }
  Status MarkCommitWithTimestamp(const Slice& /*xid*/,
                                 const Slice& /*ts*/) override {
    return Marker();
  }
  Status MarkRollback(const Slice& /*xid*/) override { return Marker(); }

 private:
  static Status Marker() {
    return Status::InvalidArgument(
        "a batch with markers of transactions cannot be rebuilt from");
  }

  template <class Call>
  Status With(uint32_t id, const Slice& key, const Call& call) {
    std::unique_ptr<ColumnFamilyHandle>& handle = handles_[id];
    if (handle == nullptr) handle = port_->HandleOf(id);
    if (handle == nullptr) {
      return Status::InvalidArgument(
          "Invalid column family specified in write batch",
          "there is none with id " + std::to_string(id));
    }
    // What ends a key of a family with timestamps is a place for one.
    const size_t timestamp_size = handle->GetComparator()->timestamp_size();
    if (key.size() < timestamp_size) {
      return Status::Corruption("write batch", "a key without its timestamp");
    }
    return call(handle.get(), Slice(key.data(), key.size() - timestamp_size));
  }

  Transaction* const txn_;
  TransactionPort* const port_;
  std::map<uint32_t, std::unique_ptr<ColumnFamilyHandle>> handles_;
};

}  // namespace

Status TransactionBase::RebuildFromWriteBatch(WriteBatch* src_batch) {
  if (src_batch == nullptr) {
    return Status::InvalidArgument("Batch is nullptr!");
  }
  if (src_batch->HasDeleteRange()) {
    return Status::InvalidArgument("DeleteRangeCF not implemented");
  }
  if (src_batch->HasTimedPut()) {
    return Status::InvalidArgument("TimedPut in a transaction");
  }
  BatchRebuilder rebuilder(this, port_);
  return src_batch->Iterate(&rebuilder);
}

}  // namespace ROCKSDB_NAMESPACE
