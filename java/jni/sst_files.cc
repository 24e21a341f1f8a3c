// SstParts: table files that Java writes.
#include "java/jni/updates.h"
#include "java/jni/values.h"
#include "rocksdb/sst_file_writer.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

class WriterObject : public Object {
 public:
  static constexpr TypeTag kTag{"SstFileWriter", nullptr};
  WriterObject(const EnvOptions& files, const Options& options, Kept used)
      : kept_(std::move(used)), rep(files, options) {}
  const TypeTag* Tag() const override { return &kTag; }

 private:
  // What the options point to.
  Kept kept_;

 public:
  SstFileWriter rep;
};

}  // namespace

NATIVE(jlong, SstParts, createWriter, jlong env_options, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<EnvOptions> files(env_options);
    PinStruct<Options> how(options);
    Kept kept = how.object().kept;
    AddKept(files.object().kept, &kept);
    return PublishNew<WriterObject>(*files, *how, std::move(kept));
  });
}

NATIVE(void, SstParts, openWriter, jlong writer, jbyteArray path) {
  Run(env,
      [&] { Check(Pin<WriterObject>(writer)->rep.Open(TextOf(env, path))); });
}

NATIVE(void, SstParts, add, jlong writer, jint operation, jbyteArray key,
       jbyteArray value) {
  Run(env, [&] {
    Pin<WriterObject> pin(writer);
    const std::string first = BytesOf(env, key);
    const std::string second = BytesOf(env, value);
    switch (static_cast<Update>(operation)) {
      case Update::kPut:
        return Check(pin->rep.Put(first, second));
      case Update::kMerge:
        return Check(pin->rep.Merge(first, second));
      case Update::kDelete:
        return Check(pin->rep.Delete(first));
      default:
        Fail(Wrong::kArgument, "no such update of a table file");
    }
  });
}

NATIVE(void, SstParts, finish, jlong writer) {
  Run(env, [&] { Check(Pin<WriterObject>(writer)->rep.Finish()); });
}

NATIVE(jlong, SstParts, fileSize, jlong writer) {
  return Run(env, [&]() -> jlong {
    return static_cast<jlong>(Pin<WriterObject>(writer)->rep.FileSize());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
