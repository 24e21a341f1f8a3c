#include "env/encryption/rot13_cipher.h"

#include "options/object_kinds.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

Status Rot13Cipher::ConfigureOption(const ConfigOptions& config,
                                    const std::string& name,
                                    const std::string& value) {
  if (name != "block_size") {
    return BlockCipher::ConfigureOption(config, name, value);
  }
  return ParseSizeT(value, &block_size_)
             ? Status::OK()
             : Status::InvalidArgument("block_size is not a number", value);
}

Status Rot13Cipher::GetOptionString(const ConfigOptions& /*config*/,
                                    std::string* result) const {
  *result = "block_size=" + std::to_string(block_size_) + ";";
  return Status::OK();
}

Status Rot13Cipher::PrepareOptions(const ConfigOptions& config) {
  if (block_size_ == 0) {
    return Status::InvalidArgument("a cipher with blocks of no bytes");
  }
  return BlockCipher::PrepareOptions(config);
}

Status BlockCipher::CreateFromString(const ConfigOptions& config_options,
                                     const std::string& value,
                                     std::shared_ptr<BlockCipher>* result) {
  return ParseSharedObject(config_options, value, result);
}

std::shared_ptr<BlockCipher> BlockCipher::NewROT13Cipher(size_t block_size) {
  return std::make_shared<Rot13Cipher>(block_size);
}

}  // namespace ROCKSDB_NAMESPACE
