#include "db_stress_tool/held_file.h"

#include <algorithm>
#include <utility>

#include "rocksdb/file_checksum.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using CallKind = StressFileSystem::CallKind;

class StressWritableFile : public FSWritableFileOwnerWrapper {
 public:
  StressWritableFile(std::unique_ptr<FSWritableFile> base, StressFileKind kind,
                     std::shared_ptr<HeldBytes> held, StressFileSystem* fs)
      : FSWritableFileOwnerWrapper(std::move(base)),
        path_(std::move(kind.path)),
        direct_(kind.direct),
        held_(std::move(held)),
        fs_(fs) {}
  ~StressWritableFile() override {
    if (held_ != nullptr) held_->NoteClosed();
  }

  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override {
    return Change("Append", [&] {
      if (held_ == nullptr) {
        return FSWritableFileOwnerWrapper::Append(data, options, dbg);
      }
      held_->Hold(data);
      return IOStatus::OK();
    });
  }
  bool use_direct_io() const override {
    return direct_ == DirectIo::kMocked ||
           FSWritableFileOwnerWrapper::use_direct_io();
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const DataVerificationInfo& verification_info,
                  IODebugContext* dbg) override {
    const IOStatus s = CheckHandedOff(data, verification_info.checksum);
    return s.ok() ? Append(data, options, dbg) : s;
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override {
    const IOStatus s =
        CheckAligned(direct_, path_, {offset, data.size(), data.data()});
    if (!s.ok()) return s;
    return Change("PositionedAppend", [&] {
      return FSWritableFileOwnerWrapper::PositionedAppend(data, offset, options,
                                                          dbg);
    });
  }
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& verification_info,
                            IODebugContext* dbg) override {
    const IOStatus s = CheckHandedOff(data, verification_info.checksum);
    return s.ok() ? PositionedAppend(data, offset, options, dbg) : s;
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override {
    return Change("Truncate", [&] {
      IOStatus s = WriteDown(options);
      if (!s.ok()) return s;
      return FSWritableFileOwnerWrapper::Truncate(size, options, dbg);
    });
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override {
    return Change("Close", [&] {
      if (held_ != nullptr) held_->NoteClosed();
      return FSWritableFileOwnerWrapper::Close(options, dbg);
    });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return Change("Sync", [&] {
      IOStatus s = WriteDown(options);
      if (!s.ok()) return s;
      return FSWritableFileOwnerWrapper::Sync(options, dbg);
    });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Change("Fsync", [&] {
      IOStatus s = WriteDown(options);
      if (!s.ok()) return s;
      return FSWritableFileOwnerWrapper::Fsync(options, dbg);
    });
  }
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override {
    return Change("RangeSync", [&] {
      // Nothing is durable by it.
      if (held_ != nullptr) return IOStatus::OK();
      return FSWritableFileOwnerWrapper::RangeSync(offset, nbytes, options,
                                                   dbg);
    });
  }
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override {
    const uint64_t size = FSWritableFileOwnerWrapper::GetFileSize(options, dbg);
    return held_ == nullptr ? size : size + held_->size();
  }

 private:
  template <typename Call>
  IOStatus Change(const char* name, const Call& call) {
    IOStatus s = fs_->Enter(CallKind::kWrite, name, path_);
    if (s.ok()) s = call();
    fs_->Leave(name, path_);
    return s;
  }
  IOStatus WriteDown(const IOOptions& options) {
    if (held_ == nullptr) return IOStatus::OK();
    return held_->WriteDown(options,
                            [&] { fs_->MaybeKill("Transfer", path_); });
  }

  const std::string path_;
  const DirectIo direct_;
  const std::shared_ptr<HeldBytes> held_;
  StressFileSystem* const fs_;
};

}  // namespace

IOStatus CheckHandedOff(const Slice& data, const Slice& handed_off) {
  if (handed_off.empty()) return IOStatus::OK();
  const std::unique_ptr<FileChecksumGenerator> generator =
      GetFileChecksumGenCrc32cFactory()->CreateFileChecksumGenerator(
          FileChecksumGenContext());
  generator->Update(data.data(), data.size());
  generator->Finalize();
  // That one has the highest byte first, this one the lowest.
  std::string wanted = generator->GetChecksum();
  std::reverse(wanted.begin(), wanted.end());
  return handed_off == Slice(wanted)
             ? IOStatus::OK()
             : IOStatus::Corruption("a write is not what its checksum says");
}

void HeldBytes::Hold(const Slice& data) {
  std::lock_guard<std::mutex> lock(mutex_);
  bytes_.append(data.data(), data.size());
}

bool HeldBytes::Peek(uint64_t offset, size_t n, std::string* bytes) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (offset < base_bytes_) return false;
  const uint64_t at = offset - base_bytes_;
  *bytes = at < bytes_.size() ? bytes_.substr(at, n) : std::string();
  return true;
}

size_t HeldBytes::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return bytes_.size();
}

void HeldBytes::NoteClosed() {
  std::lock_guard<std::mutex> lock(mutex_);
  file_ = nullptr;
}

bool HeldBytes::is_closed() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return file_ == nullptr;
}

std::string HeldBytes::Take() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(bytes_, "");
}

std::unique_ptr<FSWritableFile> MakeStressFile(
    std::unique_ptr<FSWritableFile> base, const StressFileKind& kind,
    std::shared_ptr<HeldBytes> held, StressFileSystem* fs) {
  return std::make_unique<StressWritableFile>(std::move(base), kind,
                                              std::move(held), fs);
}

}  // namespace ROCKSDB_NAMESPACE::stress
