// Each call of an Env whose time the PerfContext has a field for, made once in
// a directory, so that all of them succeed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/perf_context.h"

namespace ROCKSDB_NAMESPACE {

using EnvTime = uint64_t PerfContext::*;

// `done(time, status)` after each one.
template <class Done>
void MakeTimedCalls(Env* env, const std::string& directory, const Done& done) {
  using P = PerfContext;
  const EnvOptions options;
  const std::string sub = directory + "/sub", a = directory + "/a",
                    b = directory + "/b", c = directory + "/c";
  std::unique_ptr<WritableFile> writable;
  std::unique_ptr<SequentialFile> sequential;
  std::unique_ptr<RandomAccessFile> random_access;
  std::unique_ptr<RandomRWFile> random_rw;
  std::unique_ptr<Directory> opened;
  std::shared_ptr<Logger> logger;
  std::vector<std::string> names;
  std::vector<Env::FileAttributes> attributes;
  uint64_t number = 0;
  FileLock* lock = nullptr;
  done(&P::env_create_dir_nanos, env->CreateDir(sub));
  done(&P::env_create_dir_if_missing_nanos, env->CreateDirIfMissing(sub));
  done(&P::env_new_directory_nanos, env->NewDirectory(sub, &opened));
  opened.reset();
  done(&P::env_delete_dir_nanos, env->DeleteDir(sub));
  done(&P::env_new_writable_file_nanos,
       env->NewWritableFile(a, &writable, options));
  writable.reset();
  done(&P::env_new_sequential_file_nanos,
       env->NewSequentialFile(a, &sequential, options));
  done(&P::env_new_random_access_file_nanos,
       env->NewRandomAccessFile(a, &random_access, options));
  done(&P::env_new_random_rw_file_nanos,
       env->NewRandomRWFile(a, &random_rw, options));
  done(&P::env_file_exists_nanos, env->FileExists(a));
  done(&P::env_get_children_nanos, env->GetChildren(directory, &names));
  done(&P::env_get_children_file_attributes_nanos,
       env->GetChildrenFileAttributes(directory, &attributes));
  done(&P::env_get_file_size_nanos, env->GetFileSize(a, &number));
  done(&P::env_get_file_modification_time_nanos,
       env->GetFileModificationTime(a, &number));
  done(&P::env_link_file_nanos, env->LinkFile(a, b));
  done(&P::env_rename_file_nanos, env->RenameFile(b, c));
  done(&P::env_reuse_writable_file_nanos,
       env->ReuseWritableFile(b, c, &writable, options));
  writable.reset();
  done(&P::env_delete_file_nanos, env->DeleteFile(b));
  done(&P::env_lock_file_nanos, env->LockFile(directory + "/LOCK", &lock));
  done(&P::env_unlock_file_nanos, env->UnlockFile(lock));
  done(&P::env_new_logger_nanos, env->NewLogger(directory + "/LOG", &logger));
}

}  // namespace ROCKSDB_NAMESPACE
