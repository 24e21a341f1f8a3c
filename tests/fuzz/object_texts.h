// Texts that make objects: names and options of every class that has names, and
// the option types that an application registers for a struct of its own.
//
// Threads    Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::fuzz {

// The first byte chooses the class. 1: there is an object, whose own text makes
// it again.
size_t RunObjectText(const Slice& bytes);
std::vector<std::string> ObjectTextSeeds();

// 1: all of it is options of the struct, whose own text makes it again.
size_t RunOptionTypes(const Slice& bytes);
std::vector<std::string> OptionTypesSeeds();

}  // namespace ROCKSDB_NAMESPACE::fuzz
