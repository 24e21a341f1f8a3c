// Prefixes of keys: testdata/util/slice_transform.txt. A TRANSFORM is as
// options name it; or made_fixed:N, made_capped:N, made_noop, made in code.
//
//   about TRANSFORM           its name, and from which length prefixes are
//   whole prefix TRANSFORM KEY      with a note if all longer keys have the
//   same
#include "rocksdb/slice_transform.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/convenience.h"
#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using TransformRef = std::shared_ptr<const SliceTransform>;

// `made_fixed:N` and its like are made in code. nullptr, with the status: it
// is refused.
TransformRef TransformOf(const std::string& text, Status* s) {
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const auto length = [&] { return std::stoull(text.substr(colon + 1)); };
  if (kind == "made_fixed") {
    return TransformRef(NewFixedPrefixTransform(length()));
  }
  if (kind == "made_capped") {
    return TransformRef(NewCappedPrefixTransform(length()));
  }
  if (kind == "made_noop") return TransformRef(NewNoopTransform());
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  TransformRef result;
  *s = SliceTransform::CreateFromString(config, text, &result);
  return result;
}

std::string AboutTransform(const CallArguments& a) {
  Status s;
  const TransformRef t = TransformOf(a[0], &s);
  if (!s.ok()) return s.ToString();
  if (t == nullptr) return "none";
  size_t length = 0;
  std::string text = t->AsString();
  if (t->FullLengthEnabled(&length)) {
    text += ", whole from " + std::to_string(length);
  }
  return text;
}

std::string PrefixOfKey(const CallArguments& a) {
  Status s;
  const TransformRef t = TransformOf(a[0], &s);
  if (t == nullptr) return s.ToString();
  const std::string lasts = t->SameResultWhenAppended(a[1]) ? ", lasting" : "";
  if (!t->InDomain(a[1])) return "none" + lasts;
  return ShownBytes(t->Transform(a[1]).ToStringView()) + lasts;
}

TEST(SliceTransformTest, CallsOfTheScript) {
  const ScriptCalls calls = {{"about", AboutTransform},
                             {"prefix", PrefixOfKey}};
  EXPECT_GE(RunCalls("util/slice_transform.txt", calls), 36u)
      << "calls went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
