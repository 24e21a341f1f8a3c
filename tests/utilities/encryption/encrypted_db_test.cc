// Nothing of an encrypted database, its checkpoints included, is readable
// without its environment, and it survives failing calls and crashes as any
// other.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env_encryption.h"
#include "rocksdb/utilities/checkpoint.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/vectors.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class EncryptedDbTest : public DbFixture {
 protected:
  EncryptedDbTest()
      : env_(NewEncryptedEnv(Env::Default(),
                             EncryptionProvider::NewCTRProvider(
                                 BlockCipher::NewROT13Cipher(32)))) {
    options_.env = env_.get();
  }
  ~EncryptedDbTest() override { db_.reset(); }

  const std::unique_ptr<Env> env_;
};

TEST_F(EncryptedDbTest, NothingIsReadableWithoutTheEnv) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 1000;
  Open();
  const std::string secret = "a secret that nobody may see";
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put("secretkey" + std::to_string(i), secret));
  }
  ASSERT_OK(Put("blob", secret + std::string(2000, 'b')));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("secretkey_log", secret));
  db_.reset();
  size_t encrypted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    const std::string name = entry.path().filename();
    const std::string bytes = BytesOfFile(entry.path());
    if (name.starts_with("LOG") || name == "LOCK") continue;
    EXPECT_EQ(std::string::npos, bytes.find("secret")) << name;
    EXPECT_GE(bytes.size(), 4096u) << name;
    ++encrypted;
  }
  EXPECT_GE(encrypted, 6u);
  EXPECT_EQ(4096u + 16u, std::filesystem::file_size(path_ + "/CURRENT"));

  options_.env = Env::Default();
  const Status plain = TryOpen();
  EXPECT_TRUE(plain.IsCorruption()) << plain.ToString();
  options_.env = env_.get();
  Open();
  EXPECT_EQ(secret, Get("secretkey7"));
  EXPECT_EQ(secret, Get("secretkey_log"));
  EXPECT_EQ(secret + std::string(2000, 'b'), Get("blob"));
}

TEST_F(EncryptedDbTest, MappedFilesAreRefusedAtOpen) {
  options_.allow_mmap_reads = true;
  Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  options_.allow_mmap_reads = false;
  Open();
}

TEST_F(EncryptedDbTest, ReadsWritesAndCompactionsInEveryMode) {
  for (const std::string mode : {"plain", "direct", "recycled", "async"}) {
    SCOPED_TRACE(mode);
    path_ = directory_.path() + "/" + mode;
    options_.use_direct_reads = mode == "direct";
    options_.use_direct_io_for_flush_and_compaction = mode == "direct";
    options_.recycle_log_file_num = mode == "recycled" ? 2 : 0;
    options_.write_buffer_size = 64 << 10;
    if (mode == "direct") {
      const Status s = TryOpen();
      if (!s.ok()) continue;  // The file system here has no direct I/O.
    }
    Open();
    std::string expected;
    for (int i = 0; i < 2000; ++i) {
      char key[16];
      snprintf(key, sizeof(key), "key%06d", i);
      ASSERT_OK(Put(key, std::string(100, 'a' + i % 26)));
      expected += std::string(key) + "=" + std::string(100, 'a' + i % 26) + " ";
    }
    ReadOptions read;
    read.async_io = mode == "async";
    EXPECT_EQ(expected, Scan(read));
    ASSERT_OK(Flush());
    ASSERT_OK(CompactAll(true));
    EXPECT_EQ(expected, Scan(read));
    ASSERT_OK(db_->VerifyChecksum());
    ASSERT_OK(Put("unflushed", "1"));
    Reopen();
    EXPECT_EQ(expected + "unflushed=1 ", Scan(read));
    db_.reset();
  }
}

TEST_F(EncryptedDbTest, CheckpointsAreEncryptedToo) {
  Open();
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("k2", "v2"));
  Checkpoint* made = nullptr;
  ASSERT_OK(Checkpoint::Create(db_.get(), &made));
  const std::unique_ptr<Checkpoint> checkpoint(made);
  ASSERT_OK(checkpoint->CreateCheckpoint(directory_.path() + "/copy", 1 << 20));
  path_ = directory_.path() + "/copy";
  Reopen();
  EXPECT_EQ("k=v k2=v2 ", Scan());
}

// Whatever fails, and whatever a crash takes: what was synced is there.
TEST_F(EncryptedDbTest, FailedCallsAndCrashes) {
  options_.write_buffer_size = 64 << 10;
  for (uint64_t k = 1; k < 400; k += 7) {
    const auto faults =
        std::make_shared<FaultInjectionFileSystem>(FileSystem::Default(), k);
    const std::unique_ptr<Env> base = NewCompositeEnv(faults);
    const std::unique_ptr<Env> env(NewEncryptedEnv(
        base.get(),
        EncryptionProvider::NewCTRProvider(BlockCipher::NewROT13Cipher(32))));
    options_.env = env.get();
    path_ = directory_.path() + "/faults" + std::to_string(k);
    ASSERT_OK(TryOpen());
    faults->FailCall({.call = k});
    WriteOptions synced;
    synced.sync = true;
    std::string acknowledged;
    for (int i = 0; i < 40; ++i) {
      const std::string key = "key" + std::to_string(100 + i);
      if (!db_->Put(synced, key, "v").ok()) break;
      acknowledged += key + "=v ";
      if (i % 10 == 9 && !Flush().ok()) break;
    }
    const bool failed = faults->failed();
    faults->Deactivate();
    db_.reset();
    ASSERT_TRUE(faults->CrashAndHeal().ok());
    const Status reopened = TryOpen();
    ASSERT_TRUE(reopened.ok()) << "call " << k << ": " << reopened.ToString();
    const std::string found = Scan();
    EXPECT_EQ(acknowledged, found.substr(0, acknowledged.size()))
        << "call " << k;
    db_.reset();
    options_.env = Env::Default();
    if (!failed) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
