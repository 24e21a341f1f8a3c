#include "tools/ldb/named_objects.h"

#include <dlfcn.h>

#include <algorithm>
#include <set>

#include "rocksdb/utilities/object_registry.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kFunction[] = "rocksdb_register_objects";
using RegisterObjects = int(ObjectLibrary&, const std::string&);

std::string LastError() {
  const char* const text = dlerror();
  return text == nullptr ? "no reason is told" : text;
}

Status LoadLibrary(const std::string& file) {
  // Without a slash the system would look for it elsewhere.
  const bool has_slash = file.find('/') != std::string::npos;
  const std::string path = has_slash ? file : "./" + file;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Status::InvalidArgument("--load_library=" + file, LastError());
  }
  void* const found = dlsym(library, kFunction);
  if (found == nullptr) {
    return Status::InvalidArgument(
        "--load_library=" + file,
        "it has no function " + std::string(kFunction) +
            "(rocksdb::ObjectLibrary&, const std::string&) of C linkage");
  }
  // One that is loaded for the second time has registered its objects.
  static std::set<void*>& known =
      *std::make_unique<std::set<void*>>().release();
  if (!known.insert(found).second) return Status::OK();
  const auto add = reinterpret_cast<RegisterObjects*>(found);
  ObjectLibrary::Default()->Register(add, "");
  return Status::OK();
}

Status NotKnown(const std::string& option, const std::string& name) {
  return Status::InvalidArgument(
      "--" + option + "=" + name,
      "nothing here has that name; --load_library=<shared object> adds what "
      "your program has");
}

}  // namespace

Status LoadLibraries(const std::string& files) {
  for (size_t begin = 0; begin <= files.size();) {
    const size_t end = std::min(files.find(',', begin), files.size());
    const std::string file = files.substr(begin, end - begin);
    begin = end + 1;
    if (file.empty()) continue;
    if (Status s = LoadLibrary(file); !s.ok()) return s;
  }
  return Status::OK();
}

Status FindComparator(const std::string& name, const Comparator** result) {
  const Comparator* found = nullptr;
  const Status s = Comparator::CreateFromString(ConfigOptions(), name, &found);
  IgnoreError(s, "that it is not known is told in our words");
  if (found == nullptr) return NotKnown("comparator", name);
  *result = found;
  return Status::OK();
}

Status FindMergeOperator(const std::string& name,
                         std::shared_ptr<MergeOperator>* result) {
  std::shared_ptr<MergeOperator> found;
  const Status s =
      MergeOperator::CreateFromString(ConfigOptions(), name, &found);
  IgnoreError(s, "that it is not known is told in our words");
  if (found == nullptr) return NotKnown("merge_operator", name);
  *result = std::move(found);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
