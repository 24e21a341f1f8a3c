// Traces of queries that go to Java.
#include "java/jni/database.h"
#include "java/jni/java_machine.h"
#include "java/jni/packing.h"
#include "java/jni/slices.h"
#include "rocksdb/trace_reader_writer.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// A status of any code, as Java gives it.
class GivenStatus : public Status {
 public:
  GivenStatus(Code code, SubCode subcode) : Status(code, subcode) {}
  GivenStatus(Code code, SubCode subcode, const Slice& text)
      : Status(code, subcode, text, Slice()) {}
};

// Java's codes are the engine's, but for two. What is no error of the engine's
// is an IOError.
Status::Code CodeOf(int32_t java_code) {
  constexpr int32_t kJavaFamilyDropped = 14;
  if (java_code == kJavaFamilyDropped) return Status::kColumnFamilyDropped;
  return java_code > Status::kOk && java_code < kJavaFamilyDropped
             ? static_cast<Status::Code>(java_code)
             : Status::kIOError;
}

Status::SubCode SubCodeOf(int32_t java_subcode) {
  return java_subcode >= 0 && java_subcode < Status::kMaxSubCode
             ? static_cast<Status::SubCode>(java_subcode)
             : Status::kNone;
}

// Hands records to an AbstractTraceWriter of Java's. What that throws becomes
// the status of the write.
class JavaTraceWriter : public TraceWriter {
 public:
  JavaTraceWriter(JNIEnv* env, jobject writer) : object_(env, writer) {}

  Status Write(const Slice& record) override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return Gone();
    LocalFrame frame(env);
    const Handle slice = PublishNew<SliceObject>(record.ToString());
    const jobject answer =
        env->CallStaticObjectMethod(Classes().callbacks, Classes().trace_write,
                                    object_.get(), static_cast<jlong>(slice));
    CloseHandle(slice);
    return StatusOf(env, answer);
  }
  Status Close() override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return Gone();
    LocalFrame frame(env);
    return StatusOf(
        env, env->CallStaticObjectMethod(Classes().callbacks,
                                         Classes().trace_close, object_.get()));
  }
  uint64_t GetFileSize() override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return 0;
    LocalFrame frame(env);
    const jlong size = env->CallStaticLongMethod(
        Classes().callbacks, Classes().trace_size, object_.get());
    const std::string thrown = TakeException(env, false);
    return thrown.empty() ? static_cast<uint64_t>(size) : 0;
  }

 private:
  static Status Gone() { return Status::IOError("Java cannot be called"); }

  // What a call of Callbacks.java answered: null, or a packed status.
  static Status StatusOf(JNIEnv* env, jobject packed) {
    const std::string thrown = TakeException(env, false);
    if (!thrown.empty()) return Status::IOError(thrown);
    if (packed == nullptr) return Status::OK();
    Unpacker in(BytesOf(env, static_cast<jbyteArray>(packed)));
    const Status::Code code = CodeOf(in.Int());
    const Status::SubCode subcode = SubCodeOf(in.Int());
    if (!in.Bool()) return GivenStatus(code, subcode);
    return GivenStatus(code, subcode, in.Text());
  }

  JavaObject object_;
};

// What a trace owns of a writer that Java may still hold.
class SharedTraceWriter : public TraceWriter {
 public:
  explicit SharedTraceWriter(std::shared_ptr<JavaTraceWriter> writer)
      : writer_(std::move(writer)) {}
  Status Write(const Slice& record) override { return writer_->Write(record); }
  Status Close() override { return writer_->Close(); }
  uint64_t GetFileSize() override { return writer_->GetFileSize(); }

 private:
  std::shared_ptr<JavaTraceWriter> writer_;
};

}  // namespace

template <>
inline constexpr TypeTag Shared<JavaTraceWriter>::kTag{"TraceWriter", nullptr};

NATIVE(jlong, CallbackParts, traceWriter, jobject writer) {
  return Run(env, [&]() -> jlong {
    return Share(std::make_shared<JavaTraceWriter>(env, writer));
  });
}

// The writer belongs to the trace if it begins: its handle ends.
NATIVE(void, Maintenance, startTrace, jlong database, jlong max_size,
       jlong writer) {
  Run(env, [&] {
    Pin<Database> db(database);
    TraceOptions options;
    options.max_trace_file_size = static_cast<uint64_t>(max_size);
    Check(db->db()->StartTrace(options,
                               std::make_unique<SharedTraceWriter>(
                                   Pin<Shared<JavaTraceWriter>>(writer)->rep)));
    CloseHandle(writer);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
