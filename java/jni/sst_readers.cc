// SstParts: table files that Java reads.
#include "java/jni/database.h"
#include "java/jni/packing.h"
#include "rocksdb/sst_file_reader.h"

namespace ROCKSDB_NAMESPACE::jni {

namespace {

struct OpenReader {
  OpenReader(const Options& options, Kept used)
      : kept(std::move(used)), rep(options) {}

  // What the options point to.
  Kept kept;
  Children children;
  SstFileReader rep;
  bool has_file = false;
};

class ReaderObject : public Object {
 public:
  static constexpr TypeTag kTag{"SstFileReader", nullptr};
  explicit ReaderObject(std::shared_ptr<OpenReader> reader)
      : open(std::move(reader)) {}
  ~ReaderObject() override { open->children.CloseAll(); }
  const TypeTag* Tag() const override { return &kTag; }

  // The reader, with a file.
  SstFileReader& Ready() const {
    if (!open->has_file) Fail(Wrong::kState, "no file is open");
    return open->rep;
  }

  std::shared_ptr<OpenReader> open;
};

}  // namespace

NATIVE(jlong, SstParts, createReader, jlong options) {
  return Run(env, [&]() -> jlong {
    PinStruct<Options> how(options);
    return PublishNew<ReaderObject>(
        std::make_shared<OpenReader>(*how, how.object().kept));
  });
}

NATIVE(void, SstParts, openReader, jlong reader, jbyteArray path) {
  Run(env, [&] {
    Pin<ReaderObject> pin(reader);
    if (pin->open->has_file) Fail(Wrong::kState, "a file is open already");
    Check(pin->open->rep.Open(TextOf(env, path)));
    pin->open->has_file = true;
  });
}

NATIVE(jlong, SstParts, iterator, jlong reader, jlong read) {
  return Run(env, [&]() -> jlong {
    Pin<ReaderObject> pin(reader);
    SstFileReader& file = pin->Ready();
    ReadSettings settings(read);
    auto object =
        std::make_unique<IteratorObject>(ChildrenOf(pin->open), nullptr);
    object->sources = {pin->open};
    const ReadOptions& options = object->Keep(settings);
    object->may_read_ahead = MayReadAhead(options);
    object->rep.reset(file.NewIterator(options));
    CheckCallbacks();
    return Child::Publish(std::move(object));
  });
}

NATIVE(void, SstParts, verify, jlong reader) {
  Run(env, [&] { Check(Pin<ReaderObject>(reader)->Ready().VerifyChecksum()); });
}

NATIVE(jbyteArray, SstParts, properties, jlong reader) {
  return Run(env, [&] {
    const std::shared_ptr<const TableProperties> table =
        Pin<ReaderObject>(reader)->Ready().GetTableProperties();
    Packer out;
    Pack(out, *table);
    return NewArray(env, out.bytes());
  });
}

}  // namespace ROCKSDB_NAMESPACE::jni
