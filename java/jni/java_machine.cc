#include "java/jni/java_machine.h"

#include <pthread.h>

#include <atomic>
#include <cstdlib>

#include "java/jni/call.h"
#include "java/jni/packing.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// Null before the library is loaded, and again while the process ends: the
// engine's threads end then, too, and must not wait for a virtual machine that
// has gone before them.
std::atomic<JavaVM*> machine{nullptr};
JavaClasses* classes = nullptr;

// Detaches a thread that we attached, when it ends. Of a thread of Java's
// nothing is kept: its environment is gone before what the thread itself keeps.
struct Attachment {
  JNIEnv* env = nullptr;
  ~Attachment() {
    JavaVM* vm = machine.load();
    if (env != nullptr && vm != nullptr) vm->DetachCurrentThread();
    env = nullptr;
  }
};
thread_local Attachment attachment;

jclass GlobalClass(JNIEnv* env, const char* name) {
  jclass local = env->FindClass(name);
  if (local == nullptr) return nullptr;
  auto global = static_cast<jclass>(env->NewGlobalRef(local));
  env->DeleteLocalRef(local);
  return global;
}

struct CallbackMethod {
  jmethodID JavaClasses::*id;
  const char* name;
  const char* signature;
};

constexpr CallbackMethod kCallbackMethods[] = {
    {&JavaClasses::compare, "compare",
     "(Lorg/rocksdb/AbstractComparator;Ljava/nio/ByteBuffer;ILjava/nio/"
     "ByteBuffer;I)I"},
    {&JavaClasses::find_separator, "findSeparator",
     "(Lorg/rocksdb/AbstractComparator;[B[B)[B"},
    {&JavaClasses::find_successor, "findSuccessor",
     "(Lorg/rocksdb/AbstractComparator;[B)[B"},
    {&JavaClasses::log, "log", "(Lorg/rocksdb/Logger;I[B)V"},
    {&JavaClasses::on_event, "onEvent",
     "(Lorg/rocksdb/AbstractEventListener;IJ[B)Z"},
    {&JavaClasses::filter_table, "filterTable",
     "(Lorg/rocksdb/AbstractTableFilter;[B)Z"},
    {&JavaClasses::create_filter, "createFilter",
     "(Lorg/rocksdb/AbstractCompactionFilterFactory;ZZ)J"},
    {&JavaClasses::trace_write, "traceWrite",
     "(Lorg/rocksdb/AbstractTraceWriter;J)[B"},
    {&JavaClasses::trace_close, "traceClose",
     "(Lorg/rocksdb/AbstractTraceWriter;)[B"},
    {&JavaClasses::trace_size, "traceSize",
     "(Lorg/rocksdb/AbstractTraceWriter;)J"},
    {&JavaClasses::wal_families, "walFamilies",
     "(Lorg/rocksdb/AbstractWalFilter;[B)V"},
    {&JavaClasses::wal_record, "walRecord",
     "(Lorg/rocksdb/AbstractWalFilter;J[BJJ)I"},
    {&JavaClasses::batch_event, "batchEvent",
     "(Lorg/rocksdb/WriteBatch$Handler;II[B[B)V"},
    {&JavaClasses::batch_continues, "batchContinues",
     "(Lorg/rocksdb/WriteBatch$Handler;)Z"},
    {&JavaClasses::snapshot_created, "snapshotCreated",
     "(Lorg/rocksdb/AbstractTransactionNotifier;J)V"},
    {&JavaClasses::flink_time, "flinkTime",
     "(Lorg/rocksdb/FlinkCompactionFilter$TimeProvider;)J"},
    {&JavaClasses::flink_elements, "flinkElements",
     "(Lorg/rocksdb/FlinkCompactionFilter$ListElementFilter;[BJJ)I"},
    {&JavaClasses::update_in_place, "updateInPlace",
     "(Lorg/rocksdb/AbstractInplaceCallback;[B[B)[B"},
    {&JavaClasses::select_partition, "selectPartition",
     "(Lorg/rocksdb/AbstractBlobFilePartitionStrategy;II[B[B)I"},
    {&JavaClasses::schedule_job, "scheduleJob",
     "(Lorg/rocksdb/AbstractCompactionService;[B[B)[B"},
    {&JavaClasses::wait_for_job, "waitForJob",
     "(Lorg/rocksdb/AbstractCompactionService;[B)[B"},
    {&JavaClasses::cancel_jobs, "cancelJobs",
     "(Lorg/rocksdb/AbstractCompactionService;)V"},
    {&JavaClasses::job_installed, "jobInstalled",
     "(Lorg/rocksdb/AbstractCompactionService;[BI)V"},
    {&JavaClasses::describe, "describe", "(Ljava/lang/Throwable;)[B"},
};

bool LookUp(JNIEnv* env, JavaClasses* found) {
  found->assertion_error = GlobalClass(env, "java/lang/AssertionError");
  found->illegal_state = GlobalClass(env, "java/lang/IllegalStateException");
  found->illegal_argument =
      GlobalClass(env, "java/lang/IllegalArgumentException");
  found->null_pointer = GlobalClass(env, "java/lang/NullPointerException");
  found->index_out_of_bounds =
      GlobalClass(env, "java/lang/IndexOutOfBoundsException");
  found->out_of_memory = GlobalClass(env, "java/lang/OutOfMemoryError");
  found->string = GlobalClass(env, "java/lang/String");
  found->byte_array = GlobalClass(env, "[B");
  found->status = GlobalClass(env, "org/rocksdb/Status");
  found->callbacks = GlobalClass(env, "org/rocksdb/Callbacks");
  if (env->ExceptionCheck()) return false;
  found->new_assertion_error = env->GetMethodID(
      found->assertion_error, "<init>", "(Ljava/lang/Object;)V");
  found->new_string =
      env->GetMethodID(found->string, "<init>", "([BLjava/lang/String;)V");
  found->to_exception = env->GetStaticMethodID(
      found->status, "toException", "([B)Lorg/rocksdb/RocksDBException;");
  jstring name = env->NewStringUTF("UTF-8");
  if (env->ExceptionCheck()) return false;
  found->utf8 = static_cast<jstring>(env->NewGlobalRef(name));
  for (const CallbackMethod& method : kCallbackMethods) {
    found->*method.id =
        env->GetStaticMethodID(found->callbacks, method.name, method.signature);
    if (env->ExceptionCheck()) return false;
  }
  const jmethodID on =
      env->GetStaticMethodID(found->callbacks, "assertionsOn", "()Z");
  if (env->ExceptionCheck()) return false;
  found->assertions =
      env->CallStaticBooleanMethod(found->callbacks, on) != JNI_FALSE;
  return !env->ExceptionCheck();
}

}  // namespace

const JavaClasses& Classes() { return *classes; }

jobject JavaClasses::NewText(JNIEnv* env, const std::string& text) const {
  return env->NewObject(string, new_string, NewArray(env, text), utf8);
}

JNIEnv* AttachedThread() {
  JavaVM* vm = machine.load();
  if (vm == nullptr) return nullptr;
  if (attachment.env != nullptr) return attachment.env;
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK) {
    return static_cast<JNIEnv*>(env);
  }
  char name[32] = "rocksdb";
  pthread_getname_np(pthread_self(), name, sizeof(name));
  JavaVMAttachArgs arguments{JNI_VERSION_1_8, name, nullptr};
  if (vm->AttachCurrentThreadAsDaemon(&env, &arguments) != JNI_OK) {
    return nullptr;
  }
  attachment.env = static_cast<JNIEnv*>(env);
  return attachment.env;
}

bool IsCalledByJava() { return calls_of_thread.depth > 0; }

bool IsEngineThread() { return attachment.env != nullptr; }

// A native method inside another one was called by a callback of that.
bool IsInCallback() { return IsEngineThread() || calls_of_thread.depth > 1; }

std::string TakeException(JNIEnv* env, bool keep) {
  jthrowable error = env->ExceptionOccurred();
  if (error == nullptr) return "";
  env->ExceptionClear();
  if (keep && IsCalledByJava() && calls_of_thread.kept == nullptr) {
    calls_of_thread.kept = static_cast<jthrowable>(env->NewGlobalRef(error));
  }
  auto text = static_cast<jbyteArray>(env->CallStaticObjectMethod(
      Classes().callbacks, Classes().describe, error));
  if (env->ExceptionCheck() || text == nullptr) {
    env->ExceptionClear();
    return "a Java exception";
  }
  return BytesOf(env, text);
}

}  // namespace ROCKSDB_NAMESPACE::jni

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using namespace ROCKSDB_NAMESPACE::jni;  // NOLINT: this is its entry.
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
  JavaClasses* found = std::make_unique<JavaClasses>().release();
  if (!LookUp(static_cast<JNIEnv*>(env), found)) return JNI_ERR;
  classes = found;
  // The environment is made before, so that its threads are ended after this.
  ROCKSDB_NAMESPACE::Env::Default();
  if (std::atexit([] { machine = nullptr; }) != 0) return JNI_ERR;
  machine = vm;
  return JNI_VERSION_1_8;
}

extern "C" JNIEXPORT void JNICALL JNI_OnUnload(JavaVM*, void*) {
  ROCKSDB_NAMESPACE::jni::machine = nullptr;
}
