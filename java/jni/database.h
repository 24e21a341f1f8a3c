// Databases and what they hand out.
//
// A database is open as long as something uses it; Java's close() ends all
// that it handed out, which then answers "closed", and waits until the last
// call that was under way has returned. One may wait for a compaction of
// another process: the service is told before. A close from inside a callback
// cannot wait for its own thread: the database closes when the callback has
// returned. A thread of the engine's never closes one: the engine's Close()
// waits for it.
#pragma once

#include <condition_variable>
#include <map>
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

// Handles of the transactions of a database that have a name. The engine knows
// such a transaction by its address alone, which says nothing of whether it
// is still there.
class NamedTransactions {
 public:
  void Add(const std::string& name, Handle transaction);
  // Unless the name is another one's by now.
  void Remove(const std::string& name, Handle transaction);
  // 0 if there is none.
  Handle Find(const std::string& name);
  std::vector<Handle> All();

 private:
  std::mutex mutex_;
  std::map<std::string, Handle> handles_;
};

// An open database. What it handed out holds it. ShareOpen() makes it.
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
  NamedTransactions named;
  Children children;
  // The handle of the one family of a database that was opened without a list.
  ColumnFamilyHandle* default_family = nullptr;
  // What the options point to.
  std::vector<Kept> kept;
  // Has compactions that calls may wait for; null: none.
  std::shared_ptr<CompactionService> service;
  // Told when it is closed, with how that ended.
  std::shared_ptr<class CloseReport> report;

 private:
  std::mutex kept_mutex_;
};

// A thread of the engine's that lets the last reference go, in a callback or
// behind it, leaves the end to a new thread.
std::shared_ptr<OpenDatabase> ShareOpen(std::unique_ptr<DB> opened);

// The database that the engine hands out as `db`; null before Java has it, and
// when it ends.
std::shared_ptr<OpenDatabase> FindOpen(DB* db);

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
  // `view` is what Java sees of it; null: all of it.
  explicit Database(std::shared_ptr<OpenDatabase> database, DB* view = nullptr)
      : open(std::move(database)), view_(view) {}
  const TypeTag* Tag() const override { return &kTag; }
  DB* db() const { return view_ != nullptr ? view_ : open->db.get(); }

  std::shared_ptr<OpenDatabase> open;

 private:
  DB* view_;
};

// An object that ends with what it came from, at the latest.
class Child : public Object {
 public:
  explicit Child(std::shared_ptr<Children> siblings)
      : siblings_(std::move(siblings)) {}
  ~Child() override;
  // Publishes a child, which its parent then knows.
  static Handle Publish(std::unique_ptr<Child> child);

 protected:
  Handle handle() const { return handle_; }

 private:
  std::shared_ptr<Children> siblings_;
  Handle handle_ = 0;
};

// The children of what the pointer holds, which holds it too.
template <class Parent>
std::shared_ptr<Children> ChildrenOf(const std::shared_ptr<Parent>& parent) {
  return std::shared_ptr<Children>(parent, &parent->children);
}

// An object that a database handed out.
class DatabaseChild : public Child {
 public:
  explicit DatabaseChild(const std::shared_ptr<OpenDatabase>& database)
      : Child(ChildrenOf(database)), open(database) {}

  std::shared_ptr<OpenDatabase> open;
};

// What a family answers of itself, though it may take no calls.
class FamilyFacts : public DatabaseChild {
 public:
  static constexpr TypeTag kTag{"ColumnFamilyHandle", nullptr};
  FamilyFacts(const std::shared_ptr<OpenDatabase>& database,
              std::shared_ptr<ColumnFamilyHandle> handle)
      : DatabaseChild(database), shared(std::move(handle)), rep(shared.get()) {}

  // Shared with iterators that ask it for its merge operator.
  std::shared_ptr<ColumnFamilyHandle> shared;
  ColumnFamilyHandle* rep;
};

class Family : public FamilyFacts {
 public:
  static constexpr TypeTag kTag{"ColumnFamilyHandle", &FamilyFacts::kTag};
  Family(const std::shared_ptr<OpenDatabase>& database,
         ColumnFamilyHandle* handle, bool is_owned);
  const TypeTag* Tag() const override { return &kTag; }
};

class SnapshotObject : public Child {
 public:
  static constexpr TypeTag kTag{"Snapshot", nullptr};
  // One that somebody else releases, and that `owner` keeps.
  SnapshotObject(std::shared_ptr<Children> siblings, const Snapshot* snapshot,
                 std::shared_ptr<const void> owner)
      : Child(std::move(siblings)),
        rep(std::move(owner), snapshot),
        is_borrowed(true) {}
  // One that is released with the last that holds it.
  SnapshotObject(const std::shared_ptr<OpenDatabase>& database,
                 const Snapshot* snapshot);
  const TypeTag* Tag() const override { return &kTag; }

  std::shared_ptr<const Snapshot> rep;
  const bool is_borrowed;
};

class IteratorObject : public Child {
 public:
  static constexpr TypeTag kTag{"iterator", nullptr};
  IteratorObject(std::shared_ptr<Children> siblings,
                 std::shared_ptr<OpenDatabase> database)
      : Child(std::move(siblings)), open(std::move(database)) {}
  ~IteratorObject() override { rep.reset(); }
  const TypeTag* Tag() const override { return &kTag; }

  // The options of a read as the iterator has them: what they point to lives
  // as long as it does.
  const ReadOptions& Keep(const ReadSettings& settings);

  // Null if it reads none.
  std::shared_ptr<OpenDatabase> open;
  // What it points to: options, a family, a batch, a transaction, a file.
  std::vector<std::shared_ptr<const void>> sources;
  // Whether Java may have entries before it asks for them.
  bool may_read_ahead = false;
  std::unique_ptr<Iterator> rep;
};

// Whether the entries behind the present one of a database or a table file are
// now what they will be when Java asks for them.
inline bool MayReadAhead(const ReadOptions& options) {
  return !options.tailing && options.iter_start_ts == nullptr &&
         !options.allow_unprepared_value;
}

class BatchObject : public Object {
 public:
  static constexpr TypeTag kTag{"WriteBatch", nullptr};
  explicit BatchObject(WriteBatch batch)
      : own(std::move(batch)), rep(&own), whole(&own) {}
  // One that belongs to another object: to `indexed`, if that is given.
  BatchObject(WriteBatch* batch, std::shared_ptr<const void> holder,
              WriteBatchBase* indexed = nullptr)
      : rep(batch),
        whole(indexed != nullptr ? indexed : batch),
        owner(std::move(holder)) {}
  const TypeTag* Tag() const override { return &kTag; }

  WriteBatch own;
  WriteBatch* rep;
  // What takes updates out of it, and out of an index if there is one.
  WriteBatchBase* whole;
  std::shared_ptr<const void> owner;
};

// The family for a call on `database`: that of the handle, or for 0 the
// default one. A family of another database is refused.
class FamilyOf {
 public:
  FamilyOf(const OpenDatabase& database, Handle family);
  ColumnFamilyHandle* get() const { return rep_; }
  operator ColumnFamilyHandle*() const { return rep_; }
  // Keeps the handle alive when it is closed; null for the default family,
  // which the database keeps.
  std::shared_ptr<const void> Keep() const {
    return pin_ ? pin_->shared : nullptr;
  }

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
// that of the database, then those of the families. If a callback threw in the
// open, all of them end instead.
std::vector<int64_t> PublishDatabase(
    std::shared_ptr<OpenDatabase> database,
    const std::vector<ColumnFamilyHandle*>& families);

Handle PublishFamily(const std::shared_ptr<OpenDatabase>& database,
                     ColumnFamilyHandle* handle);

// The transactions that the database found prepared when it was opened, for
// Java to ask for by name.
void PublishRecovered(const std::shared_ptr<OpenDatabase>& database);

// Closes a database as the header says.
Status CloseDatabase(Handle handle);

}  // namespace ROCKSDB_NAMESPACE::jni
