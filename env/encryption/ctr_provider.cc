#include "env/encryption/ctr_provider.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "options/object_kinds.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kCounterBytes = sizeof(uint64_t);

class CtrStream final : public BlockAccessCipherStream {
 public:
  CtrStream(std::shared_ptr<BlockCipher> cipher, const char* vector,
            uint64_t counter)
      : cipher_(std::move(cipher)),
        vector_(vector, cipher_->BlockSize()),
        counter_(counter) {}

  size_t BlockSize() override { return cipher_->BlockSize(); }

 protected:
  void AllocateScratch(std::string& scratch) override {
    scratch.resize(BlockSize());
  }
  Status EncryptBlock(uint64_t blockIndex, char* data, char* scratch) override {
    memcpy(scratch, vector_.data(), vector_.size());
    EncodeFixed64(scratch, counter_ + blockIndex);
    Status s = cipher_->Encrypt(scratch);
    for (size_t i = 0; s.ok() && i < vector_.size(); ++i) {
      data[i] = static_cast<char>(data[i] ^ scratch[i]);
    }
    return s;
  }
  Status DecryptBlock(uint64_t blockIndex, char* data, char* scratch) override {
    return EncryptBlock(blockIndex, data, scratch);
  }

 private:
  const std::shared_ptr<BlockCipher> cipher_;
  const std::string vector_;
  const uint64_t counter_;
};

// Bytes that nobody can foresee: two files with one key stream would show the
// exclusive or of their data.
void FillFromSystem(char* bytes, size_t n) {
  std::random_device source;
  for (size_t i = 0; i < n; i += sizeof(uint32_t)) {
    const auto number = static_cast<uint32_t>(source());
    memcpy(bytes + i, &number, std::min(n - i, sizeof(number)));
  }
}

}  // namespace

Status CtrProvider::CheckCipher() const {
  if (cipher_ == nullptr) {
    return MissingObject("cipher");
  }
  const size_t block_size = cipher_->BlockSize();
  if (block_size < kCounterBytes || 2 * block_size > kPrefixBytes) {
    return Status::InvalidArgument(
        "block size of the cipher",
        std::to_string(block_size) + " bytes, 8 to 2048 are expected");
  }
  return Status::OK();
}

Status CtrProvider::CreateNewPrefix(const std::string& /*fname*/, char* prefix,
                                    size_t prefixLength) const {
  if (Status s = CheckCipher(); !s.ok()) return s;
  const size_t head_bytes = 2 * cipher_->BlockSize();
  if (prefixLength < head_bytes) {
    return Status::InvalidArgument("the prefix has no room for two blocks");
  }
  FillFromSystem(prefix, head_bytes);
  // Nothing depends on the rest: what follows is no secret.
  std::mt19937_64 generator(std::random_device{}());
  for (size_t i = head_bytes; i < prefixLength; ++i) {
    prefix[i] = static_cast<char>(generator());
  }
  CtrStream stream(cipher_, prefix + cipher_->BlockSize(),
                   DecodeFixed64(prefix));
  return stream.Encrypt(0, prefix + head_bytes, prefixLength - head_bytes);
}

Status CtrProvider::AddCipher(const std::string& /*descriptor*/,
                              const char* /*cipher*/, size_t /*len*/,
                              bool /*for_write*/) {
  if (cipher_ != nullptr) {
    return Status::NotSupported("Cannot add keys to CTREncryptionProvider");
  }
  // RocksDB's provider takes the call for good and the key for nothing; a
  // cipher has its key from where it is made.
  return Status::OK();
}

Status CtrProvider::CreateCipherStream(
    const std::string& fname, const EnvOptions& /*options*/, Slice& prefix,
    std::unique_ptr<BlockAccessCipherStream>* result) {
  if (Status s = CheckCipher(); !s.ok()) return s;
  const size_t block_size = cipher_->BlockSize();
  if (prefix.size() < 2 * block_size) {
    return Status::Corruption(
        fname, "has " + std::to_string(prefix.size()) +
                   " bytes of an encrypted file's prefix, at least " +
                   std::to_string(2 * block_size) + " are expected");
  }
  *result = std::make_unique<CtrStream>(cipher_, prefix.data() + block_size,
                                        DecodeFixed64(prefix.data()));
  return Status::OK();
}

Status CtrProvider::ConfigureOption(const ConfigOptions& config,
                                    const std::string& name,
                                    const std::string& value) {
  if (name != "cipher") {
    return EncryptionProvider::ConfigureOption(config, name, value);
  }
  return BlockCipher::CreateFromString(config, value, &cipher_);
}

Status CtrProvider::GetOptionString(const ConfigOptions& config,
                                    std::string* result) const {
  *result = "cipher=" + PrintObject(config, cipher_.get()) + ";";
  return Status::OK();
}

Status CtrProvider::PrepareOptions(const ConfigOptions& config) {
  Status s = CheckCipher();
  return s.ok() ? EncryptionProvider::PrepareOptions(config) : s;
}

Status CtrProvider::ValidateOptions(const DBOptions& db_opts,
                                    const ColumnFamilyOptions& cf_opts) const {
  Status s = CheckCipher();
  return s.ok() ? EncryptionProvider::ValidateOptions(db_opts, cf_opts) : s;
}

}  // namespace ROCKSDB_NAMESPACE
