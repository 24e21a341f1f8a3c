#include "db_stress_tool/walk.h"

#include "db_stress_tool/engine_calls.h"
#include "db_stress_tool/entities.h"

namespace ROCKSDB_NAMESPACE::stress {

std::optional<uint64_t> Walk::Look() {
  if (!iterator_->Valid() || !engine::PrepareValue(iterator_)) {
    return std::nullopt;
  }
  const std::optional<uint64_t> number = format_.Number(iterator_->key());
  if (!number.has_value()) {
    error_ = "an iterator found a key that never was: " + Hex(iterator_->key());
    return std::nullopt;
  }
  const KeyRef key{range_.family, *number};
  const std::optional<uint32_t> version =
      format_.Version(key, iterator_->value());
  if (!version.has_value()) {
    error_ = "an iterator found a wrong value of key " +
             std::to_string(*number) + ": " + Hex(iterator_->value());
    return std::nullopt;
  }
  if (!entities::AreColumnsRight(*iterator_)) {
    error_ = "an iterator found wrong columns of key " +
             std::to_string(*number) + " beside " + Hex(iterator_->value());
    return std::nullopt;
  }
  if (*number < range_.from || *number >= range_.to) return std::nullopt;
  Sight& sight = sights_[*number - range_.from];
  if (sight.is_passed && sight.version != version && !may_change_) {
    error_ =
        "an iterator changed its mind about key " + std::to_string(*number);
  }
  sight = {true, version};
  return number;
}

void Walk::Pass(uint64_t from, uint64_t to) {
  for (uint64_t number = from; number < to; ++number) {
    Sight& sight = sights_[number - range_.from];
    if (sight.version.has_value() && !may_change_) {
      error_ = "an iterator passed over key " + std::to_string(number) +
               ", which it had found";
    }
    sight = {true, std::nullopt};
  }
}

void Walk::Wander(uint64_t start, int64_t steps, bool turns,
                  StressRandom* random) {
  const bool from_below = !turns || random->OneIn(2);
  if (from_below) {
    iterator_->Seek(format_.Key(start));
  } else {
    iterator_->SeekForPrev(format_.Key(start));
  }
  std::optional<uint64_t> at = Look();
  if (!at.has_value()) return;
  if (from_below) {
    if (*at < start) error_ = "Seek() went back";
    if (error_.empty()) Pass(start, *at);
  } else {
    if (*at > start) error_ = "SeekForPrev() went on";
    if (error_.empty()) Pass(*at + 1, start + 1);
  }
  for (int64_t i = 0; i < steps && error_.empty(); ++i) {
    const uint64_t last = *at;
    const bool goes_back = turns && random->OneIn(2);
    if (goes_back) {
      iterator_->Prev();
    } else {
      iterator_->Next();
    }
    at = Look();
    if (!at.has_value()) return;
    if (goes_back ? *at >= last : *at <= last) {
      error_ = "an iterator went the wrong way at key " + std::to_string(last);
      return;
    }
    if (goes_back) {
      Pass(*at + 1, last);
    } else {
      Pass(last + 1, *at);
    }
  }
}

void Walk::Forward() {
  uint64_t next = range_.from;
  iterator_->Seek(format_.Key(range_.from));
  while (true) {
    const std::optional<uint64_t> at = Look();
    if (!error_.empty() || !iterator_->status().ok()) return;
    const uint64_t end = at.value_or(range_.to);
    if (end < next) {
      error_ = "Next() went back at key " + std::to_string(next);
      return;
    }
    Pass(next, end);
    if (!at.has_value()) return;
    next = end + 1;
    iterator_->Next();
  }
}

void Walk::Backward() {
  uint64_t end = range_.to;
  iterator_->SeekForPrev(format_.Key(range_.to - 1));
  while (true) {
    const std::optional<uint64_t> at = Look();
    if (!error_.empty() || !iterator_->status().ok()) return;
    if (at.has_value() && *at >= end) {
      error_ = "Prev() went on at key " + std::to_string(end);
      return;
    }
    Pass(at.has_value() ? *at + 1 : range_.from, end);
    if (!at.has_value()) return;
    end = *at;
    iterator_->Prev();
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
