// The direct writes of one file, on their way to the device while the next
// bytes are made.
//
// The writer fills a buffer and hands it over; the stream gives it an empty one
// in exchange. At most two buffers are in flight, cut into requests that the
// governor admits.
//
// Threads    One at a time, the same from the first Write() on.
// Ownership  Borrows the file, which must outlive the stream; owns the buffers
//            in flight, and waits for them when destroyed.
// Errors     The first one sticks: it names file, offset and length, and comes
//            from the call that takes it in, or from a later one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "file/aligned_buffer.h"
#include "file/file_io_context.h"
#include "file/io_lane.h"
#include "rocksdb/file_system.h"
#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

class OutputStream {
 public:
  OutputStream(FSWritableFile* file, std::string file_name,
               const FileIoContext& context);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  // Takes the first `bytes` of `*buffer`, whole alignment units, to `offset` of
  // the file, and leaves a buffer of the same capacity, with any content, in
  // its place.
  IOStatus Write(AlignedBuffer* buffer, size_t bytes, uint64_t offset);

  // Waits until the file has all of it.
  IOStatus Drain();

 private:
  struct Flight {
    AlignedBuffer buffer;
    std::deque<IoRequest> requests;
  };
  void TakeIn(Flight* flight);
  void TakeInAll();
  void TakeInRequest(IoRequest* request);

  FSWritableFile* const file_;
  const std::string file_name_;
  const FileIoContext& context_;
  const size_t alignment_;
  const IoSource source_;
  // In turn; the older one is the next to be used.
  std::array<Flight, 2> flights_;
  size_t next_ = 0;
  IOStatus status_;
};

}  // namespace ROCKSDB_NAMESPACE
