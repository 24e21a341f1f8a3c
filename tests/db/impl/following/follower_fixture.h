// A leader, a follower of it in a directory beside it, and a file system that
// fails the follower's links and counts what it reads.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/file_system.h"
#include "tests/db/impl/families_fixture.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class LinkingFs final : public FileSystemWrapper {
 public:
  explicit LinkingFs(std::shared_ptr<FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "LinkingFs"; }

  IOStatus LinkFile(const std::string& from, const std::string& to,
                    const IOOptions& options, IODebugContext* debug) override {
    {
      MutexLock lock(&mutex_);
      ++links_;
      changed_.SignalAll();
      if (failures_ > 0 && from.find(failing_) != std::string::npos) {
        --failures_;
        return failure_;
      }
    }
    return FileSystemWrapper::LinkFile(from, to, options, debug);
  }
  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* debug) override {
    {
      MutexLock lock(&mutex_);
      manifests_ += name.find("MANIFEST") != std::string::npos;
      logs_ += name.ends_with(".log");
      changed_.SignalAll();
    }
    return FileSystemWrapper::NewSequentialFile(name, options, result, debug);
  }

  // The next `count` links of files whose paths hold `what` fail like that.
  void FailLinks(int count, IOStatus failure, const std::string& what) {
    MutexLock lock(&mutex_);
    failures_ = count;
    failure_ = std::move(failure);
    failing_ = what;
    links_ = 0;
  }
  int links() const {
    MutexLock lock(&mutex_);
    return links_;
  }
  void AwaitLink() {
    MutexLock lock(&mutex_);
    while (links_ == 0) changed_.Wait();
  }
  int manifests() const {
    MutexLock lock(&mutex_);
    return manifests_;
  }
  int logs() const {
    MutexLock lock(&mutex_);
    return logs_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_{&mutex_};
  IOStatus failure_ GUARDED_BY(mutex_);
  std::string failing_ GUARDED_BY(mutex_);
  int failures_ GUARDED_BY(mutex_) = 0;
  int links_ GUARDED_BY(mutex_) = 0;  // asked for since FailLinks()
  int manifests_ GUARDED_BY(mutex_) = 0;
  int logs_ GUARDED_BY(mutex_) = 0;
};

class FollowerFixture : public FamiliesFixture {
 protected:
  FollowerFixture()
      : fs_(std::make_shared<LinkingFs>(FileSystem::Default())),
        env_(NewCompositeEnv(fs_)),
        own_(directory_.path() + "/follower") {
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.follower_refresh_catchup_period_ms = 0;
    options_.follower_catchup_retry_wait_ms = 0;
  }
  ~FollowerFixture() override { CloseFollower(); }

  Options OwnOptions() const {
    Options own = options_;
    own.env = env_.get();
    return own;
  }
  Status Follow(const std::vector<std::string>& names = {"default"}) {
    CloseFollower();
    const Options own = OwnOptions();
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(own));
    }
    return DB::OpenAsFollower(DBOptions(own), own_, path_, families, &seen_,
                              &follower_);
  }
  void CloseFollower() {
    for (ColumnFamilyHandle* handle : seen_) {
      EXPECT_OK(follower_->DestroyColumnFamilyHandle(handle));
    }
    seen_.clear();
    follower_.reset();
  }
  Status CatchUp() { return follower_->TryCatchUpWithPrimary(); }

  static std::string All(Iterator* it) {
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }
  std::string Seen(size_t family = 0) {
    const std::unique_ptr<Iterator> it(
        follower_->NewIterator(ReadOptions(), seen_[family]));
    return All(it.get());
  }
  std::string SeenAt(const std::string& key) {
    std::string value;
    const Status s = follower_->Get(ReadOptions(), key, &value);
    if (s.IsNotFound()) return "NOT_FOUND";
    return s.ok() ? value : s.ToString();
  }

  // Names with one of the endings, or all.
  std::set<std::string> NamesIn(const std::string& path,
                                const std::vector<std::string>& ends = {""}) {
    std::vector<std::string> names;
    EXPECT_OK(options_.env->GetChildren(path, &names));
    std::set<std::string> found;
    for (const std::string& name : names) {
      for (const std::string& end : ends) {
        if (name.ends_with(end)) found.insert(name);
      }
    }
    return found;
  }
  std::set<std::string> Links() { return NamesIn(own_, {".sst", ".blob"}); }

  const std::shared_ptr<LinkingFs> fs_;
  const std::unique_ptr<Env> env_;
  const std::string own_;
  std::unique_ptr<DB> follower_;
  std::vector<ColumnFamilyHandle*> seen_;
};

}  // namespace ROCKSDB_NAMESPACE
