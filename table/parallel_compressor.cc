#include "table/parallel_compressor.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <system_error>

#include "env/job_threads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint32_t kMostThreads = 64;
// So many blocks a thread keep it busy while the file is written.
constexpr size_t kPendingPerThread = 4;
static_assert(kPendingPerThread >= 2, "else threads wait for the writer");

}  // namespace

ParallelCompressor::ParallelCompressor(const BlockCompressor& compressor,
                                       uint32_t thread_count)
    : compressor_(compressor),
      thread_count_(std::clamp(thread_count, 1u, kMostThreads)),
      most_pending_(thread_count_ * kPendingPerThread) {
  INVARIANT(compressor.is_enabled());
}

ParallelCompressor::~ParallelCompressor() {
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    has_work_.SignalAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

Status ParallelCompressor::Start() {
  INVARIANT(threads_.empty() && own_codec_ == nullptr);
  Status s = compressor_.MakeAnother(&own_codec_);
  for (uint32_t i = 0; i < thread_count_ && s.ok(); ++i) {
    std::unique_ptr<BlockCompressor> codec;
    if (s = compressor_.MakeAnother(&codec); !s.ok()) break;
    codecs_.push_back(std::move(codec));
    try {
      threads_.push_back(JobThreads::StartHelper(
          [this, mine = codecs_.back().get()] { Work(mine); }));
    } catch (const std::system_error&) {
      break;  // Those that run do it all.
    }
  }
  return s;
}

void ParallelCompressor::Compress(BlockCompressor* codec, Block* block) {
  INVARIANT(codec != nullptr);
  assert(block->compressed.empty());
  try {
    BlockCompressor::Stored stored;
    block->status = codec->CompressData(block->raw, block->effort, &stored);
    block->is_bypassed = stored.is_bypassed;
    if (!block->status.ok() || stored.type == kNoCompression) return;
    block->compressed.assign(stored.payload.data(), stored.payload.size());
    block->type = stored.type;
  } catch (const std::bad_alloc&) {
    block->status = Status::MemoryLimit("compression of a block");
  }
}

ParallelCompressor::Job* ParallelCompressor::NextJob() {
  const auto next = std::find_if(jobs_.begin(), jobs_.end(),
                                 [](const Job& j) { return !j.is_taken_up; });
  return next == jobs_.end() ? nullptr : &*next;
}

void ParallelCompressor::Work(BlockCompressor* codec) {
  while (true) {
    // A deque's elements stay where they are while others come and go.
    Job* job = nullptr;
    {
      MutexLock lock(&mutex_);
      while (!is_ending_ && (job = NextJob()) == nullptr) has_work_.Wait();
      if (is_ending_) return;
      job->is_taken_up = true;
    }
    Compress(codec, job->block.get());
    MutexLock lock(&mutex_);
    INVARIANT(!job->is_done);
    job->is_done = true;
    has_done_.Signal();
  }
}

void ParallelCompressor::Submit(const Slice& raw, CompressionEffort effort) {
  INVARIANT(own_codec_ != nullptr);
  Job job;
  job.block->effort = effort;
  job.block->raw.assign(raw.data(), raw.size());
  Enqueue(std::move(job));
}

void ParallelCompressor::SubmitDone(const Slice& raw,
                                    const BlockCompressor::Stored& stored) {
  INVARIANT(stored.type != kNoCompression);
  Job job;
  job.block->raw.assign(raw.data(), raw.size());
  job.block->compressed.assign(stored.payload.data(), stored.payload.size());
  job.block->type = stored.type;
  job.block->is_reused = stored.is_reused;
  job.is_taken_up = job.is_done = true;
  Enqueue(std::move(job));
}

void ParallelCompressor::Enqueue(Job job) {
  ++pending_;
  pending_bytes_ += job.block->raw.size();
  MutexLock lock(&mutex_);
  if (!job.is_done) has_work_.Signal();
  jobs_.push_back(std::move(job));
}

bool ParallelCompressor::IsOldestDone() const {
  MutexLock lock(&mutex_);
  return !jobs_.empty() && jobs_.front().is_done;
}

std::unique_ptr<ParallelCompressor::Block> ParallelCompressor::Take() {
  INVARIANT(pending_ > 0);
  std::unique_ptr<Block> block;
  bool is_done = true;
  {
    MutexLock lock(&mutex_);
    INVARIANT(!jobs_.empty());
    Job& oldest = jobs_.front();
    if (!oldest.is_taken_up) {
      is_done = false;  // Nobody has begun: this thread may as well do it.
    } else {
      while (!oldest.is_done) has_done_.Wait();
    }
    block = std::move(oldest.block);
    jobs_.pop_front();
  }
  if (!is_done) Compress(own_codec_.get(), block.get());
  --pending_;
  pending_bytes_ -= block->raw.size();
  return block;
}

}  // namespace ROCKSDB_NAMESPACE
