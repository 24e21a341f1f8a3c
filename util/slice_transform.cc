#include "rocksdb/slice_transform.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE {

namespace {

class FixedPrefixTransform final : public SliceTransform {
 public:
  static const char* kClassName() { return "rocksdb.FixedPrefix"; }

  explicit FixedPrefixTransform(size_t length)
      : length_(length),
        id_(std::string(kClassName()) + "." + std::to_string(length)) {}

  const char* Name() const override { return kClassName(); }
  std::string GetId() const override { return id_; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == id_ || SliceTransform::IsInstanceOf(name);
  }

  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), length_);
  }
  bool InDomain(const Slice& key) const override {
    return key.size() >= length_;
  }
  bool InRange(const Slice& dst) const override {
    return dst.size() == length_;
  }
  bool FullLengthEnabled(size_t* length) const override {
    *length = length_;
    return true;
  }
  bool SameResultWhenAppended(const Slice& prefix) const override {
    return InDomain(prefix);
  }

 protected:
  const char* NickName() const override { return "fixed"; }

 private:
  const size_t length_;
  const std::string id_;
};

class CappedPrefixTransform final : public SliceTransform {
 public:
  static const char* kClassName() { return "rocksdb.CappedPrefix"; }

  explicit CappedPrefixTransform(size_t length)
      : length_(length),
        id_(std::string(kClassName()) + "." + std::to_string(length)) {}

  const char* Name() const override { return kClassName(); }
  std::string GetId() const override { return id_; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == id_ || SliceTransform::IsInstanceOf(name);
  }

  Slice Transform(const Slice& key) const override {
    return Slice(key.data(), std::min(length_, key.size()));
  }
  bool InDomain(const Slice& /*key*/) const override { return true; }
  bool InRange(const Slice& dst) const override {
    return dst.size() <= length_;
  }
  bool FullLengthEnabled(size_t* length) const override {
    *length = length_;
    return true;
  }
  bool SameResultWhenAppended(const Slice& prefix) const override {
    return prefix.size() >= length_;
  }

 protected:
  const char* NickName() const override { return "capped"; }

 private:
  const size_t length_;
  const std::string id_;
};

class NoopTransform final : public SliceTransform {
 public:
  static const char* kClassName() { return "rocksdb.Noop"; }
  const char* Name() const override { return kClassName(); }

  Slice Transform(const Slice& key) const override { return key; }
  bool InDomain(const Slice& /*key*/) const override { return true; }
  bool InRange(const Slice& /*dst*/) const override { return true; }
};

}  // namespace

// The caller owns the result, as the public interface says.
const SliceTransform* NewFixedPrefixTransform(size_t prefix_len) {
  return std::make_unique<FixedPrefixTransform>(prefix_len).release();
}

const SliceTransform* NewCappedPrefixTransform(size_t cap_len) {
  return std::make_unique<CappedPrefixTransform>(cap_len).release();
}

const SliceTransform* NewNoopTransform() {
  return std::make_unique<NoopTransform>().release();
}

}  // namespace ROCKSDB_NAMESPACE
