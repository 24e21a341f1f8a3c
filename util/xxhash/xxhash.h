#pragma once

// <xxhash.h> of builds without the xxhash library: the names of that library
// which our sources use, over the hashes of this folder.
// cmake/Dependencies.cmake puts this folder on the include path where the
// library is missing or unwanted.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "util/xxhash/xxh32_xxh64.h"
#include "util/xxhash/xxh3_any.h"

using XXH32_state_t = own_xxhash::Xxh32Stream;
using XXH64_state_t = own_xxhash::Xxh64Stream;
using XXH3_state_t = own_xxhash::Xxh3Stream;
using XXH128_hash_t = own_xxhash::Halves;

namespace {

inline uint32_t XXH32(const void* data, size_t n, uint32_t seed) {
  return own_xxhash::Xxh32(data, n, seed);
}
inline void XXH32_reset(XXH32_state_t* state, uint32_t seed) {
  state->Reset(seed);
}
inline void XXH32_update(XXH32_state_t* state, const void* data, size_t n) {
  state->Update(data, n);
}
inline uint32_t XXH32_digest(const XXH32_state_t* state) {
  return state->Digest();
}

inline uint64_t XXH64(const void* data, size_t n, uint64_t seed) {
  return own_xxhash::Xxh64(data, n, seed);
}
inline void XXH64_reset(XXH64_state_t* state, uint64_t seed) {
  state->Reset(seed);
}
inline void XXH64_update(XXH64_state_t* state, const void* data, size_t n) {
  state->Update(data, n);
}
inline uint64_t XXH64_digest(const XXH64_state_t* state) {
  return state->Digest();
}

inline uint64_t XXH3_64bits(const void* data, size_t n) {
  return own_xxhash::Xxh3Hash64(data, n, 0);
}
inline uint64_t XXH3_64bits_withSeed(const void* data, size_t n,
                                     uint64_t seed) {
  return own_xxhash::Xxh3Hash64(data, n, seed);
}
inline XXH128_hash_t XXH3_128bits_withSeed(const void* data, size_t n,
                                           uint64_t seed) {
  return own_xxhash::Xxh3Hash128(data, n, seed);
}

inline XXH3_state_t* XXH3_createState() {
  return std::make_unique<XXH3_state_t>().release();
}
inline void XXH3_freeState(XXH3_state_t* state) {
  const std::unique_ptr<XXH3_state_t> owner(state);
}
inline void XXH3_64bits_reset(XXH3_state_t* state) { *state = XXH3_state_t(); }
inline void XXH3_64bits_update(XXH3_state_t* state, const void* data,
                               size_t n) {
  state->Update(data, n);
}
inline uint64_t XXH3_64bits_digest(const XXH3_state_t* state) {
  return state->Digest();
}

}  // namespace
