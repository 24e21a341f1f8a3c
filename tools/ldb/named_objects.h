// Comparators and merge operators that a command line names: those of this
// program, and those of shared objects that are loaded for it.
//
// A shared object has a function
//   extern "C" int rocksdb_register_objects(rocksdb::ObjectLibrary& library,
//                                           const std::string& argument);
// which adds factories to the library (rocksdb/utilities/object_registry.h) and
// answers how many. It stays loaded until the process ends.
//
// Threads  One.
// Errors   InvalidArgument, with the name or the file and what to do about it.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// The options of a command line.
inline constexpr char kLoadLibrary[] = "load_library";
inline constexpr char kComparator[] = "comparator";
inline constexpr char kMergeOperator[] = "merge_operator";

// `files` are paths, between commas.
Status LoadLibraries(const std::string& files);

Status FindComparator(const std::string& name, const Comparator** result);
Status FindMergeOperator(const std::string& name,
                         std::shared_ptr<MergeOperator>* result);

}  // namespace ROCKSDB_NAMESPACE
