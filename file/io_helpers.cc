#include "file/io_helpers.h"

#include <utility>

#include "env/job_threads.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// One thread gains nothing from more requests in flight than this.
constexpr int kThreadCount = 4;
static_assert(kThreadCount > 1, "reads and writes overlap each other");

}  // namespace

std::shared_ptr<IoHelpers> IoHelpers::Get() {
  struct Shared {
    Mutex mutex;
    std::weak_ptr<IoHelpers> helpers GUARDED_BY(mutex);
  };
  // Never destroyed: a thread may end after the statics.
  static Shared& shared = *std::make_unique<Shared>().release();
  MutexLock lock(&shared.mutex);
  std::shared_ptr<IoHelpers> helpers = shared.helpers.lock();
  if (helpers == nullptr) {
    helpers = std::make_shared<IoHelpers>(kThreadCount);
    shared.helpers = helpers;
  }
  return helpers;
}

IoHelpers::IoHelpers(int most_threads)
    : most_threads_(static_cast<size_t>(most_threads)) {
  INVARIANT(most_threads > 0);
}

IoHelpers::~IoHelpers() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    has_work_.SignalAll();
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

void IoHelpers::Run(std::function<void()> job) {
  INVARIANT(job != nullptr);
  MutexLock lock(&mutex_);
  jobs_.push_back(std::move(job));
  if (jobs_.size() > idle_ && threads_.size() < most_threads_) {
    threads_.push_back(JobThreads::StartOutside([this] { Work(); }));
  }
  has_work_.Signal();
}

void IoHelpers::WaitFor(const std::atomic<bool>& is_done) {
  MutexLock lock(&mutex_);
  // acquire: pairs with the release of the job.
  while (!is_done.load(std::memory_order_acquire)) has_done_.Wait();
}

void IoHelpers::Work() {
  MutexLock lock(&mutex_);
  while (true) {
    while (jobs_.empty() && !is_ending_) {
      ++idle_;
      has_work_.Wait();
      --idle_;
    }
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    mutex_.Unlock();
    job();
    mutex_.Lock();
    has_done_.SignalAll();
  }
}

}  // namespace ROCKSDB_NAMESPACE
