// Databases and what they hand out.
//
// A database is open as long as something uses it; Java's close() ends all
// that it handed out, which then answers "closed", and waits until the last
// call that was under way has returned. A close from inside a callback cannot
// wait for its own thread: the database closes when that call returns.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "java/jni/values.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE {
class OptimisticTransactionDB;
class TransactionDB;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::jni {

// Handles that end with their parent.
class Children {
 public:
  void Add(Handle child);
  void Remove(Handle child);
  void CloseAll();

 private:
  std::mutex mutex_;
  std::set<Handle> handles_;
  bool is_closed_ = false;
};

// An open database. What it handed out holds it.
struct OpenDatabase {
  explicit OpenDatabase(std::unique_ptr<DB> opened) : db(std::move(opened)) {}
  ~OpenDatabase();
  OpenDatabase(const OpenDatabase&) = delete;
  OpenDatabase& operator=(const OpenDatabase&) = delete;

  // What families point to stays as long as the database, or whoever has the
  // result of the second.
  void KeepAlive(const Kept& more);
  std::shared_ptr<const void> KeptByFamilies();

  std::unique_ptr<DB> db;
  TransactionDB* transactions = nullptr;
  OptimisticTransactionDB* optimistic = nullptr;
  Children children;
  // The handle of the one family of a database that was opened without a list.
  ColumnFamilyHandle* default_family = nullptr;
  // What the options point to.
  std::vector<Kept> kept;
  // Told when it is closed, with how that ended.
  std::shared_ptr<class CloseReport> report;

 private:
  std::mutex kept_mutex_;
};

class CloseReport {
 public:
  void Tell(const Status& status);
  Status Wait();

 private:
  std::mutex mutex_;
  std::condition_variable told_;
  bool is_told_ = false;
  Status status_;
};

class Database : public Object {
 public:
  static constexpr TypeTag kTag{"RocksDB", nullptr};
  explicit Database(std::shared_ptr<OpenDatabase> database)
      : open(std::move(database)) {}
  const TypeTag* Tag() const override { return &kTag; }
  DB* db() const { return open->db.get(); }

  std::shared_ptr<OpenDatabase> open;
};

// An object that a database handed out: it ends with it.
class Child : public Object {
 public:
  explicit Child(std::shared_ptr<OpenDatabase> database)
      : open(std::move(database)) {}
  ~Child() override;
  // Publishes a child, which its database then knows.
  static Handle Publish(std::unique_ptr<Child> child);

  std::shared_ptr<OpenDatabase> open;

 private:
  Handle handle_ = 0;
};

class Family : public Child {
 public:
  static constexpr TypeTag kTag{"ColumnFamilyHandle", nullptr};
  Family(std::shared_ptr<OpenDatabase> database, ColumnFamilyHandle* handle,
         bool owned)
      : Child(std::move(database)), rep(handle), is_owned(owned) {}
  ~Family() override;
  const TypeTag* Tag() const override { return &kTag; }

  ColumnFamilyHandle* rep;
  bool is_owned;
};

class SnapshotObject : public Child {
 public:
  static constexpr TypeTag kTag{"Snapshot", nullptr};
  // Released with this, unless a transaction owns it.
  SnapshotObject(std::shared_ptr<OpenDatabase> database,
                 const Snapshot* snapshot, std::shared_ptr<const void> owner)
      : Child(std::move(database)), rep(snapshot), owner_(std::move(owner)) {}
  ~SnapshotObject() override;
  const TypeTag* Tag() const override { return &kTag; }

  const Snapshot* rep;

 private:
  std::shared_ptr<const void> owner_;
};

// Bytes of a read that its iterator points to.
using KeptRead = std::shared_ptr<Value<ReadOptions>>;

class IteratorObject : public Child {
 public:
  static constexpr TypeTag kTag{"iterator", nullptr};
  IteratorObject(std::shared_ptr<OpenDatabase> database, KeptRead read)
      : Child(std::move(database)), kept_read(std::move(read)) {}
  ~IteratorObject() override { rep.reset(); }
  const TypeTag* Tag() const override { return &kTag; }

  KeptRead kept_read;
  // What it reads from beside the database: a batch, a transaction, a file.
  std::shared_ptr<const void> source;
  std::unique_ptr<Iterator> rep;
};

class BatchObject : public Object {
 public:
  static constexpr TypeTag kTag{"WriteBatch", nullptr};
  explicit BatchObject(WriteBatch batch) : own(std::move(batch)), rep(&own) {}
  // One that belongs to another object.
  BatchObject(WriteBatch* batch, std::shared_ptr<const void> holder)
      : rep(batch), owner(std::move(holder)) {}
  const TypeTag* Tag() const override { return &kTag; }

  WriteBatch own;
  WriteBatch* rep;
  std::shared_ptr<const void> owner;
};

// The family for a call on `database`: that of the handle, or for 0 the
// default one. A family of another database is refused.
class FamilyOf {
 public:
  FamilyOf(const OpenDatabase& database, Handle family);
  ColumnFamilyHandle* get() const { return rep_; }
  operator ColumnFamilyHandle*() const { return rep_; }

 private:
  Pin<Family> pin_;
  ColumnFamilyHandle* rep_;
};

// The options of one write, or defaults for 0.
class WriteSettings {
 public:
  explicit WriteSettings(Handle handle) : object_(handle, true) {
    static const WriteOptions defaults;
    options_ = object_ ? object_->Struct<WriteOptions>() : &defaults;
    if (options_ == nullptr) {
      Fail(Wrong::kArgument, "an options object of another kind");
    }
  }
  const WriteOptions& operator*() const { return *options_; }

 private:
  Pin<StructObject> object_;
  const WriteOptions* options_;
};

// A database that was opened, and the handles of its families, for Java: first
// that of the database, then those of the families.
std::vector<int64_t> PublishDatabase(
    std::shared_ptr<OpenDatabase> database,
    const std::vector<ColumnFamilyHandle*>& families);

Handle PublishFamily(const std::shared_ptr<OpenDatabase>& database,
                     ColumnFamilyHandle* handle);

// Closes a database as the header says.
Status CloseDatabase(Handle handle);

}  // namespace ROCKSDB_NAMESPACE::jni
