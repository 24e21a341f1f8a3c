// Indexes of table files that are made by name, beside the built-in one.

#include <memory>
#include <string>
#include <utility>

#include "c/handles.h"
#include "rocksdb/convenience.h"
#include "rocksdb/user_defined_index.h"

namespace ROCKSDB_NAMESPACE::c_api {

namespace {

using IndexFactoryRef = std::shared_ptr<UserDefinedIndexFactory>;

// False: no registered factory has the name, and *errptr says so.
bool MakeIndexFactory(const Slice& name, IndexFactoryRef* factory,
                      char** errptr) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  IndexFactoryRef made;
  Status s =
      UserDefinedIndexFactory::CreateFromString(config, name.ToString(), &made);
  if (Fails(s, errptr)) return false;
  *factory = std::move(made);
  return true;
}

const char* LendIndexName(const UserDefinedIndexFactory* factory,
                          size_t* size) {
  if (factory != nullptr) return Lend(factory->Name(), size);
  if (size != nullptr) *size = 0;
  return nullptr;
}

}  // namespace

extern "C" {

void rocksdb_block_based_options_set_user_defined_index_factory_from_string(
    rocksdb_block_based_table_options_t* options, const char* key,
    size_t key_size, char** errptr) {
  if (IsNull(options, "block_based_table_options", errptr)) return;
  static_cast<void>(MakeIndexFactory(BytesOf(key, key_size),
                                     &options->rep.user_defined_index_factory,
                                     errptr));
}

void rocksdb_block_based_options_clear_user_defined_index_factory(
    rocksdb_block_based_table_options_t* options) {
  options->rep.user_defined_index_factory = nullptr;
}

const char* rocksdb_block_based_options_get_user_defined_index_factory_name(
    const rocksdb_block_based_table_options_t* options, size_t* size) {
  return LendIndexName(options->rep.user_defined_index_factory.get(), size);
}

void rocksdb_readoptions_set_table_index_factory_from_string(
    rocksdb_readoptions_t* readoptions, const char* key, size_t key_size,
    char** errptr) {
  if (IsNull(readoptions, "readoptions", errptr)) return;
  if (!MakeIndexFactory(BytesOf(key, key_size),
                        &readoptions->table_index_factory, errptr)) {
    return;
  }
  readoptions->rep.table_index_factory = readoptions->table_index_factory.get();
}

void rocksdb_readoptions_clear_table_index_factory(
    rocksdb_readoptions_t* readoptions) {
  readoptions->rep.table_index_factory = nullptr;
  readoptions->table_index_factory = nullptr;
}

const char* rocksdb_readoptions_get_table_index_factory_name(
    const rocksdb_readoptions_t* readoptions, size_t* size) {
  return LendIndexName(readoptions->rep.table_index_factory, size);
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
