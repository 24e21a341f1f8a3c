// The virtual machine: classes that are looked up once, and threads of the
// engine's that call into it.
#pragma once

#include <jni.h>

#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::jni {

// Global references, made when the library is loaded.
struct JavaClasses {
  bool assertions = false;
  jclass assertion_error, illegal_state, illegal_argument, null_pointer,
      index_out_of_bounds, out_of_memory, status, callbacks, string, byte_array;
  jmethodID new_assertion_error;  // From any object.
  jmethodID to_exception;         // Status.toException(byte[])
  jmethodID new_string;           // String(byte[], String)
  jstring utf8;                   // The name of that encoding.

  // Methods of Callbacks.
  jmethodID compare, find_separator, find_successor, log, on_event,
      filter_table, create_filter, trace_write, trace_close, trace_size,
      wal_families, wal_record, batch_event, batch_continues, snapshot_created,
      flink_time, flink_elements, update_in_place, select_partition,
      schedule_job, wait_for_job, cancel_jobs, job_installed, describe;

  // A String of Java's from UTF-8; null with an exception if that fails.
  jobject NewText(JNIEnv* env, const std::string& text) const;
};

const JavaClasses& Classes();

// The environment of this thread, which becomes a daemon thread of the virtual
// machine if it is none yet, until it ends. Null while the machine goes down.
JNIEnv* AttachedThread();

// A frame of local references round a callback.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* env) : env_(env) { env->PushLocalFrame(16); }
  ~LocalFrame() { env_->PopLocalFrame(nullptr); }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;

 private:
  JNIEnv* env_;
};

// After a call into Java: takes an exception of it away and answers its text;
// empty if there was none. With `keep`, the exception is thrown on when the
// native method that this thread is in returns.
std::string TakeException(JNIEnv* env, bool keep);

// Whether this thread is in a native method that Java called.
bool IsCalledByJava();

// Whether this thread is one of the engine's own, which we attached.
bool IsEngineThread();

// Whether this thread is in a callback, which the engine waits for: it must not
// wait in turn for what the engine does.
bool IsInCallback();

// A reference that keeps an object of Java's alive.
class JavaObject {
 public:
  JavaObject(JNIEnv* env, jobject object)
      : object_(env->NewGlobalRef(object)) {}
  ~JavaObject() {
    JNIEnv* env = AttachedThread();
    if (env != nullptr) env->DeleteGlobalRef(object_);
  }
  JavaObject(const JavaObject&) = delete;
  JavaObject& operator=(const JavaObject&) = delete;

  jobject get() const { return object_; }

 private:
  jobject object_;
};

}  // namespace ROCKSDB_NAMESPACE::jni
