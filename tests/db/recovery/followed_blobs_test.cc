// Blob files that another process writes, as far as its logs refer to them. The
// cases of tests/testdata/opening/followed_blobs.txt are
//
//   follow [wary]          wary: its writer is gone, and may have crashed
//   STEP                   one a line
//
// where a STEP is append FILE KEY VALUE (to what the file is to have), tear
// FILE KEY (a byte of its value is wrong; "header": of that), write FILE
// [BYTES] (the file has so much of it; negative: all but so many), want KEY
// [size:N] (the log refers to it), read KEY, or files (that are followed).
#include "db/recovery/followed_blobs.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "db/blob/blob_format.h"
#include "db/blob/blob_source.h"
#include "tests/db/tables/table_files.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Blob files that another process writes: a header and records so far.
class FollowedWorld {
 public:
  FollowedWorld() {
    f.Open(/*pins=*/true);
    BlobSource::Context context;
    context.db = f.db.get();
    context.directory = "/db";
    source = std::make_unique<BlobSource>(std::move(context));
  }

  // What the file has by now.
  std::string& File(uint64_t number) {
    std::string& bytes = bytes_[number];
    if (bytes.empty()) BlobFileHeader().EncodeTo(&bytes);
    return bytes;
  }
  // The first bytes of it.
  void Write(uint64_t number, size_t size = std::string::npos) {
    ASSERT_TRUE(WriteStringToFile(f.fs.get(), File(number).substr(0, size),
                                  BlobFileName("/db", number))
                    .ok());
  }
  // A record, and what the log says of it.
  BlobIndex Append(uint64_t number, const std::string& key,
                   const std::string& value) {
    std::string& bytes = File(number);
    BlobIndex index;
    index.file_number = number;
    index.offset = bytes.size() + BlobValueOffset(key.size());
    index.size = value.size();
    BlobRecordHeader::Encode(key, value, &bytes);
    bytes += key + value;
    return index;
  }
  Status Want(FollowedBlobs* blobs, const BlobIndex& blob) {
    return blobs->Want(f.fs.get(), *source, blob);
  }
  std::string Read(const std::string& key, const BlobIndex& index) {
    const BlobFileState* const file =
        source->growing()->Find(index.file_number);
    if (file == nullptr) return "no file";
    PinnableSlice value;
    const Status s = source->Get(ReadOptions(), *file->file,
                                 {.user_key = key, .index = index}, &value);
    return s.ok() ? "=" + value.ToString() : s.ToString();
  }

  TableFiles f;
  std::unique_ptr<BlobSource> source;

 private:
  std::map<uint64_t, std::string> bytes_;
};

class FollowedBlobsTest : public ::testing::Test, protected FollowedWorld {
 protected:
  using Trust = FollowedBlobs::Trust;
};

TEST_F(FollowedBlobsTest, AFileIsOpenWhileSomebodyFollowsIt) {
  const BlobIndex index = Append(7, "a", "one");
  Write(7);
  {
    FollowedBlobs second(*source, Trust::kWriterLives);
    {
      FollowedBlobs first(*source, Trust::kWriterLives);
      ASSERT_TRUE(Want(&first, index).ok());
      ASSERT_TRUE(Want(&second, index).ok());
      EXPECT_EQ(first.files()[0].file, second.files()[0].file);
      EXPECT_EQ(f.RandomHandles(), 1u);
    }
    EXPECT_EQ(Read("a", index), "=one");
  }
  EXPECT_EQ(source->growing()->Find(7), nullptr);
  EXPECT_EQ(f.RandomHandles(), 0u);
}

// --- the script

class FollowScript {
 public:
  explicit FollowScript(FollowedBlobs::Trust trust)
      : blobs_(*world_.source, trust) {}

  // "": the step has no answer.
  std::string Step(const ScriptWords& words) {
    const std::string& verb = words.verb();
    if (verb == "files") return Files();
    const std::string& name = words.Word(0);
    if (verb == "append") {
      const std::string& key = words.Word(1);
      indexes_[key] = world_.Append(std::stoull(name), key, words.Word(2));
    } else if (verb == "tear") {
      Tear(std::stoull(name), words.Word(1));
    } else if (verb == "write") {
      Write(words);
    } else if (verb == "want") {
      BlobIndex index = indexes_.at(name);
      index.size = words.Number("size", index.size);
      return name + " " + world_.Want(&blobs_, index).ToString();
    } else if (verb == "read") {
      return name + " " + world_.Read(name, indexes_.at(name));
    } else {
      ADD_FAILURE() << "what is " << verb << "?";
    }
    return "";
  }

 private:
  // "write 7", "write 7 29": 29 bytes, "write 7 -1": all but one
  void Write(const ScriptWords& words) {
    const uint64_t number = std::stoull(words.Word(0));
    if (words.words().size() == 1) return world_.Write(number);
    const int64_t size = std::stoll(words.Word(1));
    world_.Write(number, size < 0 ? world_.File(number).size() + size : size);
  }
  // The first byte of its header, or of the value of that key.
  void Tear(uint64_t number, const std::string& what) {
    std::string& bytes = world_.File(number);
    bytes.at(what == "header" ? 0 : indexes_.at(what).offset) ^= 1;
  }
  std::string Files() const {
    std::string text;
    for (const FollowedBlobs::Followed& one : blobs_.files()) {
      text += (text.empty() ? "" : "; ") +
              std::to_string(one.file->record.number) + " up to " +
              std::to_string(one.size_bytes);
      if (one.whole_bytes != UINT64_MAX) {
        text += ", whole up to " + std::to_string(one.whole_bytes);
      }
    }
    return text.empty() ? "none" : text;
  }

  FollowedWorld world_;
  FollowedBlobs blobs_;
  std::map<std::string, BlobIndex> indexes_;
};

std::string RunFollowCase(const ScriptCase& c) {
  using Trust = FollowedBlobs::Trust;
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "follow");
  FollowScript script(command.HasWord("wary") ? Trust::kNobodyWrites
                                              : Trust::kWriterLives);
  std::string text;
  for (const std::string& line : LinesOf(c.body)) {
    const ScriptWords words(line);
    const std::string answer = script.Step(words);
    if (!answer.empty()) text += words.verb() + " " + answer + "\n";
  }
  return text;
}

TEST(FollowedBlobsScriptTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("opening/followed_blobs.txt", RunFollowCase), 15u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
