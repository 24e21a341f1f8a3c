// The ordered index of a memtable: a B+ tree over entries that live in the
// arena, into which many threads insert while others read.
//
//   entry: varint32 key length | internal key | varint32 value length | value
//
// A skip list costs a cache miss for each of some thirty nodes on the way to
// a key. Here a node keeps, for each entry, four or eight bytes of its key next
// to each other, so that a lookup misses the cache four to six times, and reads
// a full key only where those bytes are equal.
//
// How it is concurrent. Each node has a version; a writer makes it odd, changes
// the node, and makes it even again. Readers take no lock: they read the
// version, the node, the version again, and start over if it changed. Entries
// are never moved, changed or removed; a full node gives its upper half to a
// new node on its right, or a full leaf some of it to the leaf that is there.
// So a position stays valid for ever, and what it pointed to is found in its
// leaf or to the right of it; who goes to the leaf on the right looks
// afterwards whether the one that he came from is unchanged.
//
// Invariant  A leaf other than the first begins with the entry that separates
//            it from its left neighbour in the nodes above.
// Threads    Insert() and every const call from any thread, at the same time.
//            A Cursor serves one thread.
// Ownership  Nodes and entries belong to the arena, which must outlive this.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"
#include "util/arena.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class EntryTree {
 public:
  class Cursor;

  // Is shown the entries whose whole keys a search compares.
  class Observer {
   public:
    virtual void OnCompared(const char* entry) = 0;

   protected:
    ~Observer() = default;
  };

  // `order` must outlive the tree.
  EntryTree(const InternalKeyComparator* order, ConcurrentArena* arena);
  EntryTree(const EntryTree&) = delete;
  EntryTree& operator=(const EntryTree&) = delete;

  struct Leaf;
  // Where an entry went; the next one of its kind may belong there too.
  struct Hint {
    std::atomic<Leaf*> leaf{nullptr};
  };

  // False, with nothing changed, if its internal key is there already.
  // Entries in ascending order cost one comparison each. With a hint, which
  // any threads may share and any key may have changed, entries that belong
  // into the leaf of the last one are spared the way down.
  [[nodiscard]] bool Insert(const char* entry, Hint* hint = nullptr);

  bool IsEmpty() const;

  // How many entries are in [begin, end), internal keys: so many as long as
  // they are a few thousand, else about so many of `entry_count`.
  uint64_t EstimateCount(const Slice& begin, const Slice& end,
                         uint64_t entry_count) const;

  // Makes each of `cursors` one of this tree and calls, in effect, its
  // SeekVersion(). Keys in any order; neighbours that follow each other cost
  // less.
  void SeekTogether(const Slice* internal_keys, size_t count,
                    Cursor* cursors) const;
  // So many at a time.
  static constexpr size_t kSeeksTogether = 32;

  static Slice KeyOf(const char* entry);
  static Slice ValueOf(const char* entry);

 private:
  struct Node;
  struct Inner;
  struct Target;
  struct Candidates;
  struct Path;
  class Descent;
  enum class Side { kLower, kUpper };
  static constexpr size_t kCacheLine = 64;

  static Slice LongKeyOf(const char* entry);

  static uint64_t ReadVersion(const Node& node);
  static bool IsUnchanged(const Node& node, uint64_t version);
  template <class T>
  static T Get(const std::atomic<T>& slot);
  static void Prefetch(const Node* node);

  template <class N>
  static Candidates CandidatesIn(const N& node, typename N::Prefix prefix);
  template <class N>
  size_t Decide(const N& node, Candidates among, const Target& target,
                Side side) const;
  template <class N>
  size_t Search(const N& node, const Target& target, Side side) const;
  int Compare(const char* entry, const Target& target) const;
  template <class N>
  static typename N::Prefix PrefixAfter(size_t skip, const Slice& user_key);
  template <class N>
  typename N::Prefix PrefixFor(const N& node, const Slice& user_key) const;
  static int CompareStart(const Slice& a, const Slice& b, size_t size);
  template <class N>
  static typename N::Prefix PrefixForOpen(const N& node, size_t skip,
                                          const Slice& user_key);
  Leaf* FindLeaf(const Target& target, Side side, uint64_t* version) const;
  uint64_t EstimateRank(const Target& target, uint64_t entry_count) const;

  enum class Outcome { kInserted, kDuplicate, kRetry };
  Outcome TryHint(Leaf* leaf, const char* entry, const Target& target);
  bool IsBehind(const Target& target, const char* entry, size_t* shared) const;
  Outcome TryAppend(const char* entry, const Target& target);
  Outcome TryInsert(const char* entry, const Target& target, Hint* hint);
  Outcome InsertIntoLeaf(Leaf* leaf, uint64_t version, const char* entry,
                         const Target& target);
  void Split(const Path& path, const Target& target);
  void SplitLeaf(Inner* parent, const Path& path, const Target& target);
  bool SplitWithRight(Inner* parent, const Path& path);
  Leaf* GiveToNewLeaf(Inner* parent, Leaf* leaf, size_t kept, const char* high);
  void Prepend(Leaf* right, const Leaf& left, size_t share) const;
  void SplitInner(Inner* parent, const Path& path, const Target& target);
  template <class N>
  void TakePrefixes(N* node, size_t count) const;
  template <class N>
  void SetSlot(N* node, size_t index, const char* entry,
               const Slice& user_key) const;
  template <class N>
  void Admit(N* node, const Slice& user_key) const;
  template <class N>
  void NarrowOpen(N* node) const;
  template <class N>
  void Narrow(N* node, const char* low, const char* high) const;

  template <class N>
  N* NewNode();
  Inner* NewRoot(Node* old_root);
  static size_t IndexOfChild(const Inner& parent, const Node* child);
  void InsertChild(Inner* parent, const Node* left, const char* separator,
                   Node* right) const;

  const InternalKeyComparator* const order_;
  ConcurrentArena* const arena_;
  Leaf* const first_leaf_;
  std::atomic<Node*> root_;
  // The last leaf, or one that was it a moment ago.
  std::atomic<Leaf*> last_leaf_;
};

inline Slice EntryTree::KeyOf(const char* entry) {
  const auto size = static_cast<unsigned char>(*entry);
  // Else the length has more bytes than one.
  return size < 0x80 ? Slice(entry + 1, size) : LongKeyOf(entry);
}

// A position in a tree. Stays good whatever is inserted meanwhile; sees at
// least the entries that were there when it was positioned.
class EntryTree::Cursor {
 public:
  // For SeekTogether(), which says of what.
  Cursor() = default;
  // `observer`, if there is one, is told of what seeks compare.
  explicit Cursor(const EntryTree* tree, Observer* observer = nullptr)
      : tree_(tree), observer_(observer) {}

  bool Valid() const { return entry_ != nullptr; }
  const char* entry() const { return entry_; }

  // To the first entry at or after `internal_key`.
  void Seek(const Slice& internal_key);
  // The same for a caller that wants versions of that user key alone. Where no
  // entry can be one the cursor is not valid, which mostly costs no look at
  // any.
  void SeekVersion(const Slice& internal_key);
  // To the last entry at or before it.
  void SeekForPrev(const Slice& internal_key);
  void SeekToFirst();
  void SeekToLast();
  // Both need Valid().
  void Next();
  void Prev();

 private:
  friend class EntryTree;
  enum class Wanted { kAnyKey, kSameKey };
  template <Wanted kWanted>
  void SeekFor(const Slice& internal_key);
  void Set(Leaf* leaf, uint64_t version, size_t index, const char* entry);
  void SetFirstOf(Leaf* leaf);
  bool SetFirstBehind(const Leaf& leaf, uint64_t version, Leaf* next);
  void SeekBefore(const Target& target, Side side);
  void Relocate();

  const EntryTree* tree_ = nullptr;
  Observer* observer_ = nullptr;
  Leaf* leaf_ = nullptr;
  uint64_t version_ = 0;  // leaf_'s version when index_ was right
  size_t index_ = 0;
  const char* entry_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
