#include "file/handed_read.h"

#include "file/io_helpers.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<HandedRead> HandedRead::Start(IoHelpers* helpers,
                                              const Request& request) {
  INVARIANT(helpers != nullptr);
  INVARIANT(request.file != nullptr && request.buffer != nullptr);
  auto read = std::make_shared<HandedRead>(PassKey{}, helpers, request);
  helpers->Run([weak = std::weak_ptr<HandedRead>(read)] {
    // Gone: it was made, or nobody wants it.
    const std::shared_ptr<HandedRead> read = weak.lock();
    if (read != nullptr && read->Claim()) read->Read();
  });
  return read;
}

HandedRead::HandedRead(PassKey, IoHelpers* helpers, const Request& request)
    : helpers_(helpers), request_(request) {}

bool HandedRead::Claim() {
  // relaxed: is_done_ orders what the read leaves behind.
  return !is_claimed_.exchange(true, std::memory_order_relaxed);
}

void HandedRead::Read() {
  status_ =
      request_.file->Read(request_.offset, request_.length, request_.options,
                          &result_, request_.buffer, nullptr);
  // release: pairs with the acquire of who waits.
  is_done_.store(true, std::memory_order_release);
}

IOStatus HandedRead::Wait(Slice* result) {
  if (Claim()) {
    Read();
  } else {
    helpers_->WaitFor(is_done_);
  }
  if (status_.ok()) *result = result_;
  return status_;
}

void HandedRead::Abort() {
  if (!Claim()) helpers_->WaitFor(is_done_);
  status_.PermitUncheckedError();
}

}  // namespace ROCKSDB_NAMESPACE
