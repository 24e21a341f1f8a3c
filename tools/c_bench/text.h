// Printed text, and the end of the program with one.

#pragma once

#include <string>

namespace c_bench {

// The text that printf() would write.
[[gnu::format(printf, 1, 2)]] std::string Text(const char* format, ...);

// What "%llu" takes.
inline unsigned long long Printed(unsigned long long number) { return number; }

// Prints what was wrong and ends the program with status 1.
[[noreturn]] void Fail(const std::string& what);

// Fails if a call of the C interface has left an error.
void Check(char* error, const std::string& what);

}  // namespace c_bench
