// BlockAccessCipherStream: any bytes of a file, by whole blocks.
#include <algorithm>
#include <cstring>
#include <string>

#include "rocksdb/env_encryption.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Calls `crypt(block index, block)` for each block that has a byte of the data.
// Where the data have only a part of a block, the rest of it is zeros.
template <class Crypt>
Status ForEachCipherBlock(uint64_t file_offset, size_t block_size, char* data,
                          size_t data_size, const Crypt& crypt) {
  uint64_t block_index = file_offset / block_size;
  size_t in_block = file_offset % block_size;
  std::string partial;
  while (data_size > 0) {
    const size_t n = std::min(data_size, block_size - in_block);
    Status s;
    if (n == block_size) {
      s = crypt(block_index, data);
    } else {
      partial.assign(block_size, '\0');
      memcpy(partial.data() + in_block, data, n);
      s = crypt(block_index, partial.data());
      if (s.ok()) memcpy(data, partial.data() + in_block, n);
    }
    if (!s.ok()) return s;
    data += n;
    data_size -= n;
    in_block = 0;
    ++block_index;
  }
  return Status::OK();
}

}  // namespace

Status BlockAccessCipherStream::Encrypt(uint64_t fileOffset, char* data,
                                        size_t dataSize) {
  std::string scratch;
  AllocateScratch(scratch);
  return ForEachCipherBlock(fileOffset, BlockSize(), data, dataSize,
                            [&](uint64_t index, char* block) {
                              return EncryptBlock(index, block, scratch.data());
                            });
}

Status BlockAccessCipherStream::Decrypt(uint64_t fileOffset, char* data,
                                        size_t dataSize) {
  std::string scratch;
  AllocateScratch(scratch);
  return ForEachCipherBlock(fileOffset, BlockSize(), data, dataSize,
                            [&](uint64_t index, char* block) {
                              return DecryptBlock(index, block, scratch.data());
                            });
}

}  // namespace ROCKSDB_NAMESPACE
