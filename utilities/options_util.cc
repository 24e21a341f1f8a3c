#include "rocksdb/utilities/options_util.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "file/filename.h"
#include "options/options_file.h"
#include "rocksdb/cache.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Env* EnvOf(const ConfigOptions& config) {
  return config.env != nullptr ? config.env : Env::Default();
}

Status ReadOptionsFile(const ConfigOptions& config, const std::string& path,
                       OptionsFile* file) {
  std::string text;
  Status s = ReadFileToString(EnvOf(config), path, &text);
  return s.ok() ? ParseOptionsFile(config, path, text, file) : s;
}

// Whoever has the database open may write newer ones, and remove the one that
// was the latest before it is read. One that is gone and still the latest is
// gone for another reason.
Status ReadLatest(const ConfigOptions& config, const std::string& dbpath,
                  std::string* path, OptionsFile* file) {
  std::string tried;
  while (true) {
    std::string name;
    Status s = GetLatestOptionsFileName(dbpath, EnvOf(config), &name);
    if (!s.ok()) return s;
    *path = dbpath + "/" + name;
    s = ReadOptionsFile(config, *path, file);
    const bool is_gone = s.IsNotFound() || s.IsPathNotFound();
    if (!is_gone || name == tried) return s;
    tried = name;
  }
}

void ShareCache(const std::shared_ptr<Cache>& cache, OptionsFile* file) {
  for (NamedFamily& family : file->families) {
    if (family.options.table_factory == nullptr) continue;
    auto* table =
        family.options.table_factory->GetOptions<BlockBasedTableOptions>();
    if (table != nullptr) table->block_cache = cache;
  }
}

void HandOver(OptionsFile&& file, const ConfigOptions& config,
              const std::shared_ptr<Cache>* cache, DBOptions* db_options,
              std::vector<ColumnFamilyDescriptor>* cf_descs) {
  if (cache != nullptr) ShareCache(*cache, &file);
  file.db.env = EnvOf(config);
  *db_options = std::move(file.db);
  cf_descs->clear();
  for (NamedFamily& family : file.families) {
    cf_descs->emplace_back(family.name, family.options);
  }
}

}  // namespace

Status GetLatestOptionsFileName(const std::string& dbpath, Env* env,
                                std::string* options_file_name) {
  std::vector<std::string> children;
  Status s = env->GetChildren(dbpath, &children);
  if (s.IsNotFound()) {
    return Status::NotFound(Status::kPathNotFound,
                            "No options files found in the DB directory.",
                            dbpath);
  }
  if (!s.ok()) return s;
  uint64_t newest = 0;
  for (const std::string& child : children) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (!ParseFileName(child, &number, &type)) continue;
    if (type != kOptionsFile || number <= newest) continue;
    newest = number;
    *options_file_name = child;
  }
  if (newest == 0) {
    return Status::NotFound(Status::kPathNotFound,
                            "No options files found in the DB directory.",
                            dbpath);
  }
  return Status::OK();
}

Status LoadOptionsFromFile(const ConfigOptions& config_options,
                           const std::string& options_file_name,
                           DBOptions* db_options,
                           std::vector<ColumnFamilyDescriptor>* cf_descs,
                           std::shared_ptr<Cache>* cache) {
  OptionsFile file;
  Status s = ReadOptionsFile(config_options, options_file_name, &file);
  if (!s.ok()) return s;
  HandOver(std::move(file), config_options, cache, db_options, cf_descs);
  return s;
}

Status LoadLatestOptions(const ConfigOptions& config_options,
                         const std::string& dbpath, DBOptions* db_options,
                         std::vector<ColumnFamilyDescriptor>* cf_descs,
                         std::shared_ptr<Cache>* cache) {
  OptionsFile file;
  std::string path;
  Status s = ReadLatest(config_options, dbpath, &path, &file);
  if (!s.ok()) return s;
  HandOver(std::move(file), config_options, cache, db_options, cf_descs);
  return s;
}

Status CheckOptionsCompatibility(
    const ConfigOptions& config_options, const std::string& dbpath,
    const DBOptions& db_options,
    const std::vector<ColumnFamilyDescriptor>& cf_descs) {
  OptionsFile stored;
  std::string path;
  Status s = ReadLatest(config_options, dbpath, &path, &stored);
  if (!s.ok()) return s;
  OptionsFile given;
  given.db = db_options;
  for (const ColumnFamilyDescriptor& family : cf_descs) {
    given.families.push_back({family.name, family.options, {}});
  }
  return CompareOptions(config_options, given, stored);
}

}  // namespace ROCKSDB_NAMESPACE
