// One decoder as a program of libFuzzer: BASALT_DECODER is its name. The first
// run with a corpus directory that is empty writes the seeds into it, if
// BASALT_WRITE_SEEDS names the directory.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/fuzz/decoders.h"

namespace {

const ROCKSDB_NAMESPACE::fuzz::Decoder& TheDecoder() {
  for (const auto& decoder : ROCKSDB_NAMESPACE::fuzz::Decoders()) {
    if (std::strcmp(decoder.name, BASALT_DECODER) == 0) return decoder;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* folder = std::getenv("BASALT_WRITE_SEEDS");
  if (folder == nullptr) return 0;
  size_t count = 0;
  for (const std::string& seed : TheDecoder().seeds()) {
    std::ofstream(std::string(folder) + "/seed" + std::to_string(count++),
                  std::ios::binary)
        << seed;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  TheDecoder().run(
      ROCKSDB_NAMESPACE::Slice(reinterpret_cast<const char*>(data), size));
  return 0;
}
