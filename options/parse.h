// Text to options, over the rows of any struct.
//
// Threads  Pure functions over the object that they are given.
// Errors   InvalidArgument names the option and the value. On error the object
//          may be half set: callers parse into a copy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/option_row.h"
#include "options/text.h"
#include "rocksdb/convenience.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Sets one option: a row's name, an alias, or "struct.member". Deprecated names
// are accepted and do nothing. Other names are InvalidArgument, unless
// config.ignore_unknown_options; with config.mutable_options_only a fixed
// option is too.
Status ParseOption(const ConfigOptions& config, const OptionStruct& options,
                   std::string_view name, std::string_view text, void* object);

// Sets each of `texts`, in their order.
Status ParseOptions(const ConfigOptions& config, const OptionStruct& options,
                    const OptionTexts& texts, void* object);

// The same from "a=1;b={c=2}".
Status ParseOptionString(const ConfigOptions& config,
                         const OptionStruct& options, std::string_view text,
                         void* object);

// The same for the options of a struct or an object within an option. A name
// that is not among them is NotFound, with that name as its whole message.
Status ParseMembers(const ConfigOptions& config, const OptionStruct& options,
                    const OptionTexts& texts, void* object);

// What an object answers to an option that it does not have.
Status UnknownOption(std::string_view name);
// What an option answers to any text if there is none for it.
Status OnlySetInCode();

// True if `name` is a name that ParseOption() knows for this struct.
bool IsOptionName(const OptionStruct& options, std::string_view name);

}  // namespace ROCKSDB_NAMESPACE
