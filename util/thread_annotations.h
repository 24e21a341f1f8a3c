#pragma once

// Names for clang's thread-safety analysis; nothing under other compilers.

#if defined(__clang__)
#define BASALT_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define BASALT_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(x) BASALT_THREAD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY BASALT_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) BASALT_THREAD_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) BASALT_THREAD_ANNOTATION(pt_guarded_by(x))
#define REQUIRES(...) BASALT_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) \
  BASALT_THREAD_ANNOTATION(requires_shared_capability(__VA_ARGS__))
#define ACQUIRE(...) BASALT_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) \
  BASALT_THREAD_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) \
  BASALT_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) BASALT_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) \
  BASALT_THREAD_ANNOTATION(release_shared_capability(__VA_ARGS__))
#define RELEASE_GENERIC(...) \
  BASALT_THREAD_ANNOTATION(release_generic_capability(__VA_ARGS__))
#define EXCLUDES(...) BASALT_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) BASALT_THREAD_ANNOTATION(assert_capability(x))
#define RETURN_CAPABILITY(x) BASALT_THREAD_ANNOTATION(lock_returned(x))
#define ACQUIRED_BEFORE(...) \
  BASALT_THREAD_ANNOTATION(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) \
  BASALT_THREAD_ANNOTATION(acquired_after(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS \
  BASALT_THREAD_ANNOTATION(no_thread_safety_analysis)
