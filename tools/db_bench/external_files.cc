#include "tools/db_bench/external_files.h"

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::bench {

ExternalFiles::ExternalFiles(Worker& worker)
    : worker_(worker),
      directory_(worker.db->GetName() + "_external_" +
                 std::to_string(worker.index)) {}

ExternalFiles::~ExternalFiles() {
  Env* const env = worker_.shared->options->env;
  std::vector<std::string> names;
  if (!env->GetChildren(directory_, &names).ok()) return;
  // Nothing hangs on them: the next run writes them anew.
  for (const std::string& name : names) {
    env->DeleteFile(directory_ + "/" + name).PermitUncheckedError();
  }
  env->DeleteDir(directory_).PermitUncheckedError();
}

Status ExternalFiles::NextPath(std::string* path) {
  *path = directory_ + "/" + std::to_string(next_++) + ".sst";
  return worker_.shared->options->env->CreateDirIfMissing(directory_);
}

SstFileWriter ExternalFiles::MakeWriter() const {
  return SstFileWriter(EnvOptions(), *worker_.shared->options);
}

}  // namespace ROCKSDB_NAMESPACE::bench
