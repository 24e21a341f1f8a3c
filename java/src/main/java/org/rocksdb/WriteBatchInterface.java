package org.rocksdb;

import java.nio.ByteBuffer;

/** Updates that are collected to be written together. */
public interface WriteBatchInterface {
  /** How many updates there are. */
  int count();

  /** Writes a value under a key. */
  void put(byte[] key, byte[] value) throws RocksDBException;

  /** Writes a value under a key of a family. */
  void put(ColumnFamilyHandle columnFamilyHandle, byte[] key, byte[] value)
      throws RocksDBException;

  /** Writes a value under a key. */
  void put(ByteBuffer key, ByteBuffer value) throws RocksDBException;

  /** Writes a value under a key of a family. */
  void put(ColumnFamilyHandle columnFamilyHandle, ByteBuffer key, ByteBuffer value)
      throws RocksDBException;

  /** Adds an operand to what is under a key. */
  void merge(byte[] key, byte[] value) throws RocksDBException;

  /** Adds an operand to what is under a key of a family. */
  void merge(ColumnFamilyHandle columnFamilyHandle, byte[] key, byte[] value)
      throws RocksDBException;

  /** Removes a key. */
  void delete(byte[] key) throws RocksDBException;

  /** Removes a key of a family. */
  void delete(ColumnFamilyHandle columnFamilyHandle, byte[] key) throws RocksDBException;

  /** Removes a key. */
  void delete(ByteBuffer key) throws RocksDBException;

  /** Removes a key of a family. */
  void delete(ColumnFamilyHandle columnFamilyHandle, ByteBuffer key) throws RocksDBException;

  /** Removes a key that was put once. */
  void singleDelete(byte[] key) throws RocksDBException;

  /** Removes a key of a family that was put once. */
  void singleDelete(ColumnFamilyHandle columnFamilyHandle, byte[] key) throws RocksDBException;

  /** Removes all keys from one, included, to another, excluded. */
  void deleteRange(byte[] beginKey, byte[] endKey) throws RocksDBException;

  /** Removes all keys of a family from one, included, to another, excluded. */
  void deleteRange(ColumnFamilyHandle columnFamilyHandle, byte[] beginKey, byte[] endKey)
      throws RocksDBException;

  /** Adds bytes that go to the log alone. */
  void putLogData(byte[] blob) throws RocksDBException;

  /** Drops all updates. */
  void clear();

  /** Marks a point to go back to. */
  void setSavePoint();

  /** Drops what came after the last mark, and the mark. */
  void rollbackToSavePoint() throws RocksDBException;

  /** Drops the last mark. */
  void popSavePoint() throws RocksDBException;

  /** Refuses updates that make it larger than so many bytes. */
  void setMaxBytes(long maxBytes);

  /** The batch to be written. */
  WriteBatch getWriteBatch();
}
