// EnvParts: environments and their threads.
#include "java/jni/packing.h"
#include "java/jni/values.h"
#include "rocksdb/env.h"
#include "rocksdb/thread_status.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

Env::Priority PriorityOf(jbyte priority) {
  if (priority < Env::BOTTOM || priority > Env::HIGH) {
    Fail(Wrong::kArgument, "no pool of threads has this priority");
  }
  return static_cast<Env::Priority>(priority);
}

// An environment over another one, which it keeps alive.
jlong Over(const Pin<Shared<Env>>& base, Env* made) {
  const std::shared_ptr<Env> below = base->rep;
  return Share(std::shared_ptr<Env>(made, [below](Env* env) { delete env; }));
}

}  // namespace

NATIVE(jlong, EnvParts, getDefault) {
  return Run(env, [&]() -> jlong { return Share(Forever(Env::Default())); });
}

NATIVE(jlong, EnvParts, inMemory, jlong base) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Env>> below(base);
    return Over(below, NewMemEnv(below->rep.get()));
  });
}

NATIVE(jlong, EnvParts, timed, jlong base) {
  return Run(env, [&]() -> jlong {
    Pin<Shared<Env>> below(base);
    return Over(below, NewTimedEnv(below->rep.get()));
  });
}

NATIVE(void, EnvParts, setThreads, jlong environment, jint number,
       jbyte priority, jboolean only_more) {
  Run(env, [&] {
    Pin<Shared<Env>> pin(environment);
    if (only_more) {
      pin->rep->IncBackgroundThreadsIfNeeded(number, PriorityOf(priority));
    } else {
      pin->rep->SetBackgroundThreads(number, PriorityOf(priority));
    }
  });
}

NATIVE(jint, EnvParts, threads, jlong environment, jbyte priority) {
  return Run(env, [&]() -> jint {
    return Pin<Shared<Env>>(environment)
        ->rep->GetBackgroundThreads(PriorityOf(priority));
  });
}

NATIVE(jint, EnvParts, queueLength, jlong environment, jbyte priority) {
  return Run(env, [&]() -> jint {
    return static_cast<jint>(
        Pin<Shared<Env>>(environment)
            ->rep->GetThreadPoolQueueLen(PriorityOf(priority)));
  });
}

NATIVE(void, EnvParts, lowerPriority, jlong environment, jbyte priority,
       jboolean of_io) {
  Run(env, [&] {
    Pin<Shared<Env>> pin(environment);
    if (of_io) {
      pin->rep->LowerThreadPoolIOPriority(PriorityOf(priority));
    } else {
      pin->rep->LowerThreadPoolCPUPriority(PriorityOf(priority));
    }
  });
}

NATIVE(jbyteArray, EnvParts, threadList, jlong environment) {
  return Run(env, [&] {
    std::vector<ThreadStatus> threads;
    Check(Pin<Shared<Env>>(environment)->rep->GetThreadList(&threads));
    Packer out;
    out.Int(threads.size());
    for (const ThreadStatus& thread : threads) {
      out.Long(thread.thread_id);
      out.Enum(thread.thread_type);
      out.Text(thread.db_name);
      out.Text(thread.cf_name);
      out.Enum(thread.operation_type);
      out.Long(thread.op_elapsed_micros);
      out.Enum(thread.operation_stage);
      out.Int(ThreadStatus::kNumOperationProperties);
      for (const uint64_t property : thread.op_properties) out.Long(property);
      out.Enum(thread.state_type);
    }
    return NewArray(env, out.bytes());
  });
}

NATIVE(jbyteArray, EnvParts, microsText, jlong micros) {
  return Run(env, [&] {
    return NewArray(
        env, ThreadStatus::MicrosToString(static_cast<uint64_t>(micros)));
  });
}

NATIVE(jbyteArray, EnvParts, nameOf, jint kind, jint first, jint second) {
  return Run(env, [&] {
    switch (kind) {
      case 0:
        return NewArray(env, ThreadStatus::GetThreadTypeName(
                                 static_cast<ThreadStatus::ThreadType>(first)));
      case 1:
        return NewArray(env,
                        ThreadStatus::GetOperationName(
                            static_cast<ThreadStatus::OperationType>(first)));
      case 2:
        return NewArray(env,
                        ThreadStatus::GetOperationStageName(
                            static_cast<ThreadStatus::OperationStage>(first)));
      case 3:
        return NewArray(
            env, ThreadStatus::GetOperationPropertyName(
                     static_cast<ThreadStatus::OperationType>(first), second));
      default:
        return NewArray(env, ThreadStatus::GetStateName(
                                 static_cast<ThreadStatus::StateType>(first)));
    }
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
