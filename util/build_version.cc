// What this library is and was built with; see rocksdb/version.h.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/version.h"

namespace ROCKSDB_NAMESPACE {

namespace {

std::string Joined(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

std::string CodecNames() {
  std::string names = "none";
#ifdef SNAPPY
  names += ",snappy";
#endif
#ifdef ZLIB
  names += ",zlib";
#endif
#ifdef BZIP2
  names += ",bzip2";
#endif
#ifdef LZ4
  names += ",lz4";
#endif
#ifdef ZSTD
  names += ",zstd";
#endif
  return names;
}

std::unordered_map<std::string, std::string> MakeBuildProperties() {
  std::unordered_map<std::string, std::string> properties;
  properties["rocksdb_version"] = GetRocksVersionAsString();
  properties["basalt_version"] =
      Joined(BASALT_VERSION_MAJOR, BASALT_VERSION_MINOR, BASALT_VERSION_PATCH);
  properties["compiler"] = __VERSION__;
  properties["codecs"] = CodecNames();
#ifdef NDEBUG
  properties["assertions"] = "off";
#else
  properties["assertions"] = "on";
#endif
  properties["build_date"] = BASALT_BUILD_DATE;
  // By RocksDB's names, too.
  properties["rocksdb_build_date"] = BASALT_BUILD_DATE;
  properties["rocksdb_build_git_sha"] = BASALT_GIT_SHA;
#ifdef ROCKSDB_JEMALLOC
  properties["jemalloc"] = "1";
#else
  properties["jemalloc"] = "0";
#endif
#ifdef BASALT_HAVE_LIBURING
  properties["io_uring"] = "built in";
#else
  properties["io_uring"] = "left out";
#endif
  return properties;
}

}  // namespace

std::string GetRocksVersionAsString(bool with_patch) {
  if (with_patch) return Joined(ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH);
  return std::to_string(ROCKSDB_MAJOR) + "." + std::to_string(ROCKSDB_MINOR);
}

const std::unordered_map<std::string, std::string>& GetRocksBuildProperties() {
  static const auto& properties =
      *std::make_unique<const std::unordered_map<std::string, std::string>>(
           MakeBuildProperties())
           .release();
  return properties;
}

std::string GetRocksBuildInfoAsString(const std::string& program,
                                      bool verbose) {
  std::string text = program + " (RocksDB) " + GetRocksVersionAsString();
  if (!verbose) return text;
  const auto& properties = GetRocksBuildProperties();
  // In the order of their names, so that two outputs can be compared.
  for (const auto& [name, value] : std::map<std::string, std::string>(
           properties.begin(), properties.end())) {
    text += "\n    " + name + ": " + value;
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
