// Compactions that another process runs: a service of Java's is offered them,
// and a worker carries them out.
#include <stdexcept>

#include "java/jni/java_machine.h"
#include "java/jni/packing.h"
#include "java/jni/values.h"
#include "rocksdb/compaction_service.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

using JobStatus = CompactionServiceJobStatus;

void Pack(Packer& out, const CompactionServiceJobInfo& info) {
  out.Text(info.db_name);
  out.Text(info.db_id);
  out.Text(info.db_session_id);
  out.Int(info.cf_id);
  out.Text(info.cf_name);
  out.Long(info.job_id);
  out.Enum(info.priority);
  out.Int(JavaReason(info.compaction_reason));
  out.Bool(info.is_full_compaction);
  out.Bool(info.is_manual_compaction);
  out.Bool(info.bottommost_level);
  out.Int(info.base_input_level);
  out.Int(info.output_level);
}

JobStatus ReadStatus(Unpacker& in) { return static_cast<JobStatus>(in.Int()); }

// Asks an AbstractCompactionService. What that throws fails the compaction; the
// database goes on with its inputs.
class JavaCompactionService : public CompactionService {
 public:
  JavaCompactionService(JNIEnv* env, jobject service, std::string name)
      : object_(env, service), name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }

  CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& info, const std::string& input) override {
    JNIEnv* env = CallableThread();
    LocalFrame frame(env);
    Packer out;
    Pack(out, info);
    Unpacker in = AnswerOf(
        env, env->CallStaticObjectMethod(
                 Classes().callbacks, Classes().schedule_job, object_.get(),
                 NewArray(env, out.bytes()), NewArray(env, input)));
    const JobStatus status = ReadStatus(in);
    return CompactionServiceScheduleResponse(in.Text(), status);
  }

  JobStatus Wait(const std::string& id, std::string* result) override {
    JNIEnv* env = CallableThread();
    LocalFrame frame(env);
    Unpacker in = AnswerOf(env, env->CallStaticObjectMethod(
                                    Classes().callbacks, Classes().wait_for_job,
                                    object_.get(), NewArray(env, id)));
    const JobStatus status = ReadStatus(in);
    *result = in.Text();
    return status;
  }

  void CancelAwaitingJobs() override {
    JNIEnv* env = CallableThread();
    LocalFrame frame(env);
    env->CallStaticVoidMethod(Classes().callbacks, Classes().cancel_jobs,
                              object_.get());
    CheckThrown(env);
  }

  void OnInstallation(const std::string& id, JobStatus status) override {
    JNIEnv* env = CallableThread();
    LocalFrame frame(env);
    env->CallStaticVoidMethod(Classes().callbacks, Classes().job_installed,
                              object_.get(), NewArray(env, id),
                              static_cast<jint>(status));
    CheckThrown(env);
  }

 private:
  // The engine makes a failed compaction of what is thrown here.
  static JNIEnv* CallableThread() {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) {
      throw std::runtime_error("Java cannot be called");
    }
    return env;
  }
  static void CheckThrown(JNIEnv* env) {
    if (env->ExceptionCheck()) {
      throw std::runtime_error(TakeException(env, false));
    }
  }
  static Unpacker AnswerOf(JNIEnv* env, jobject packed) {
    CheckThrown(env);
    return Unpacker(BytesOf(env, static_cast<jbyteArray>(packed)));
  }

  JavaObject object_;
  std::string name_;
};

// What a worker does not find in the OPTIONS file.
CompactionServiceOptionsOverride OverrideOf(const Options& from) {
  CompactionServiceOptionsOverride to;
  to.env = from.env;
  to.file_checksum_gen_factory = from.file_checksum_gen_factory;
  to.comparator = from.comparator;
  to.merge_operator = from.merge_operator;
  to.compaction_filter = from.compaction_filter;
  to.compaction_filter_factory = from.compaction_filter_factory;
  to.prefix_extractor = from.prefix_extractor;
  to.table_factory = from.table_factory;
  to.sst_partitioner_factory = from.sst_partitioner_factory;
  to.listeners = from.listeners;
  to.statistics = from.statistics;
  to.info_log = from.info_log;
  to.table_properties_collector_factories =
      from.table_properties_collector_factories;
  return to;
}

}  // namespace

NATIVE(jlong, CallbackParts, compactionService, jobject service,
       jbyteArray name) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<CompactionService>(
        std::make_shared<JavaCompactionService>(env, service,
                                                TextOf(env, name))));
  });
}

NATIVE(jbyteArray, Databases, openAndCompact, jlong options, jbyteArray path,
       jbyteArray output_directory, jbyteArray input) {
  return Run(env, [&] {
    PinStruct<Options> with(options);
    std::string result;
    Check(DB::OpenAndCompact(TextOf(env, path), TextOf(env, output_directory),
                             BytesOf(env, input), &result, OverrideOf(*with)));
    return NewArray(env, result);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
