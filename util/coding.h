#pragma once

// Integers and length-prefixed strings as bytes, the one way they appear in
// every file of the engine.
//
//   fixedN     N bits, little-endian
//   varintN    7 bits a byte, low bits first, bit 7 set on all but the last
//   varsigned  zigzag, then varint64
//   slice      varint32 length, then the bytes
//
// Errors  Reading never passes the end of its input: it answers false or
//         nullptr, and leaves the input as it was.

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

inline constexpr uint32_t kMaxVarint32Length = 5;
inline constexpr uint32_t kMaxVarint64Length = 10;

namespace coding_internal {

template <typename T>
inline T LittleEndian(T value) {
  if constexpr (std::endian::native == std::endian::big) {
    T swapped = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      swapped = static_cast<T>((swapped << 8) | ((value >> (8 * i)) & 0xff));
    }
    return swapped;
  } else {
    return value;
  }
}

template <typename T>
inline void EncodeFixed(char* buf, T value) {
  const T little = LittleEndian(value);
  memcpy(buf, &little, sizeof(T));
}

template <typename T>
inline T DecodeFixed(const char* p) {
  T little;
  memcpy(&little, p, sizeof(T));
  return LittleEndian(little);
}

template <typename T>
inline void PutFixed(std::string* dst, T value) {
  char buf[sizeof(T)];
  EncodeFixed(buf, value);
  dst->append(buf, sizeof(T));
}

template <typename T>
inline bool GetFixed(Slice* input, T* value) {
  if (input->size() < sizeof(T)) return false;
  *value = DecodeFixed<T>(input->data());
  input->remove_prefix(sizeof(T));
  return true;
}

}  // namespace coding_internal

inline void EncodeFixed16(char* buf, uint16_t value) {
  coding_internal::EncodeFixed(buf, value);
}
inline void EncodeFixed32(char* buf, uint32_t value) {
  coding_internal::EncodeFixed(buf, value);
}
inline void EncodeFixed64(char* buf, uint64_t value) {
  coding_internal::EncodeFixed(buf, value);
}
inline uint16_t DecodeFixed16(const char* p) {
  return coding_internal::DecodeFixed<uint16_t>(p);
}
inline uint32_t DecodeFixed32(const char* p) {
  return coding_internal::DecodeFixed<uint32_t>(p);
}
inline uint64_t DecodeFixed64(const char* p) {
  return coding_internal::DecodeFixed<uint64_t>(p);
}
inline void PutFixed16(std::string* dst, uint16_t value) {
  coding_internal::PutFixed(dst, value);
}
inline void PutFixed32(std::string* dst, uint32_t value) {
  coding_internal::PutFixed(dst, value);
}
inline void PutFixed64(std::string* dst, uint64_t value) {
  coding_internal::PutFixed(dst, value);
}
inline bool GetFixed16(Slice* input, uint16_t* value) {
  return coding_internal::GetFixed(input, value);
}
inline bool GetFixed32(Slice* input, uint32_t* value) {
  return coding_internal::GetFixed(input, value);
}
inline bool GetFixed64(Slice* input, uint64_t* value) {
  return coding_internal::GetFixed(input, value);
}

// Writes at `dst`, which has room for the longest form; returns the end.
inline char* EncodeVarint64(char* dst, uint64_t v) {
  auto* p = reinterpret_cast<uint8_t*>(dst);
  while (v >= 0x80) {
    *p++ = static_cast<uint8_t>(v | 0x80);
    v >>= 7;
  }
  *p++ = static_cast<uint8_t>(v);
  return reinterpret_cast<char*>(p);
}
inline char* EncodeVarint32(char* dst, uint32_t v) {
  return EncodeVarint64(dst, v);
}

inline int VarintLength(uint64_t v) { return (std::bit_width(v | 1) + 6) / 7; }

inline void PutVarint64(std::string* dst, uint64_t v) {
  char buf[kMaxVarint64Length];
  dst->append(buf, static_cast<size_t>(EncodeVarint64(buf, v) - buf));
}
inline void PutVarint32(std::string* dst, uint32_t v) { PutVarint64(dst, v); }

inline uint64_t ZigzagEncode(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
inline int64_t ZigzagDecode(uint64_t v) {
  return static_cast<int64_t>((v >> 1) ^ (~(v & 1) + 1));
}
inline void PutVarsignedint64(std::string* dst, int64_t v) {
  PutVarint64(dst, ZigzagEncode(v));
}

// The forms of more than one byte, out of the way of the usual case.
inline const char* GetVarint64PtrSlow(const char* p, const char* limit,
                                      uint64_t* value) {
  uint64_t result = 0;
  for (uint32_t shift = 0; shift <= 63 && p < limit; shift += 7) {
    const uint64_t byte = static_cast<uint8_t>(*p++);
    // The tenth byte has room for one bit only.
    if (shift == 63 && byte > 1) return nullptr;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return p;
    }
  }
  return nullptr;
}
inline const char* GetVarint32PtrSlow(const char* p, const char* limit,
                                      uint32_t* value) {
  uint32_t result = 0;
  for (uint32_t shift = 0; shift <= 28 && p < limit; shift += 7) {
    const uint32_t byte = static_cast<uint8_t>(*p++);
    // The fifth byte has room for four bits only.
    if (shift == 28 && byte > 0x0f) return nullptr;
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *value = result;
      return p;
    }
  }
  return nullptr;
}

// Reads a varint in [p, limit); the byte behind it, or nullptr if there is
// none.
inline const char* GetVarint32Ptr(const char* p, const char* limit,
                                  uint32_t* value) {
  if (p < limit && static_cast<uint8_t>(*p) < 0x80) {
    *value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return GetVarint32PtrSlow(p, limit, value);
}
inline const char* GetVarint64Ptr(const char* p, const char* limit,
                                  uint64_t* value) {
  if (p < limit && static_cast<uint8_t>(*p) < 0x80) {
    *value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return GetVarint64PtrSlow(p, limit, value);
}

inline bool GetVarint32(Slice* input, uint32_t* value) {
  const char* limit = input->data() + input->size();
  const char* q = GetVarint32Ptr(input->data(), limit, value);
  if (q == nullptr) return false;
  *input = Slice(q, static_cast<size_t>(limit - q));
  return true;
}
inline bool GetVarint64(Slice* input, uint64_t* value) {
  const char* limit = input->data() + input->size();
  const char* q = GetVarint64Ptr(input->data(), limit, value);
  if (q == nullptr) return false;
  *input = Slice(q, static_cast<size_t>(limit - q));
  return true;
}
inline bool GetVarsignedint64(Slice* input, int64_t* value) {
  uint64_t zigzag = 0;
  if (!GetVarint64(input, &zigzag)) return false;
  *value = ZigzagDecode(zigzag);
  return true;
}

inline void PutLengthPrefixedSlice(std::string* dst, const Slice& value) {
  assert(value.size() <= UINT32_MAX);
  PutVarint32(dst, static_cast<uint32_t>(value.size()));
  dst->append(value.data(), value.size());
}
inline bool GetLengthPrefixedSlice(Slice* input, Slice* result) {
  Slice rest = *input;
  uint32_t length = 0;
  if (!GetVarint32(&rest, &length) || rest.size() < length) return false;
  *result = Slice(rest.data(), length);
  rest.remove_prefix(length);
  *input = rest;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
