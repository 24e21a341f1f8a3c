#include "java/jni/database.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::jni {

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
    : DatabaseChild(database), shared(database, handle), rep(handle) {
  if (!is_owned) return;
  shared.reset(handle, [database](ColumnFamilyHandle* unused) {
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
  return Child::Publish(std::make_unique<Family>(database, handle, true));
}

std::vector<int64_t> PublishDatabase(
    std::shared_ptr<OpenDatabase> database,
    const std::vector<ColumnFamilyHandle*>& families) {
  std::vector<int64_t> handles{PublishNew<Database>(database)};
  for (ColumnFamilyHandle* family : families) {
    handles.push_back(PublishFamily(database, family));
  }
  return handles;
}

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
    }
    open.reset();
    UnpinSlot(slot);
  }
  if (report == nullptr || PinsOfThisThread() > 0) return Status::OK();
  return report->Wait();
}

}  // namespace ROCKSDB_NAMESPACE::jni
