// Bytes as people read and write them: hex digits, decimal numbers.
//
// Threads  Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// "6B": upper case, without a prefix.
std::string HexDigits(const Slice& bytes);

// "0x6B": false, and a text in `*error`, for what is no such thing.
bool DecodeHex(const std::string& text, std::string* bytes, std::string* error);

enum class NumberKind { kGood, kInvalid, kOutOfRange };

// The integer at the beginning of `text`, as C reads it: "10x" is 10.
NumberKind LeadingInt(const std::string& text, int* number);
// All of `text` is one unsigned decimal number.
bool WholeNumber(const std::string& text, uint64_t* number);

}  // namespace ROCKSDB_NAMESPACE
