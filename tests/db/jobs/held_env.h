// An environment whose background jobs run when a test says so, in its thread.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <utility>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE {

class HeldEnv final : public EnvWrapper {
 public:
  HeldEnv() : EnvWrapper(Env::Default()) {}
  ~HeldEnv() override { EXPECT_EQ(job_count(), 0u); }

  void Schedule(void (*function)(void*), void* arg, Priority /*pri*/,
                void* /*tag*/, void (* /*taken_back*/)(void*)) override {
    jobs_.emplace_back(function, arg);
  }
  size_t job_count() const { return jobs_.size(); }
  void RunNext() {
    ASSERT_FALSE(jobs_.empty());
    const auto [function, arg] = jobs_.front();
    jobs_.pop_front();
    function(arg);
  }

 private:
  std::deque<std::pair<void (*)(void*), void*>> jobs_;
};

}  // namespace ROCKSDB_NAMESPACE
