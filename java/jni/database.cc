#include "java/jni/database.h"

#include <exception>
#include <thread>
#include <utility>

#include "java/jni/java_machine.h"
#include "java/jni/lent_objects.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The databases that Java has, by what the engine hands to listeners.
class OpenDatabases {
 public:
  void Add(const std::shared_ptr<OpenDatabase>& database) {
    std::lock_guard<std::mutex> lock(mutex_);
    databases_[database->db->GetRootDB()] = database;
  }
  void Remove(DB* root) {
    std::lock_guard<std::mutex> lock(mutex_);
    databases_.erase(root);
  }
  std::shared_ptr<OpenDatabase> Find(DB* root) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = databases_.find(root);
    return found != databases_.end() ? found->second.lock() : nullptr;
  }

 private:
  std::mutex mutex_;
  std::map<DB*, std::weak_ptr<OpenDatabase>> databases_;
};

// It is never ended: databases may close later.
OpenDatabases& AllOpen() {
  static auto* all = std::make_unique<OpenDatabases>().release();
  return *all;
}

void EndHere(OpenDatabase* database) {
  const std::unique_ptr<OpenDatabase> ended(database);
}

// Nobody waits for the new thread. The library stays loaded for it: Classes()
// has references to Java's classes. If there is no thread to be had, the
// database stays open: to close it here would wait for ever.
void EndElsewhere(OpenDatabase* database) {
  try {
    std::thread(EndHere, database).detach();
  } catch (const std::exception& error) {
    if (database->report == nullptr) return;
    database->report->Tell(
        Status::Aborted("no thread to close the database on", error.what()));
  }
}

void End(OpenDatabase* database) {
  if (IsEngineThread()) {
    EndElsewhere(database);
  } else {
    EndHere(database);
  }
}

}  // namespace

std::shared_ptr<OpenDatabase> ShareOpen(std::unique_ptr<DB> opened) {
  auto database = std::make_unique<OpenDatabase>(std::move(opened));
  return std::shared_ptr<OpenDatabase>(database.release(), End);
}

std::shared_ptr<OpenDatabase> FindOpen(DB* db) {
  // A compaction for another process has no database to hand out.
  return db != nullptr ? AllOpen().Find(db->GetRootDB()) : nullptr;
}

void Children::Add(Handle child) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!is_closed_) {
      handles_.insert(child);
      return;
    }
  }
  CloseHandle(child);
}

void Children::Remove(Handle child) {
  std::lock_guard<std::mutex> lock(mutex_);
  handles_.erase(child);
}

void Children::CloseAll() {
  std::set<Handle> handles;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    handles.swap(handles_);
  }
  // The latest first: an iterator before the transaction that it reads.
  for (auto child = handles.rbegin(); child != handles.rend(); ++child) {
    CloseHandle(*child);
  }
}

void NamedTransactions::Add(const std::string& name, Handle transaction) {
  std::lock_guard<std::mutex> lock(mutex_);
  handles_[name] = transaction;
}

void NamedTransactions::Remove(const std::string& name, Handle transaction) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = handles_.find(name);
  if (found != handles_.end() && found->second == transaction) {
    handles_.erase(found);
  }
}

Handle NamedTransactions::Find(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = handles_.find(name);
  return found != handles_.end() ? found->second : 0;
}

std::vector<Handle> NamedTransactions::All() {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Handle> all;
  for (const auto& [name, handle] : handles_) all.push_back(handle);
  return all;
}

void CloseReport::Tell(const Status& status) {
  std::lock_guard<std::mutex> lock(mutex_);
  is_told_ = true;
  status_ = status;
  told_.notify_all();
}

Status CloseReport::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  told_.wait(lock, [this] { return is_told_; });
  return status_;
}

OpenDatabase::~OpenDatabase() {
  AllOpen().Remove(db->GetRootDB());
  if (default_family != nullptr) {
    const Status gone = db->DestroyColumnFamilyHandle(default_family);
    (void)gone.ok();  // A handle that goes has nobody to tell.
  }
  Status status = db->Close();
  db.reset();
  kept.clear();
  if (report != nullptr) report->Tell(status);
}

void OpenDatabase::KeepAlive(const Kept& more) {
  if (more.empty()) return;
  std::lock_guard<std::mutex> lock(kept_mutex_);
  kept.push_back(more);
}

std::shared_ptr<const void> OpenDatabase::KeptByFamilies() {
  std::lock_guard<std::mutex> lock(kept_mutex_);
  return std::make_shared<const std::vector<Kept>>(kept);
}

Child::~Child() {
  if (handle_ != 0) siblings_->Remove(handle_);
}

Handle Child::Publish(std::unique_ptr<Child> child) {
  Child* object = child.get();
  const std::shared_ptr<Children> siblings = object->siblings_;
  const Handle handle = jni::Publish(std::move(child));
  // Nobody else knows the handle yet.
  object->handle_ = handle;
  siblings->Add(handle);
  return handle;
}

Family::Family(const std::shared_ptr<OpenDatabase>& database,
               ColumnFamilyHandle* handle, bool is_owned)
    : FamilyFacts(database,
                  std::shared_ptr<ColumnFamilyHandle>(database, handle)) {
  if (!is_owned) return;
  shared.reset(handle, [database](ColumnFamilyHandle* unused) {
    const FamilyRelease release(database, unused);
    const Status status = database->db->DestroyColumnFamilyHandle(unused);
    (void)status.ok();  // A handle that goes has nobody to tell.
  });
}

SnapshotObject::SnapshotObject(const std::shared_ptr<OpenDatabase>& database,
                               const Snapshot* snapshot)
    : Child(ChildrenOf(database)),
      rep(snapshot,
          [database](const Snapshot* unused) {
            database->db->ReleaseSnapshot(unused);
          }),
      is_borrowed(false) {}

const ReadOptions& IteratorObject::Keep(const ReadSettings& settings) {
  const auto kept =
      settings.object() == nullptr
          ? std::make_shared<Value<ReadOptions>>(std::in_place)
          : std::make_shared<Value<ReadOptions>>(*settings.object());
  sources.push_back(kept);
  if (kept->rep.auto_refresh_iterator_with_snapshot) {
    sources.push_back(settings.KeepSnapshot());
  }
  return kept->rep;
}

FamilyOf::FamilyOf(const OpenDatabase& database, Handle family)
    : pin_(family, true) {
  if (!pin_) {
    rep_ = database.db->DefaultColumnFamily();
    return;
  }
  if (pin_->open.get() != &database) {
    Fail(Wrong::kArgument, "the ColumnFamilyHandle is of another database");
  }
  rep_ = pin_->rep;
}

Handle PublishFamily(const std::shared_ptr<OpenDatabase>& database,
                     ColumnFamilyHandle* handle) {
  auto family = std::make_unique<Family>(database, handle, true);
  CheckCallbacks();
  return Child::Publish(std::move(family));
}

std::vector<int64_t> PublishDatabase(
    std::shared_ptr<OpenDatabase> database,
    const std::vector<ColumnFamilyHandle*>& families) {
  std::vector<std::unique_ptr<Family>> owned;
  for (ColumnFamilyHandle* family : families) {
    owned.push_back(std::make_unique<Family>(database, family, true));
  }
  CheckCallbacks();
  AllOpen().Add(database);
  if (database->transactions != nullptr) PublishRecovered(database);
  std::vector<int64_t> handles{PublishNew<Database>(database)};
  for (std::unique_ptr<Family>& family : owned) {
    handles.push_back(Child::Publish(std::move(family)));
  }
  return handles;
}

namespace {

void CancelAwaitedJobs(CompactionService* service) {
  if (service == nullptr) return;
  try {
    service->CancelAwaitingJobs();
  } catch (...) {
    // The engine asks once more when it closes, and logs that it threw.
  }
}

}  // namespace

Status CloseDatabase(Handle handle) {
  std::shared_ptr<CloseReport> report;
  {
    HandleSlot* slot = PinSlot(handle);
    if (slot == nullptr) return Status::OK();
    std::shared_ptr<OpenDatabase> open;
    if (slot->object->Is(Database::kTag)) {
      open = static_cast<Database*>(slot->object)->open;
    }
    const bool is_first = CloseHandle(handle);
    if (open != nullptr && is_first) {
      report = std::make_shared<CloseReport>();
      open->report = report;
      open->children.CloseAll();
      CancelAwaitedJobs(open->service.get());
    }
    open.reset();
    UnpinSlot(slot);
  }
  if (report == nullptr || IsInCallback()) return Status::OK();
  return report->Wait();
}

}  // namespace ROCKSDB_NAMESPACE::jni
