// Comparators and loggers of Java's.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "java/jni/java_machine.h"
#include "java/jni/values.h"
#include "rocksdb/comparator.h"
#include "util/caught_exceptions.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

// A direct buffer in which Java sees keys.
class KeyBuffer {
 public:
  // The buffer with the key in it; a large key in one of its own.
  jobject With(JNIEnv* env, const Slice& key) {
    if (key.size() > kSize) {
      return env->NewDirectByteBuffer(const_cast<char*>(key.data()),
                                      static_cast<jlong>(key.size()));
    }
    if (buffer_ == nullptr) {
      bytes_ = std::make_unique<char[]>(kSize);
      buffer_ = std::make_unique<JavaObject>(
          env, env->NewDirectByteBuffer(bytes_.get(), kSize));
    }
    std::memcpy(bytes_.get(), key.data(), key.size());
    return buffer_->get();
  }

 private:
  static constexpr size_t kSize = 4096;
  std::unique_ptr<char[]> bytes_;
  std::unique_ptr<JavaObject> buffer_;
};

// Two buffers, which a thread has until it ends. Then they wait for the next
// one: a thread that ends is no longer known to Java, and could not let a
// buffer go. There are as many as there were threads at one time.
class LentKeyBuffers {
 public:
  struct Pair {
    KeyBuffer first;
    KeyBuffer second;
  };

  LentKeyBuffers() = default;
  ~LentKeyBuffers() {
    if (pair_ == nullptr) return;
    std::lock_guard<std::mutex> lock(Waiting().mutex);
    Waiting().pairs.push_back(std::move(pair_));
  }
  LentKeyBuffers(const LentKeyBuffers&) = delete;
  LentKeyBuffers& operator=(const LentKeyBuffers&) = delete;

  Pair& get() {
    if (pair_ == nullptr) Take();
    return *pair_;
  }

 private:
  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<Pair>> pairs;  // Guarded by mutex.
  };
  // It is never ended: threads may end later.
  static Pool& Waiting() {
    static auto* pool = std::make_unique<Pool>().release();
    return *pool;
  }
  void Take() {
    std::lock_guard<std::mutex> lock(Waiting().mutex);
    std::vector<std::unique_ptr<Pair>>& pairs = Waiting().pairs;
    if (pairs.empty()) {
      pair_ = std::make_unique<Pair>();
      return;
    }
    pair_ = std::move(pairs.back());
    pairs.pop_back();
  }

  std::unique_ptr<Pair> pair_;
};

// The buffers of one comparison. A comparator may use another database that has
// one, too: the keys of the outer comparison stay where they are.
class ComparisonBuffers {
 public:
  ComparisonBuffers() : lent_(depth++ == 0 ? OfThread() : nested_) {}
  ~ComparisonBuffers() { --depth; }
  ComparisonBuffers(const ComparisonBuffers&) = delete;
  ComparisonBuffers& operator=(const ComparisonBuffers&) = delete;

  LentKeyBuffers::Pair& get() { return lent_.get(); }

 private:
  static LentKeyBuffers& OfThread() {
    thread_local LentKeyBuffers lent;
    return lent;
  }
  inline static constinit thread_local int depth = 0;

  LentKeyBuffers nested_;
  LentKeyBuffers& lent_;
};

// A comparator of Java's. One that throws ends the call that Java made with
// its exception, and the flush or compaction that needs it, which must not
// write keys in another order. Elsewhere the order goes on by bytes, as an
// order there must be.
class JavaComparator : public Comparator {
 public:
  JavaComparator(JNIEnv* env, jobject comparator, std::string name)
      : name_(std::move(name)), object_(env, comparator) {}

  const char* Name() const override { return name_.c_str(); }

  int Compare(const Slice& a, const Slice& b) const override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) {
      FailJob("Java cannot be asked for the order of keys");
      return a.compare(b);
    }
    LocalFrame frame(env);
    ComparisonBuffers lent;
    LentKeyBuffers::Pair& buffers = lent.get();
    const jint order = env->CallStaticIntMethod(
        Classes().callbacks, Classes().compare, object_.get(),
        buffers.first.With(env, a), static_cast<jint>(a.size()),
        buffers.second.With(env, b), static_cast<jint>(b.size()));
    if (env->ExceptionCheck()) {
      FailJob(TakeException(env, true));
      return a.compare(b);
    }
    return order;
  }

  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return;
    LocalFrame frame(env);
    Take(env, start,
         env->CallStaticObjectMethod(
             Classes().callbacks, Classes().find_separator, object_.get(),
             NewArray(env, *start), NewArray(env, limit)));
  }

  void FindShortSuccessor(std::string* key) const override {
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return;
    LocalFrame frame(env);
    Take(env, key,
         env->CallStaticObjectMethod(Classes().callbacks,
                                     Classes().find_successor, object_.get(),
                                     NewArray(env, *key)));
  }

 private:
  // Ends the job that this thread is in, if it is in one.
  static void FailJob(const std::string& why) {
    if (ExceptionsAreCaught()) throw std::runtime_error(why);
  }
  static void Take(JNIEnv* env, std::string* key, jobject bytes) {
    if (env->ExceptionCheck()) {
      FailJob(TakeException(env, true));
    } else if (bytes != nullptr) {
      *key = BytesOf(env, static_cast<jbyteArray>(bytes));
    }
  }

  std::string name_;
  JavaObject object_;
};

// Java's IntComparator: keys are numbers of 32 bits, the highest byte first.
class IntOrder : public Comparator {
 public:
  const char* Name() const override { return "rocksdb.java.IntComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    const int32_t first = NumberOf(a);
    const int32_t second = NumberOf(b);
    return first < second ? -1 : first > second ? 1 : 0;
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  static int32_t NumberOf(const Slice& key) {
    uint32_t number = 0;
    for (size_t i = 0; i < 4 && i < key.size(); ++i) {
      number = number << 8 | static_cast<unsigned char>(key[i]);
    }
    return static_cast<int32_t>(number);
  }
};

// One of the engine's own orders under the name that Java's class of the same
// order has.
class RenamedOrder : public Comparator {
 public:
  RenamedOrder(const Comparator* order, const char* name)
      : order_(order), name_(name) {}
  const char* Name() const override { return name_; }
  int Compare(const Slice& a, const Slice& b) const override {
    return order_->Compare(a, b);
  }
  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    order_->FindShortestSeparator(start, limit);
  }
  void FindShortSuccessor(std::string* key) const override {
    order_->FindShortSuccessor(key);
  }
  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

 private:
  const Comparator* order_;
  const char* name_;
};

std::shared_ptr<const Comparator> KnownOrder(const std::string& name) {
  if (name == "rocksdb.java.BytewiseComparator") {
    return std::make_shared<RenamedOrder>(BytewiseComparator(),
                                          "rocksdb.java.BytewiseComparator");
  }
  if (name == "rocksdb.java.ReverseBytewiseComparator") {
    return std::make_shared<RenamedOrder>(
        ReverseBytewiseComparator(), "rocksdb.java.ReverseBytewiseComparator");
  }
  if (name == "rocksdb.java.IntComparator") {
    return std::make_shared<IntOrder>();
  }
  return nullptr;
}

std::string TextOfLine(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  std::string text(static_cast<size_t>(std::max(size, 0)) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, arguments);
  text.pop_back();
  return text;
}

// Hands lines to a logger of Java's, until that throws.
class JavaLogger : public Logger {
 public:
  JavaLogger(JNIEnv* env, jobject logger, InfoLogLevel level)
      : Logger(level), object_(env, logger) {}

  void Logv(const char* format, va_list arguments) override {
    Logv(InfoLogLevel::INFO_LEVEL, format, arguments);
  }
  void LogHeader(const char* format, va_list arguments) override {
    Logv(InfoLogLevel::INFO_LEVEL, format, arguments);
  }
  void Logv(const InfoLogLevel level, const char* format,
            va_list arguments) override {
    if (level == InfoLogLevel::HEADER_LEVEL) {
      LogHeader(format, arguments);
      return;
    }
    if (level < GetInfoLogLevel() || is_silent_) return;
    JNIEnv* env = AttachedThread();
    if (env == nullptr || env->ExceptionCheck()) return;
    LocalFrame frame(env);
    env->CallStaticVoidMethod(Classes().callbacks, Classes().log, object_.get(),
                              static_cast<jint>(level),
                              NewArray(env, TextOfLine(format, arguments)));
    if (env->ExceptionCheck()) {
      is_silent_ = true;
      const std::string text = TakeException(env, false);
      std::fprintf(stderr, "a logger threw, and is silent now: %s\n",
                   text.c_str());
    }
  }

 private:
  JavaObject object_;
  std::atomic<bool> is_silent_{false};
};

class StderrLogger : public Logger {
 public:
  StderrLogger(InfoLogLevel level, std::string prefix)
      : Logger(level), prefix_(std::move(prefix)) {}
  using Logger::Logv;
  // Headers are lines as others are.
  void LogHeader(const char* format, va_list arguments) override {
    Logv(InfoLogLevel::INFO_LEVEL, format, arguments);
  }
  void Logv(const char* format, va_list arguments) override {
    const std::string line = TextOfLine(format, arguments);
    std::fprintf(stderr, "%s%s\n", prefix_.c_str(), line.c_str());
  }

 private:
  std::string prefix_;
};

}  // namespace

NATIVE(jlong, CallbackParts, comparator, jobject comparator, jbyteArray name,
       jboolean is_known) {
  return Run(env, [&]() -> jlong {
    std::string text = TextOf(env, name);
    if (is_known) {
      std::shared_ptr<const Comparator> known = KnownOrder(text);
      if (known != nullptr) return Share(known);
    }
    return Share(std::shared_ptr<const Comparator>(
        std::make_shared<JavaComparator>(env, comparator, std::move(text))));
  });
}

// A comparator of a program's own native library.
NATIVE(jlong, CallbackParts, nativeComparator, jlong address) {
  return Run(env, [&]() -> jlong {
    if (address == 0) Fail(Wrong::kNull, "the native comparator is null");
    return Share(std::shared_ptr<const Comparator>(
        reinterpret_cast<const Comparator*>(address)));
  });
}

NATIVE(jlong, CallbackParts, logger, jobject logger, jint level) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<Logger>(std::make_shared<JavaLogger>(
        env, logger, static_cast<InfoLogLevel>(level))));
  });
}

NATIVE(jlong, CallbackParts, stderrLogger, jint level, jbyteArray prefix) {
  return Run(env, [&]() -> jlong {
    return Share(std::shared_ptr<Logger>(std::make_shared<StderrLogger>(
        static_cast<InfoLogLevel>(level), TextOf(env, prefix))));
  });
}

NATIVE(void, CallbackParts, setLogLevel, jlong logger, jint level) {
  Run(env, [&] {
    Pin<Shared<Logger>>(logger)->rep->SetInfoLogLevel(
        static_cast<InfoLogLevel>(level));
  });
}

NATIVE(jint, CallbackParts, logLevel, jlong logger) {
  return Run(env, [&]() -> jint {
    return Pin<Shared<Logger>>(logger)->rep->GetInfoLogLevel();
  });
}

NATIVE(jlong, Buffers, address0, jobject buffer) {
  return Run(env, [&]() -> jlong {
    void* address = env->GetDirectBufferAddress(buffer);
    if (address == nullptr) {
      Fail(Wrong::kArgument, "the buffer is not direct");
    }
    return reinterpret_cast<jlong>(address);
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
