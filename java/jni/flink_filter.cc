// FlinkParts: drops the state of Flink's whose time to live is over.
//
// Flink writes with each value when it was last used: eight bytes, the highest
// first. A list has that with each element; its oldest elements stand first.
#include "java/jni/java_machine.h"
#include "java/jni/values.h"
#include "rocksdb/compaction_filter.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// The numbers of FlinkCompactionFilter.StateType.
enum class FlinkState { kDisabled, kValue, kList, kMap };

constexpr size_t kFlinkTimeBytes = 8;

struct FlinkConfig {
  FlinkState state;
  // In milliseconds.
  int64_t ttl;
  // Java is asked for the time once in so many entries.
  int64_t entries_per_query;
  // Where the time begins in a value or in an element of a list, in bytes.
  size_t time_offset;
  // Bytes of each element of a list, with the delimiter behind it; 0: Java
  // finds the elements.
  size_t element_size;
};

class FlinkFilter : public CompactionFilter {
 public:
  FlinkFilter(JNIEnv* env, const FlinkConfig& config, jobject clock,
              jobject elements)
      : config_(config), clock_(env, clock) {
    if (elements != nullptr) {
      elements_ = std::make_unique<JavaObject>(env, elements);
    }
  }

  const char* Name() const override { return "FlinkCompactionFilter"; }

  Decision FilterV2(int, const Slice&, ValueType type, const Slice& value,
                    std::string* new_value, std::string*) const override {
    const bool is_list = config_.state == FlinkState::kList;
    // What is added to a list is elements of it.
    const bool is_ours =
        type == ValueType::kValue || (is_list && type == kMergeOperand);
    if (config_.state == FlinkState::kDisabled || !is_ours) {
      return Decision::kKeep;
    }
    if (!UpdateTime()) return Decision::kKeep;
    if (!is_list) {
      return IsExpired(value, config_.time_offset) ? Decision::kRemove
                                                   : Decision::kKeep;
    }
    const size_t left_out = config_.element_size > 0 ? ExpiredElements(value)
                                                     : AskForElements(value);
    if (left_out == 0) return Decision::kKeep;
    if (left_out >= value.size()) return Decision::kRemove;
    new_value->assign(value.data() + left_out, value.size() - left_out);
    return Decision::kChangeValue;
  }

 private:
  static constexpr ValueType kMergeOperand = ValueType::kMergeOperand;

  // False: Java could not tell, and nothing is dropped.
  bool UpdateTime() const {
    if (entries_since_query_++ % config_.entries_per_query != 0) return is_set_;
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return false;
    LocalFrame frame(env);
    now_ = env->CallStaticLongMethod(Classes().callbacks, Classes().flink_time,
                                     clock_.get());
    is_set_ = TakeException(env, false).empty();
    return is_set_;
  }

  bool IsExpired(const Slice& value, size_t offset) const {
    if (value.size() < offset + kFlinkTimeBytes) return false;
    uint64_t used = 0;
    for (size_t i = 0; i < kFlinkTimeBytes; ++i) {
      used = used << 8 | static_cast<unsigned char>(value[offset + i]);
    }
    const auto last = static_cast<int64_t>(used);
    // One that would end after all time does not end.
    const bool has_end = last <= 0 || config_.ttl <= INT64_MAX - last;
    return has_end && last + config_.ttl <= now_;
  }

  // How many bytes of expired elements stand first.
  size_t ExpiredElements(const Slice& list) const {
    size_t at = 0;
    while (at < list.size() && IsExpired(list, at + config_.time_offset)) {
      at += config_.element_size;
    }
    return at;
  }
  size_t AskForElements(const Slice& list) const {
    JNIEnv* env = AttachedThread();
    if (elements_ == nullptr || env == nullptr || env->ExceptionCheck()) {
      return 0;
    }
    LocalFrame frame(env);
    const jint offset = env->CallStaticIntMethod(
        Classes().callbacks, Classes().flink_elements, elements_->get(),
        NewArray(env, list), static_cast<jlong>(config_.ttl),
        static_cast<jlong>(now_));
    const bool has_answer = TakeException(env, false).empty() && offset > 0;
    return has_answer ? static_cast<size_t>(offset) : 0;
  }

  const FlinkConfig config_;
  JavaObject clock_;
  std::unique_ptr<JavaObject> elements_;
  // One thread has a filter at a time.
  mutable int64_t entries_since_query_ = 0;
  mutable int64_t now_ = 0;
  mutable bool is_set_ = false;
};

}  // namespace

NATIVE(jlong, FlinkParts, filter, jint state, jlong ttl, jlong entries,
       jint time_offset, jint element_size, jobject clock, jobject elements) {
  return Run(env, [&]() -> jlong {
    if (clock == nullptr) Fail(Wrong::kNull, "the time provider is null");
    if (ttl < 0 || time_offset < 0 || element_size < 0) {
      Fail(Wrong::kArgument, "a size or a time is less than 0");
    }
    FlinkConfig config;
    config.state = static_cast<FlinkState>(state);
    config.ttl = ttl;
    config.entries_per_query = entries > 0 ? entries : 1;
    config.time_offset = static_cast<size_t>(time_offset);
    config.element_size = static_cast<size_t>(element_size);
    return Share(std::shared_ptr<const CompactionFilter>(
        std::make_shared<FlinkFilter>(env, config, clock, elements)));
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
