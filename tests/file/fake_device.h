// A device with a time of its own, for asynchronous reads and writes.
//
// Requests are served one after the other, each for a latency and a time by its
// size. The time moves where the test says that the processor works, and where
// somebody waits for a request: what a job takes is known exactly, and is the
// same in each run.
//
// Threads    One at a time.
// Ownership  The device outlives its files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "env/async_writable_file.h"
#include "rocksdb/file_system.h"
#include "tests/file/fake_files.h"

namespace ROCKSDB_NAMESPACE {

class FakeDevice : public FileSystemWrapper {
 public:
  FakeDevice() : FileSystemWrapper(FileSystem::Default()) {}

  struct Read {
    FakeDevice* device = nullptr;
    const FSRandomAccessFile* file = nullptr;
    FSReadRequest request;
    std::function<void(FSReadRequest&, void*)> callback;
    void* arg = nullptr;
    uint64_t done_at = 0;
    bool is_delivered = false;

    void Deliver(const IOStatus& refusal) {
      if (std::exchange(is_delivered, true)) return;
      request.status = refusal;
      if (refusal.ok()) {
        request.status = file->Read(request.offset, request.len, IOOptions(),
                                    &request.result, request.scratch, nullptr);
      }
      callback(request, arg);
    }
  };

  const char* Name() const override { return "FakeDevice"; }
  void SupportedOps(int64_t& ops) override {
    ops = int64_t{1} << FSSupportedOps::kAsyncIO;
  }
  IOStatus Poll(std::vector<void*>& handles, size_t least) override {
    if (!poll_error.ok()) return poll_error;
    if (loses_answers) return IOStatus::OK();
    size_t delivered = 0;
    for (void* handle : handles) {
      auto* read = static_cast<Read*>(handle);
      if (delivered < least) now = std::max(now, read->done_at);
      if (read->done_at > now) continue;
      read->Deliver(IOStatus::OK());
      ++delivered;
    }
    // Answers may come with a poll for others.
    if (!delivers_all) return IOStatus::OK();
    for (Read* read : reads) {
      if (read->done_at <= now) read->Deliver(IOStatus::OK());
    }
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    for (void* handle : handles) {
      ++abort_count;
      static_cast<Read*>(handle)->Deliver(IOStatus::Aborted("fake"));
    }
    return IOStatus::OK();
  }

  void Work(uint64_t nanos) { now += nanos; }
  // When a request that is made now will be done.
  uint64_t Serve(size_t bytes) {
    free_at =
        std::max(free_at, now) + latency +
        static_cast<uint64_t>(static_cast<double>(bytes) * nanos_per_byte);
    busy += latency +
            static_cast<uint64_t>(static_cast<double>(bytes) * nanos_per_byte);
    return free_at;
  }

  // Nanoseconds.
  uint64_t now = 0;
  uint64_t free_at = 0;
  uint64_t busy = 0;
  uint64_t latency = 1000;
  double nanos_per_byte = 0;

  IOStatus poll_error;
  bool loses_answers = false;
  bool delivers_all = false;
  int abort_count = 0;
  // Handles that were not given back.
  std::vector<Read*> reads;
  int writes_in_flight = 0;
  int most_writes_in_flight = 0;
};

class DeviceReadableFile : public FakeReadableFile {
 public:
  DeviceReadableFile(ReadLog* log, FakeDevice* device)
      : FakeReadableFile(log), device_(device) {}

  IOStatus ReadAsync(FSReadRequest& request, const IOOptions&,
                     std::function<void(FSReadRequest&, void*)> callback,
                     void* arg, void** handle, IOHandleDeleter* deleter,
                     IODebugContext*) override {
    if (!refusal.ok()) return refusal;
    auto read = std::make_unique<FakeDevice::Read>();
    read->device = device_;
    read->file = this;
    read->request.offset = request.offset;
    read->request.len = request.len;
    read->request.scratch = request.scratch;
    read->callback = std::move(callback);
    read->arg = arg;
    read->done_at = device_->Serve(request.len);
    device_->reads.push_back(read.get());
    *deleter = [](void* raw) {
      const std::unique_ptr<FakeDevice::Read> own(
          static_cast<FakeDevice::Read*>(raw));
      std::erase(own->device->reads, own.get());
    };
    *handle = read.release();
    return IOStatus::OK();
  }

  IOStatus refusal;

 private:
  FakeDevice* const device_;
};

class DeviceWritableFile : public FakeWritableFile, public AsyncWritableFile {
 public:
  DeviceWritableFile(WriteLog* log, FakeDevice* device)
      : FakeWritableFile(log), device_(device) {}

  bool Start(Write* write) override {
    if (refuses) return false;
    write->state =
        std::make_unique<uint64_t>(device_->Serve(write->data.size()))
            .release();
    ++device_->writes_in_flight;
    device_->most_writes_in_flight =
        std::max(device_->most_writes_in_flight, device_->writes_in_flight);
    return true;
  }
  bool Finish(Write* write, Patience patience) override {
    const uint64_t done_at = *static_cast<uint64_t*>(write->state);
    if (patience == Patience::kWait)
      device_->now = std::max(device_->now, done_at);
    if (done_at > device_->now) return false;
    std::unique_ptr<uint64_t>(static_cast<uint64_t*>(write->state)).reset();
    write->state = nullptr;
    write->is_finished = true;
    write->status =
        PositionedAppend(write->data, write->offset, IOOptions(), nullptr);
    --device_->writes_in_flight;
    return true;
  }

  bool refuses = false;

 private:
  FakeDevice* const device_;
};

}  // namespace ROCKSDB_NAMESPACE
