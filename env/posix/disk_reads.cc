#include "env/posix/disk_reads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kSectorBytes = 512;
constexpr uint64_t kKilobyte = 1024;
// More than any of the files has.
using CounterText = std::array<char, 16 << 10>;

FileDescriptor Open(const std::string& path) {
  if (path.empty()) return FileDescriptor();
  return FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

// What the system says now, as far as there is room for it.
std::optional<std::string_view> ReadAll(const FileDescriptor& file,
                                        CounterText* text) {
  if (!file.is_open()) return std::nullopt;
  FileRead read{.fd = file.get(), .length = text->size(), .out = text->data()};
  if (ReadFully(&read) != 0 || read.done == 0) return std::nullopt;
  return std::string_view(text->data(), read.done);
}

std::optional<uint64_t> NumberAt(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return std::nullopt;
  uint64_t number = 0;
  const auto end =
      std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (end.ec != std::errc()) return std::nullopt;
  return number;
}

// The number behind `name`, which begins a line.
std::optional<uint64_t> NumberBehind(std::string_view text,
                                     std::string_view name) {
  for (size_t at = 0; (at = text.find(name, at)) != text.npos; ++at) {
    if (at > 0 && text[at - 1] != '\n') continue;
    return NumberAt(text.substr(at + name.size()));
  }
  return std::nullopt;
}

}  // namespace

DiskCounterFiles DiskCounterFiles::Of(const std::string& path) {
  DiskCounterFiles files;
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return files;
  const std::string device = "/sys/dev/block/" +
                             std::to_string(major(info.st_dev)) + ":" +
                             std::to_string(minor(info.st_dev));
  // A partition's counters lie within its disk's.
  for (const char* name : {"/../stat", "/stat"}) {
    if (access((device + name).c_str(), R_OK) != 0) continue;
    files.device = device + name;
    break;
  }
  return files;
}

DiskReadCounter::DiskReadCounter(const DiskCounterFiles& files)
    : device_(Open(files.device)), process_(Open(files.process)) {
  if (!device_.is_open()) machine_ = Open(files.machine);
}

bool DiskReadCounter::Read(DiskReads* reads) const {
  return ReadOwn(&reads->own_bytes) && ReadDevice(&reads->device_bytes);
}

bool DiskReadCounter::ReadDevice(uint64_t* bytes) const {
  CounterText text;
  if (!device_.is_open()) {
    const auto all = ReadAll(machine_, &text);
    if (!all.has_value()) return false;
    const auto kilobytes = NumberBehind(*all, "pgpgin ");
    if (!kilobytes.has_value()) return false;
    *bytes = *kilobytes * kKilobyte;
    return true;
  }
  // Reads, those that were merged with others, and sectors.
  auto rest = ReadAll(device_, &text);
  for (int i = 0; i < 2 && rest.has_value(); ++i) {
    const size_t number = rest->find_first_not_of(' ');
    const size_t end = rest->find(' ', number);
    if (number == rest->npos || end == rest->npos) return false;
    rest = rest->substr(end);
  }
  if (!rest.has_value()) return false;
  const auto sectors = NumberAt(*rest);
  if (!sectors.has_value()) return false;
  *bytes = *sectors * kSectorBytes;
  return true;
}

bool DiskReadCounter::ReadOwn(uint64_t* bytes) const {
  CounterText text;
  const auto all = ReadAll(process_, &text);
  if (!all.has_value()) return false;
  const auto number = NumberBehind(*all, "read_bytes:");
  if (!number.has_value()) return false;
  *bytes = *number;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
