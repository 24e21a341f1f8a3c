// What the property basalt.background-io says of the I/O governor and
// of the pace of compactions.
#pragma once

#include <map>
#include <string>

#include "file/io_governor.h"

namespace ROCKSDB_NAMESPACE {

// Names and decimal numbers; those of a class are named "<class>.<what>".
std::map<std::string, std::string> BackgroundIoMap(
    const GovernorMembership& member);

// The same for people: a line for the device, and one a class.
std::string BackgroundIoText(const GovernorMembership& member);

}  // namespace ROCKSDB_NAMESPACE
