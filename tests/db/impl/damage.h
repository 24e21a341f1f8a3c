// Damage to the files of a closed database, for tests of recovery.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "file/filename.h"

namespace ROCKSDB_NAMESPACE {

inline std::string ReadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void WriteBytes(const std::string& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  EXPECT_TRUE(out.good()) << path;
}

// Paths of the files of one type in `directory`, by number.
inline std::vector<std::string> FilesOf(const std::string& directory,
                                        FileType wanted) {
  std::vector<std::pair<uint64_t, std::string>> found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    uint64_t number = 0;
    FileType type = kTempFile;
    if (ParseFileName(entry.path().filename().string(), &number, &type) &&
        type == wanted) {
      found.emplace_back(number, entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (auto& [number, path] : found) paths.push_back(std::move(path));
  return paths;
}

enum class Harm { kCut, kFlip, kZero, kAppend };

// kCut       the last `at` bytes go (at < 0: all behind byte -at)
// kFlip      the byte `at` from the end (at < 0: from the start) is inverted
// kZero      the last `at` bytes become zero
// kAppend    `at` bytes of value `filler` are added
struct Damage {
  Harm harm = Harm::kCut;
  int64_t at = 0;
  char filler = 0;
};

inline std::string Damaged(std::string bytes, const Damage& damage) {
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t place = damage.at < 0 ? -damage.at : size - damage.at;
  EXPECT_TRUE(damage.harm == Harm::kAppend || (place >= 0 && place < size));
  switch (damage.harm) {
    case Harm::kCut:
      bytes.resize(static_cast<size_t>(place));
      break;
    case Harm::kFlip:
      bytes[static_cast<size_t>(place)] ^= static_cast<char>(0xff);
      break;
    case Harm::kZero:
      std::fill(bytes.begin() + place, bytes.end(), '\0');
      break;
    case Harm::kAppend:
      bytes.append(static_cast<size_t>(damage.at), damage.filler);
  }
  return bytes;
}

inline void DamageFile(const std::string& path, const Damage& damage) {
  WriteBytes(path, Damaged(ReadBytes(path), damage));
}

// All files of `from`, as they are now, in a fresh directory `to`: what a
// process that ended now would leave behind.
inline void CopyDatabase(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

}  // namespace ROCKSDB_NAMESPACE
