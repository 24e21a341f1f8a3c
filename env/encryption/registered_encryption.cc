// Ciphers, providers and encrypted file systems by name.
#include <memory>
#include <string>

#include "env/encryption/ctr_provider.h"
#include "env/encryption/encrypted_file_system.h"
#include "env/encryption/rot13_cipher.h"
#include "options/builtin_objects.h"
#include "options/object_kinds.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

Status EncryptionProvider::CreateFromString(
    const ConfigOptions& config_options, const std::string& value,
    std::shared_ptr<EncryptionProvider>* result) {
  const std::string_view text = TrimSpace(value);
  if (IsNullText(text)) {
    result->reset();
    return Status::OK();
  }
  ObjectText parts;
  if (Status s = SplitObjectText(text, &parts); !s.ok()) return s;
  std::unique_ptr<EncryptionProvider> made;
  Status s = RegistryOf(config_options).NewUniqueObject(parts.id, &made);
  if (s.IsNotSupported() && config_options.ignore_unsupported_options) {
    result->reset();
    return Status::OK();
  }
  if (!s.ok()) return s;
  s = ConfigureObject(config_options, parts, made.get());
  // One without its cipher is handed out all the same: a key may follow.
  if (s.ok() || s.IsNotFound()) *result = std::move(made);
  return s;
}

std::shared_ptr<EncryptionProvider> EncryptionProvider::NewCTRProvider(
    const std::shared_ptr<BlockCipher>& cipher) {
  return std::make_shared<CtrProvider>(cipher);
}

namespace {

using PatternEntry = ObjectLibrary::PatternEntry;

void AddCiphers(ObjectLibrary* library) {
  library->AddFactory<BlockCipher>(
      PatternEntry(Rot13Cipher::kClassName()).AddNumber(":"),
      [](const std::string& id, std::unique_ptr<BlockCipher>* guard,
         std::string* message) {
        size_t block_size = Rot13Cipher::kDefaultBlockSize;
        const size_t colon = id.find(':');
        if (colon != std::string::npos &&
            (!ParseSizeT(id.substr(colon + 1), &block_size) ||
             block_size == 0)) {
          *message = "bad block size of a cipher";
        } else {
          *guard = std::make_unique<Rot13Cipher>(block_size);
        }
        return guard->get();
      });
}

void AddProviders(ObjectLibrary* library) {
  AddBuiltin<EncryptionProvider, CtrProvider>(CtrProvider::kClassName());
  library->AddFactory<EncryptionProvider>(
      PatternEntry(CtrProvider::kClassName(), false)
          .AnotherName("1")
          .AddSuffix("://test"),
      [](const std::string&, std::unique_ptr<EncryptionProvider>* guard,
         std::string*) {
        *guard = std::make_unique<CtrProvider>(std::make_shared<Rot13Cipher>());
        return guard->get();
      });
}

void RegisterEncryption() {
  ObjectLibrary* const library = BuiltinLibrary().get();
  AddCiphers(library);
  AddProviders(library);
  AddBuiltin<FileSystem, EncryptedFileSystemImpl>(
      EncryptedFileSystem::kClassName());
}

ROCKSDB_REGISTER_OBJECTS(RegisterEncryption);

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
