// Databases that another process writes, and that are read here as far as they
// have got: a secondary catches up when it is asked to, logs too; a follower by
// itself, and keeps what it reads by links in a directory of its own.
//
// Threads    See README.md beside this file for the order of locks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/impl/unwritable_db.h"

namespace ROCKSDB_NAMESPACE {

class FollowingDB : public UnwritableDB {
 public:
  FollowingDB(const DBOptions& sanitized, const OpenRequest& request);

  Status TryCatchUpWithPrimary() override;

 protected:
  bool RecoversWithBestEfforts() const override { return false; }
};

class SecondaryDB final : public FollowingDB {
 public:
  SecondaryDB(const DBOptions& sanitized, const OpenRequest& request);
  ~SecondaryDB() override;

 private:
  const char* refusal() const override {
    return "Not supported operation in secondary mode.";
  }
  Status MakeParts() override {
    return MakePartsFor({.reads_logs = true, .goes_on = true});
  }
  Status ReadLogs() override {
    return catch_up_->Run(CatchUp::FoundLogs::kRead);
  }
};

class FollowerDB final : public FollowingDB {
 public:
  FollowerDB(const DBOptions& sanitized, const OpenRequest& request);
  ~FollowerDB() override;

  // Beside a follower's tables there is neither CURRENT nor a manifest.
  Status GetLiveFiles(std::vector<std::string>& files,
                      uint64_t* manifest_file_size,
                      bool flush_memtable) override;

 private:
  const char* refusal() const override {
    return "Not supported operation in follower mode.";
  }
  Status PrepareDirectories() override;
  Status MakeParts() override;
  // What its leader has flushed is all that it shows.
  Status ReadLogs() override { return Status::OK(); }
  Status BeginWork() override;
  Status Shut() override;

  std::unique_ptr<FollowerPart> follower_;  // null: not opened yet
};

}  // namespace ROCKSDB_NAMESPACE
