#include "utilities/query_filters/key_range_filter.h"

#include <algorithm>
#include <utility>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

using experimental::KeySegmentsExtractor;
using experimental::SelectKeySegment;
using experimental::SelectKeySegmentRange;
using experimental::SelectWholeKey;

namespace {

struct Segments {
  size_t first;
  size_t last;
};

Segments SegmentsOf(const experimental::FilterInput& select) {
  if (const auto* one = std::get_if<SelectKeySegment>(&select)) {
    return {one->segment_index, one->segment_index};
  }
  const auto& range = std::get<SelectKeySegmentRange>(select);
  return {range.from_segment_index, range.to_segment_index};
}

// Where a segment begins; the key's end if it has too few. An extractor that
// points behind the key is not followed.
size_t BeginOf(const CutKey& key, size_t segment) {
  if (segment == 0) return 0;
  const auto& ends = key.cut.segment_ends;
  return segment <= ends.size()
             ? std::min<size_t>(ends[segment - 1], key.key.size())
             : key.key.size();
}

constexpr char kHasKeys = 1;
constexpr char kHasOthers = 2;

}  // namespace

CutKey CutKey::Of(const Extractor* extractor, const Slice& key,
                  Extractor::KeyKind kind) {
  CutKey result;
  result.key = key;
  if (extractor != nullptr) extractor->Extract(key, kind, &result.cut);
  return result;
}

Status KeyRangeConfig::Check(const KeySegmentsExtractor* extractor) const {
  if (is_whole_key()) return Status::OK();
  const bool has_segments =
      std::holds_alternative<SelectKeySegment>(select_) ||
      std::holds_alternative<SelectKeySegmentRange>(select_);
  if (!has_segments) {
    return Status::NotSupported(
        "SstQueryFilterConfig",
        "of a prefix, a timestamp or the name of a column");
  }
  if (extractor == nullptr) {
    return Status::InvalidArgument("SstQueryFilterConfig",
                                   "segments without an extractor");
  }
  const Segments segments = SegmentsOf(select_);
  return segments.first <= segments.last
             ? Status::OK()
             : Status::InvalidArgument("SelectKeySegmentRange",
                                       "ends before it begins");
}

bool KeyRangeConfig::Covers(const CutKey& key) const {
  return key.cut.category <= KeySegmentsExtractor::kMaxUsableCategory &&
         categories_.Contains(key.cut.category);
}

Slice KeyRangeConfig::PartOf(const CutKey& key) const {
  if (is_whole_key()) return key.key;
  const Segments segments = SegmentsOf(select_);
  const size_t begin = BeginOf(key, segments.first);
  const size_t end = std::max(begin, BeginOf(key, segments.last + 1));
  return Slice(key.key.data() + begin, end - begin);
}

void KeyRangeFilter::Add(const KeyRangeConfig& config, const CutKey& key) {
  if (!config.Covers(key)) {
    has_others_ = true;
    return;
  }
  const Slice part = config.PartOf(key);
  if (!has_keys_ || part.compare(smallest_) < 0) smallest_ = part.ToString();
  if (!has_keys_ || part.compare(largest_) > 0) largest_ = part.ToString();
  has_keys_ = true;
}

bool KeyRangeFilter::MayHold(const KeyRangeConfig& config, const CutKey& lower,
                             const CutKey& upper) const {
  if (has_others_ || !config.Covers(lower) || !config.Covers(upper) ||
      lower.cut.category != upper.cut.category) {
    return true;
  }
  if (!has_keys_) return false;
  const Slice at_lower = config.PartOf(lower);
  const Slice at_upper = config.PartOf(upper);
  const auto before = [](const CutKey& key, const Slice& part) {
    return Slice(key.key.data(), part.data() - key.key.data());
  };
  if (before(lower, at_lower) != before(upper, at_upper)) return true;
  if (config.order() == KeyRangeConfig::Order::kReverseBytewise) {
    return at_lower.compare(smallest_) >= 0 && at_upper.compare(largest_) <= 0;
  }
  // A bound that ends with the part has only parts below it within the range.
  const bool ends_there =
      at_upper.data() + at_upper.size() == upper.key.data() + upper.key.size();
  const int from_smallest = at_upper.compare(smallest_);
  return at_lower.compare(largest_) <= 0 &&
         (ends_there ? from_smallest > 0 : from_smallest >= 0);
}

void KeyRangeFilter::EncodeTo(std::string* out) const {
  out->push_back(static_cast<char>((has_keys_ ? kHasKeys : 0) |
                                   (has_others_ ? kHasOthers : 0)));
  PutLengthPrefixedSlice(out, smallest_);
  PutLengthPrefixedSlice(out, largest_);
}

bool KeyRangeFilter::DecodeFrom(Slice* in) {
  if (in->empty()) return false;
  const char flags = (*in)[0];
  in->remove_prefix(1);
  Slice smallest, largest;
  if ((flags & ~(kHasKeys | kHasOthers)) != 0 ||
      !GetLengthPrefixedSlice(in, &smallest) ||
      !GetLengthPrefixedSlice(in, &largest)) {
    return false;
  }
  has_keys_ = (flags & kHasKeys) != 0;
  has_others_ = (flags & kHasOthers) != 0;
  smallest_ = smallest.ToString();
  largest_ = largest.ToString();
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
