// What calls share that open a database with a list of column families.
//
// Threads  Free functions without state.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

// The families of an open call, as C lists them.
struct FamilyList {
  int count;
  const char* const* names;
  const rocksdb_options_t* const* options;
  rocksdb_column_family_handle_t** handles;
};

inline Status Describe(const FamilyList& list,
                       std::vector<ColumnFamilyDescriptor>* descriptors) {
  if (list.count < 0 ||
      (list.count > 0 && (list.names == nullptr || list.options == nullptr ||
                          list.handles == nullptr))) {
    return Status::InvalidArgument("a list of column families is NULL");
  }
  for (int i = 0; i < list.count; ++i) {
    if (list.names[i] == nullptr || list.options[i] == nullptr) {
      return Status::InvalidArgument(
          "a column family's name or options is NULL", std::to_string(i));
    }
    descriptors->emplace_back(list.names[i], list.options[i]->rep);
  }
  return Status::OK();
}

// Hands the families out.
inline void GiveHandles(const std::vector<ColumnFamilyHandle*>& handles,
                        const FamilyList& list) {
  for (size_t i = 0; i < handles.size(); ++i) {
    list.handles[i] = Own<rocksdb_column_family_handle_t>();
    list.handles[i]->rep = handles[i];
  }
}

}  // namespace ROCKSDB_NAMESPACE::c_api
