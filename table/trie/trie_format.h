#pragma once

// The block of a trie index, which RocksDB's `trie_index` writes as well.
//
//   fixed32 magic, fixed32 version
//   fixed64 keys, fixed32 cutoff level, fixed32 max depth
//   fixed64 leaves, fixed64 nodes, fixed64 children   of the dense part
//   fixed32 flags, fixed32 0
//   dense part    labels (256 bits a node), has_child (a bit a label),
//                 is_prefix_key (a bit a node)
//   sparse part   fixed64 n, n labels, pad; has_child, starts_node (a bit a
//                 label each), is_prefix_key (a bit a node)
//   child tables  fixed64 n, fixed32 first[n], pad, fixed32 end[n], pad: the
//                 labels below the sparse label that is the i-th with a child
//   chains        fixed64 n; more if n > 0, which says again what is above
//   handles       fixed32 offset[keys], pad, fixed32 size[keys], pad
//   tag table     if flags have it: fixed32 m, fixed32 0, fixed64 tag[keys],
//                 fixed32 block count[keys], pad, fixed32 offset[m], pad,
//                 fixed32 size[m], pad, fixed64 tag[m]
//
// Nodes are numbered level by level; those of levels before the cutoff are
// dense. Leaves are numbered node by node: the node's own key, if one ends
// there, then its labels without a child. Keys, offsets and tags of blocks are
// in the order of leaves; the m blocks are all but the first of those keys that
// part several blocks.
//
// Bit vectors are in bit_vector.h.

#include <cstddef>
#include <cstdint>

namespace ROCKSDB_NAMESPACE {

inline constexpr uint32_t kTrieMagic = 0x54524945;
inline constexpr uint32_t kTrieVersion = 1;
inline constexpr size_t kTrieHeaderBytes = 56;
inline constexpr uint32_t kTrieHasTags = 1;  // a bit of the flags
inline constexpr uint64_t kTrieMaxKeys = uint64_t{1} << 30;
inline constexpr uint32_t kTrieMaxDepth = 65536;
inline constexpr uint64_t kLabelsOfNode = 256;

}  // namespace ROCKSDB_NAMESPACE
