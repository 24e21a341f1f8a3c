// Environments: where files lie, and the threads of background work.

#include "c/handles.h"

namespace ROCKSDB_NAMESPACE::c_api {

extern "C" {

// The system's. Its threads are those of all databases that use it.
rocksdb_env_t* rocksdb_create_default_env(void) {
  auto* result = Own<rocksdb_env_t>();
  result->rep = Env::Default();
  return result;
}

// Files in memory, which go with the environment.
rocksdb_env_t* rocksdb_create_mem_env(void) {
  auto* result = Own<rocksdb_env_t>();
  result->owned.reset(NewMemEnv(Env::Default()));
  result->rep = result->owned.get();
  return result;
}

void rocksdb_env_destroy(rocksdb_env_t* env) { End(env); }

// The threads of priority LOW, which compact.
void rocksdb_env_set_background_threads(rocksdb_env_t* env, int count) {
  env->rep->SetBackgroundThreads(count);
}

int rocksdb_env_get_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads();
}

void rocksdb_env_set_low_priority_background_threads(rocksdb_env_t* env,
                                                     int count) {
  env->rep->SetBackgroundThreads(count, Env::LOW);
}

int rocksdb_env_get_low_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::LOW);
}

// Those that flush.
void rocksdb_env_set_high_priority_background_threads(rocksdb_env_t* env,
                                                      int count) {
  env->rep->SetBackgroundThreads(count, Env::HIGH);
}

int rocksdb_env_get_high_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::HIGH);
}

// Those that compact into the last level.
void rocksdb_env_set_bottom_priority_background_threads(rocksdb_env_t* env,
                                                        int count) {
  env->rep->SetBackgroundThreads(count, Env::BOTTOM);
}

int rocksdb_env_get_bottom_priority_background_threads(rocksdb_env_t* env) {
  return env->rep->GetBackgroundThreads(Env::BOTTOM);
}

void rocksdb_env_join_all_threads(rocksdb_env_t* env) {
  env->rep->WaitForJoin();
}

void rocksdb_env_lower_thread_pool_io_priority(rocksdb_env_t* env) {
  env->rep->LowerThreadPoolIOPriority();
}

void rocksdb_env_lower_high_priority_thread_pool_io_priority(
    rocksdb_env_t* env) {
  env->rep->LowerThreadPoolIOPriority(Env::HIGH);
}

void rocksdb_env_lower_thread_pool_cpu_priority(rocksdb_env_t* env) {
  env->rep->LowerThreadPoolCPUPriority();
}

void rocksdb_env_lower_high_priority_thread_pool_cpu_priority(
    rocksdb_env_t* env) {
  env->rep->LowerThreadPoolCPUPriority(Env::HIGH);
}

void rocksdb_create_dir_if_missing(rocksdb_env_t* env, const char* path,
                                   char** errptr) {
  if (IsNull(env, "env", errptr) || IsNull(path, "path", errptr)) return;
  (void)Fails(env->rep->CreateDirIfMissing(path), errptr);
}

// Must outlive what is opened with the options.
void rocksdb_envoptions_set_rate_limiter(rocksdb_envoptions_t* options,
                                         rocksdb_ratelimiter_t* limiter) {
  options->rep.rate_limiter = limiter == nullptr ? nullptr : limiter->rep.get();
}

}  // extern "C"

}  // namespace ROCKSDB_NAMESPACE::c_api
