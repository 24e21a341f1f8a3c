#pragma once

// A binary heap whose top can be replaced in one pass down.
//
// Like std::priority_queue the top is the greatest element by `Compare`; a
// merge wants the smallest and turns its comparison round.
//
// The engine merges otherwise. This is here because Pika, an application of
// RocksDB's, includes the header and names the class.
//
// Threads  One at a time.

#include <cassert>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

template <typename T, typename Compare = std::less<T>>
class BinaryHeap {
 public:
  BinaryHeap() = default;
  explicit BinaryHeap(Compare cmp) : cmp_(std::move(cmp)) {}

  void push(const T& value) {
    data_.push_back(value);
    SiftUp(data_.size() - 1);
  }
  void push(T&& value) {
    data_.push_back(std::move(value));
    SiftUp(data_.size() - 1);
  }

  const T& top() const {
    assert(!empty());
    return data_.front();
  }

  // The same as pop() and push(), at half the cost.
  void replace_top(const T& value) {
    assert(!empty());
    data_.front() = value;
    SiftDown(0);
  }
  void replace_top(T&& value) {
    assert(!empty());
    data_.front() = std::move(value);
    SiftDown(0);
  }

  void pop() {
    assert(!empty());
    if (data_.size() > 1) data_.front() = std::move(data_.back());
    data_.pop_back();
    if (!empty()) SiftDown(0);
  }

  void swap(BinaryHeap& other) {
    std::swap(cmp_, other.cmp_);
    data_.swap(other.data_);
  }
  void clear() { data_.clear(); }
  void reserve(size_t n) { data_.reserve(n); }
  bool empty() const { return data_.empty(); }
  size_t size() const { return data_.size(); }

 private:
  void SiftUp(size_t index) {
    T value = std::move(data_[index]);
    while (index > 0) {
      const size_t parent = (index - 1) / 2;
      if (!cmp_(data_[parent], value)) break;
      data_[index] = std::move(data_[parent]);
      index = parent;
    }
    data_[index] = std::move(value);
  }

  void SiftDown(size_t index) {
    const size_t size = data_.size();
    T value = std::move(data_[index]);
    for (size_t child = 2 * index + 1; child < size; child = 2 * index + 1) {
      if (child + 1 < size && cmp_(data_[child], data_[child + 1])) ++child;
      if (!cmp_(value, data_[child])) break;
      data_[index] = std::move(data_[child]);
      index = child;
    }
    data_[index] = std::move(value);
  }

  Compare cmp_;
  std::vector<T> data_;
};

}  // namespace ROCKSDB_NAMESPACE
