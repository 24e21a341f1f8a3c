#include "tests/env/file_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/counted_file_system.h"
#include "env/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/testing/mock_clock.h"
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string TextOfStep(const std::string& word) {
  const size_t star = word.find('*');
  const std::string text = BytesOfText(word.substr(0, star));
  if (star == std::string::npos) return text;
  std::string repeated;
  for (uint64_t n = std::stoull(word.substr(star + 1)); n > 0; --n) {
    repeated += text;
  }
  return repeated;
}
std::string ShownText(const Slice& data) {
  if (data.size() > 60) return std::to_string(data.size()) + " bytes";
  return data.empty() ? "\"\"" : TextOfBytes(data.ToStringView());
}

class NamedRawFiles final : public FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "script.raw"; }
};

// It is made from text alone.
std::shared_ptr<FileSystem> ReadOnlyOver(
    const std::shared_ptr<FileSystem>& raw) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  config.registry = ObjectRegistry::NewInstance();
  config.registry->AddLibrary("script")->AddFactory<FileSystem>(
      "script.raw",
      [raw](const std::string& /*uri*/, std::unique_ptr<FileSystem>* guard,
            std::string* /*error*/) {
        *guard = std::make_unique<NamedRawFiles>(raw);
        return guard->get();
      });
  std::shared_ptr<FileSystem> result;
  const Status s = FileSystem::CreateFromString(
      config, "{id=ReadOnlyFileSystem;target=script.raw}", &result);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return result;
}

class FileWorld {
 public:
  explicit FileWorld(const ScriptWords& command) {
    MemFileSystemOptions options;
    options.direct_alignment = command.Number("alignment", 4096);
    options.accepts_direct_io = !command.HasWord("no_direct");
    options.implicit_directories = command.HasWord("implicit");
    options.capacity_bytes = command.Number("capacity", UINT64_MAX);
    const auto memory = std::make_shared<MemFileSystem>(clock_, options);
    memory_ = memory.get();
    raw_ = memory;
    fs_ = memory;
    if (command.verb() == "read_only") {
      fs_ = ReadOnlyOver(raw_);
    } else if (command.verb() == "counted") {
      const auto counted = std::make_shared<CountedFileSystem>(raw_);
      counters_ = &counted->counters();
      fs_ = counted;
    } else if (command.verb() == "encrypted") {
      fs_ = NewEncryptedFS(raw_, EncryptionProvider::NewCTRProvider(
                                     BlockCipher::NewROT13Cipher(16)));
    } else {
      EXPECT_EQ(command.verb(), "memory");
    }
  }
  ~FileWorld() {
    for (const auto& [path, lock] : locks_) {
      EXPECT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
    }
  }
  FileWorld(const FileWorld&) = delete;
  FileWorld& operator=(const FileWorld&) = delete;

  std::string Take(const std::string& who, const ScriptWords& step) {
    if (who == "clock") {
      clock_->Advance(std::stoull(step.Word(0)) * 1'000'000);
      return "OK";
    }
    EXPECT_TRUE(who == "fs" || who == "raw") << who;
    FileSystem& fs = who == "fs" ? *fs_ : *raw_;
    static const std::map<std::string, std::string (FileWorld::*)(
                                           FileSystem&, const ScriptWords&)>
        steps = {
            {"write", &FileWorld::Write},      {"append", &FileWorld::Append},
            {"create", &FileWorld::Create},    {"reuse", &FileWorld::Reuse},
            {"write_at", &FileWorld::WriteAt}, {"read", &FileWorld::Read},
            {"read_at", &FileWorld::ReadAt},   {"skip", &FileWorld::Skip},
            {"list", &FileWorld::List},        {"hold", &FileWorld::Hold},
            {"held", &FileWorld::Held},        {"lock", &FileWorld::Lock},
            {"unlock", &FileWorld::Unlock},    {"durable", &FileWorld::Durable},
            {"sync_dir", &FileWorld::SyncDir}};
    const auto found = steps.find(step.verb());
    if (found != steps.end()) return (this->*found->second)(fs, step);
    if (step.verb() == "counts") return Counts();
    if (step.verb() == "let_go") return held_.reset(), "OK";
    if (step.words().size() > 1) return OfTwo(fs, step);
    return OfPath(fs, step, step.Word(0));
  }

 private:
  static FileOptions OptionsOf(const ScriptWords& step) {
    FileOptions options;
    options.use_direct_reads = step.HasWord("direct");
    options.use_direct_writes = options.use_direct_reads;
    return options;
  }
  std::string Written(IOStatus s, FSWritableFile* file, const Slice& data) {
    if (s.ok()) s = file->Append(data, io_, nullptr);
    if (s.ok()) s = file->Close(io_, nullptr);
    return s.ToString();
  }

  std::string Write(FileSystem& fs, const ScriptWords& step) {
    return WriteStringToFile(&fs, TextOfStep(step.Word(1)), step.Word(0))
        .ToString();
  }
  std::string Append(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s =
        fs.ReopenWritableFile(step.Word(0), FileOptions(), &file, nullptr);
    return Written(s, file.get(), TextOfStep(step.Word(1)));
  }
  std::string Create(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s =
        fs.NewWritableFile(step.Word(0), OptionsOf(step), &file, nullptr);
    return Written(s, file.get(), "");
  }
  std::string Reuse(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSWritableFile> file;
    const IOStatus s = fs.ReuseWritableFile(step.Word(0), step.Word(1),
                                            FileOptions(), &file, nullptr);
    return Written(s, file.get(), TextOfStep(step.Word(2)));
  }
  std::string WriteAt(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSRandomRWFile> file;
    IOStatus s =
        fs.NewRandomRWFile(step.Word(0), FileOptions(), &file, nullptr);
    if (s.ok()) {
      s = file->Write(std::stoull(step.Word(1)), TextOfStep(step.Word(2)), io_,
                      nullptr);
    }
    if (s.ok()) s = file->Close(io_, nullptr);
    return s.ToString();
  }

  std::string Read(FileSystem& fs, const ScriptWords& step) {
    std::string data;
    const IOStatus s = ReadFileToString(&fs, step.Word(0), &data);
    return s.ok() ? ShownText(data) : s.ToString();
  }
  std::string ReadAt(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSRandomAccessFile> file;
    const IOStatus s =
        fs.NewRandomAccessFile(step.Word(0), OptionsOf(step), &file, nullptr);
    if (!s.ok()) return s.ToString();
    return PartOf(*file, std::stoull(step.Word(1)), std::stoull(step.Word(2)));
  }
  std::string PartOf(const FSRandomAccessFile& file, uint64_t offset,
                     size_t n) {
    // Aligned as direct files may want it.
    constexpr size_t kAlignment = 16384;
    const size_t room = (n / kAlignment + 1) * kAlignment;
    const std::unique_ptr<char, decltype(&free)> buffer(
        static_cast<char*>(aligned_alloc(kAlignment, room)), &free);
    Slice result;
    const IOStatus s =
        file.Read(offset, n, io_, &result, buffer.get(), nullptr);
    return s.ok() ? ShownText(result) : s.ToString();
  }
  std::string Skip(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSSequentialFile> file;
    IOStatus s =
        fs.NewSequentialFile(step.Word(0), FileOptions(), &file, nullptr);
    if (s.ok()) s = file->Skip(std::stoull(step.Word(1)));
    std::string scratch(std::stoull(step.Word(2)), '?');
    Slice result;
    if (s.ok()) {
      s = file->Read(scratch.size(), io_, &result, scratch.data(), nullptr);
    }
    return s.ok() ? ShownText(result) : s.ToString();
  }
  // name=BYTES, in the order of names; directories have a slash.
  std::string List(FileSystem& fs, const ScriptWords& step) {
    const std::string& path = step.Word(0);
    std::vector<std::string> names;
    const IOStatus s = fs.GetChildren(path, io_, &names, nullptr);
    if (!s.ok()) return s.ToString();
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) {
      bool is_dir = false;
      const std::string full = path + "/" + name;
      EXPECT_TRUE(fs.IsDirectory(full, io_, &is_dir, nullptr).ok());
      text += (text.empty() ? "" : " ") + name + (is_dir ? "/" : "");
    }
    return text.empty() ? "nothing" : text;
  }

  std::string Hold(FileSystem& fs, const ScriptWords& step) {
    return fs.NewRandomAccessFile(step.Word(0), FileOptions(), &held_, nullptr)
        .ToString();
  }
  std::string Held(FileSystem& /*fs*/, const ScriptWords& step) {
    return PartOf(*held_, std::stoull(step.Word(0)), std::stoull(step.Word(1)));
  }
  std::string Lock(FileSystem& fs, const ScriptWords& step) {
    FileLock* lock = nullptr;
    const IOStatus s = fs.LockFile(step.Word(0), io_, &lock, nullptr);
    if (s.ok()) locks_[step.Word(0)] = lock;
    return s.ToString();
  }
  std::string Unlock(FileSystem& fs, const ScriptWords& step) {
    FileLock* const lock = locks_.at(step.Word(0));
    locks_.erase(step.Word(0));
    return fs.UnlockFile(lock, io_, nullptr).ToString();
  }
  std::string Durable(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSWritableFile> file;
    IOStatus s =
        fs.ReopenWritableFile(step.Word(0), FileOptions(), &file, nullptr);
    if (s.ok()) s = file->Flush(io_, nullptr);
    if (s.ok()) s = file->Sync(io_, nullptr);
    if (s.ok()) s = file->Fsync(io_, nullptr);
    if (s.ok()) s = file->Close(io_, nullptr);
    return s.ToString();
  }
  std::string SyncDir(FileSystem& fs, const ScriptWords& step) {
    std::unique_ptr<FSDirectory> directory;
    IOStatus s = fs.NewDirectory(step.Word(0), io_, &directory, nullptr);
    if (s.ok()) s = directory->Fsync(io_, nullptr);
    if (s.ok()) s = directory->Close(io_, nullptr);
    return s.ToString();
  }

  std::string OfTwo(FileSystem& fs, const ScriptWords& step) {
    const std::string &verb = step.verb(), &a = step.Word(0), &b = step.Word(1);
    if (verb == "rename") return fs.RenameFile(a, b, io_, nullptr).ToString();
    if (verb == "link") return fs.LinkFile(a, b, io_, nullptr).ToString();
    if (verb == "truncate") {
      return fs.Truncate(a, std::stoull(b), io_, nullptr).ToString();
    }
    EXPECT_EQ(verb, "same");
    bool is_same = false;
    const IOStatus s = fs.AreFilesSame(a, b, io_, &is_same, nullptr);
    return !s.ok() ? s.ToString() : is_same ? "yes" : "no";
  }
  std::string OfPath(FileSystem& fs, const ScriptWords& step,
                     const std::string& path) {
    const std::string& verb = step.verb();
    if (verb == "delete") return fs.DeleteFile(path, io_, nullptr).ToString();
    if (verb == "mkdir") return fs.CreateDir(path, io_, nullptr).ToString();
    if (verb == "mkdir_if") {
      return fs.CreateDirIfMissing(path, io_, nullptr).ToString();
    }
    if (verb == "rmdir") return fs.DeleteDir(path, io_, nullptr).ToString();
    if (verb == "exists") return fs.FileExists(path, io_, nullptr).ToString();
    if (verb == "sync") {
      return fs.SyncFile(path, FileOptions(), io_, false, nullptr).ToString();
    }
    if (verb == "is_closed") {
      return memory_->IsClosedEverywhere(path) ? "yes" : "no";
    }
    if (verb == "is_dir") {
      bool is_dir = false;
      const IOStatus s = fs.IsDirectory(path, io_, &is_dir, nullptr);
      return !s.ok() ? s.ToString() : is_dir ? "yes" : "no";
    }
    if (verb == "absolute") {
      std::string absolute;
      const IOStatus s = fs.GetAbsolutePath(path, io_, &absolute, nullptr);
      return s.ok() ? absolute : s.ToString();
    }
    return NumberOf(fs, verb, path);
  }
  std::string NumberOf(FileSystem& fs, const std::string& verb,
                       const std::string& path) {
    uint64_t number = 0;
    IOStatus s;
    if (verb == "size") {
      s = fs.GetFileSize(path, io_, &number, nullptr);
    } else if (verb == "links") {
      s = fs.NumFileLinks(path, io_, &number, nullptr);
    } else {
      EXPECT_EQ(verb, "age");
      s = fs.GetFileModificationTime(path, io_, &number, nullptr);
      number = clock_->NowMicros() / 1'000'000 - number;
    }
    return s.ok() ? std::to_string(number) : s.ToString();
  }

  std::string Counts() const {
    const FileOpCounters& c = *counters_;
    std::string text;
    const auto add = [&](const char* name, uint64_t count) {
      if (count == 0) return;
      text += (text.empty() ? "" : " ") + std::string(name) + ":" +
              std::to_string(count);
    };
    add("opens", c.opens);
    add("closes", c.closes);
    add("deletes", c.deletes);
    add("renames", c.renames);
    add("flushes", c.flushes);
    add("syncs", c.syncs);
    add("dsyncs", c.dsyncs);
    add("fsyncs", c.fsyncs);
    add("dir_opens", c.dir_opens);
    add("dir_closes", c.dir_closes);
    add("reads", c.reads.ops);
    add("bytes_read", c.reads.bytes);
    add("writes", c.writes.ops);
    add("bytes_written", c.writes.bytes);
    return text.empty() ? "none" : text;
  }

  const IOOptions io_;
  const std::shared_ptr<MockClock> clock_ = std::make_shared<MockClock>();
  MemFileSystem* memory_ = nullptr;
  std::shared_ptr<FileSystem> raw_;
  std::shared_ptr<FileSystem> fs_;
  const FileOpCounters* counters_ = nullptr;
  std::unique_ptr<FSRandomAccessFile> held_;
  std::map<std::string, FileLock*> locks_;
};

}  // namespace

size_t RunFileScript(const std::string& file) {
  return RunScript(file, [](const ScriptCase& c) {
    FileWorld world((ScriptWords(c.command)));
    return AnswersOfSteps(c,
                          [&](const std::string& who, const ScriptWords& step) {
                            return world.Take(who, step);
                          });
  });
}

}  // namespace ROCKSDB_NAMESPACE
