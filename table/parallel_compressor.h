#pragma once

// Compresses the data blocks of one table file on threads of its own
// (CompressionOptions::parallel_threads), and gives them back in the order in
// which they came, so that the file is the one that one thread would write.
//
// Contract   Start(), then Submit() and Take() in any mixture, as many Take()s
//            as Submit()s at most.
// Threads    One thread calls. Where the system has no more threads, Take()
//            does the work.
// Ownership  Owns what is submitted until it is taken.
// Errors     Take() tells those of its block.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/status.h"
#include "table/block_compressor.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ParallelCompressor {
 public:
  struct Block {
    std::string raw;
    CompressionEffort effort = CompressionEffort::kAsAsked;
    std::string compressed;
    CompressionType type = kNoCompression;  // then raw is to be stored
    bool is_reused = false;                 // came compressed
    bool is_bypassed = false;               // was not tried
    Status status;

    Slice payload() const { return type == kNoCompression ? raw : compressed; }
    BlockCompressor::Stored stored() const {
      return {payload(), type, is_reused, is_bypassed};
    }
  };

  // `compressor` is prepared and has its dictionary; it must outlive this.
  ParallelCompressor(const BlockCompressor& compressor, uint32_t thread_count);
  ~ParallelCompressor();
  ParallelCompressor(const ParallelCompressor&) = delete;
  ParallelCompressor& operator=(const ParallelCompressor&) = delete;

  Status Start();

  void Submit(const Slice& raw, CompressionEffort effort) EXCLUDES(mutex_);
  // One whose stored form is known.
  void SubmitDone(const Slice& raw, const BlockCompressor::Stored& stored)
      EXCLUDES(mutex_);
  // The oldest that was not taken yet; waits for it.
  std::unique_ptr<Block> Take() EXCLUDES(mutex_);
  // Take() would not wait.
  bool IsOldestDone() const EXCLUDES(mutex_);
  // More would only take up memory: Take() some first.
  bool IsFull() const { return pending_ >= most_pending_; }
  bool IsEmpty() const { return pending_ == 0; }
  // Before compression, of all that was not taken yet.
  uint64_t pending_bytes() const { return pending_bytes_; }

 private:
  struct Job {
    std::unique_ptr<Block> block = std::make_unique<Block>();
    bool is_taken_up = false;
    bool is_done = false;
  };
  static void Compress(BlockCompressor* codec, Block* block);
  void Work(BlockCompressor* codec) EXCLUDES(mutex_);
  Job* NextJob() REQUIRES(mutex_);
  void Enqueue(Job job) EXCLUDES(mutex_);

  const BlockCompressor& compressor_;
  const uint32_t thread_count_;
  const size_t most_pending_;
  size_t pending_ = 0;
  uint64_t pending_bytes_ = 0;

  std::unique_ptr<BlockCompressor> own_codec_;            // for Take()
  std::vector<std::unique_ptr<BlockCompressor>> codecs_;  // one a thread
  std::vector<std::thread> threads_;

  // Guards what follows; the jobs' blocks belong to who has taken them up.
  mutable Mutex mutex_;
  CondVar has_work_{&mutex_};
  CondVar has_done_{&mutex_};
  std::deque<Job> jobs_ GUARDED_BY(mutex_);  // oldest first
  bool is_ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace ROCKSDB_NAMESPACE
