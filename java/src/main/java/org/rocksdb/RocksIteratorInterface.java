package org.rocksdb;

import java.nio.ByteBuffer;

/** Moves over entries in the order of their keys. */
public interface RocksIteratorInterface {
  /**
   * Whether it is at an entry.
   *
   * @return false before the first move, past the end, and after an error
   */
  boolean isValid();

  /** Goes to the first entry. */
  void seekToFirst();

  /** Goes to the last entry. */
  void seekToLast();

  /**
   * Goes to the first entry at or after a key.
   *
   * @param target the key
   */
  void seek(byte[] target);

  /**
   * Goes to the last entry at or before a key.
   *
   * @param target the key
   */
  void seekForPrev(byte[] target);

  /**
   * Goes to the first entry at or after a key.
   *
   * @param target the key, from position to limit, where the position is afterwards
   */
  void seek(ByteBuffer target);

  /**
   * Goes to the last entry at or before a key.
   *
   * @param target the key, from position to limit, where the position is afterwards
   */
  void seekForPrev(ByteBuffer target);

  /** Goes to the next entry. */
  void next();

  /** Goes to the entry before. */
  void prev();

  /**
   * Tells of an error.
   *
   * @throws RocksDBException if it ended for another reason than the end of the data
   */
  void status() throws RocksDBException;

  /**
   * Sees what was written meanwhile; seek again.
   *
   * @throws RocksDBException if it cannot
   */
  void refresh() throws RocksDBException;

  /**
   * Sees what a snapshot does; seek again.
   *
   * @param snapshot the snapshot
   * @throws RocksDBException if it cannot
   */
  void refresh(Snapshot snapshot) throws RocksDBException;
}
