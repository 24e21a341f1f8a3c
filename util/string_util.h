#pragma once

// Numbers, sizes and raw bytes as text, and back.
//
// Threads  Any.
// Errors   Parsing answers false for anything but a complete, in-range number,
//          and then leaves its result untouched.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

// Decimal digits only.
bool ConsumeDecimalNumber(Slice* input, uint64_t* value);

// A number as options take it: an optional sign, decimal or 0x digits, and an
// optional unit k, m, g or t (either case; powers of 1024). Space around it is
// ignored.
bool ParseUint64(std::string_view text, uint64_t* value);
bool ParseInt64(std::string_view text, int64_t* value);
bool ParseUint32(std::string_view text, uint32_t* value);
bool ParseInt32(std::string_view text, int32_t* value);
bool ParseSizeT(std::string_view text, size_t* value);
bool ParseDouble(std::string_view text, double* value);
// true, false, 1, 0, on, off, yes, no.
bool ParseBoolean(std::string_view text, bool* value);

// The shortest text that reads back as the same number.
std::string DoubleToString(double value);

std::string_view TrimSpace(std::string_view text);
// Cut at every `delimiter`; empty text has no parts.
std::vector<std::string> SplitString(std::string_view text, char delimiter);
bool StartsWith(std::string_view text, std::string_view prefix);
bool EndsWith(std::string_view text, std::string_view suffix);
std::string ToLower(std::string_view text);

// Printable text: other bytes as \xHH.
void AppendEscapedStringTo(std::string* dst, const Slice& value);
std::string EscapeString(const Slice& value);
// Escapes '\', ':', '#', CR and LF, as values in option files are written.
std::string EscapeOptionString(const std::string& raw);
std::string UnescapeOptionString(const std::string& escaped);

// Upper-case digits.
std::string ToHex(const Slice& value);
// The next `digits` base-36 characters of a number, most significant first.
void PutBaseChars36(std::string* dst, size_t digits, uint64_t value);
bool ParseBaseChars36(Slice* input, size_t digits, uint64_t* value);

void AppendNumberTo(std::string* dst, uint64_t number);
// 12K, 34M...: thousands, for counts.
std::string NumberToHumanString(int64_t number);
// 12.00 KB, 3.40 GB...: powers of 1024.
std::string BytesToHumanString(uint64_t bytes);
// 12.345 ms, 01:02.345 minutes...
std::string MicrosToHumanString(uint64_t micros);

// printf to a string.
std::string StringPrintf(const char* format, ...)
    __attribute__((__format__(__printf__, 1, 2)));

// The text of an errno value; safe from many threads.
std::string ErrnoString(int error_number);

}  // namespace ROCKSDB_NAMESPACE
