package org.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Updates that are written together at {@link #commit}, and that this reads before then; others do
 * not. Databases make it. Use it by one thread at a time, and close it before its database; closing
 * it lets go what it has locked, and what is not committed or prepared is dropped.
 */
public class Transaction extends RocksObject {
  private final RocksDB parent;

  Transaction(final RocksDB parent, final long nativeHandle) {
    super(nativeHandle);
    this.parent = parent;
  }

  /** One that belongs to somebody else. */
  static Transaction borrowed(final RocksDB parent, final long nativeHandle) {
    final Transaction transaction = new Transaction(parent, nativeHandle);
    transaction.disOwnNativeHandle();
    return transaction;
  }

  private static byte[] checked(final byte[] value) {
    if (value == null) {
      throw new NullPointerException("the value is null");
    }
    return value;
  }

  private static int tracking(final boolean assumeTracked) {
    return assumeTracked ? Transactions.ASSUME_TRACKED : Transactions.TRACKED;
  }

  private void step(final int step) {
    try {
      Transactions.run(nativeHandle_, step);
    } catch (final RocksDBException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Takes a snapshot: keys that are written by others after it are conflicts from now on. */
  public void setSnapshot() {
    step(Transactions.SET_SNAPSHOT);
  }

  /** Takes a snapshot at the next operation that locks a key. */
  public void setSnapshotOnNextOperation() {
    Transactions.snapshotOnNext(nativeHandle_, 0);
  }

  /**
   * Takes a snapshot at the next operation that locks a key.
   *
   * @param transactionNotifier is told then
   */
  public void setSnapshotOnNextOperation(
      final AbstractTransactionNotifier transactionNotifier) {
    Transactions.snapshotOnNext(nativeHandle_, transactionNotifier.nativeHandle_);
  }

  /**
   * The snapshot.
   *
   * @return it belongs to this and ends when another one is taken; null if there is none
   */
  public Snapshot getSnapshot() {
    final long handle = Transactions.snapshot(nativeHandle_);
    return handle == 0 ? null : new Snapshot(handle);
  }

  /** Lets the snapshot go. */
  public void clearSnapshot() {
    step(Transactions.CLEAR_SNAPSHOT);
  }

  /**
   * Writes to the log what this has, for a commit that cannot fail any more. It needs a name.
   *
   * @throws RocksDBException if that fails, or transactions of this kind have no such step
   */
  public void prepare() throws RocksDBException {
    Transactions.run(nativeHandle_, Transactions.PREPARE);
  }

  /**
   * Writes what this has.
   *
   * @throws RocksDBException {@code Busy} if others wrote its keys, {@code TryAgain} if what is in
   *     memory does not say, or if writing fails
   */
  public void commit() throws RocksDBException {
    Transactions.run(nativeHandle_, Transactions.COMMIT);
  }

  /**
   * Drops what this has, and what it has locked.
   *
   * @throws RocksDBException if what was prepared cannot be taken back
   */
  public void rollback() throws RocksDBException {
    Transactions.run(nativeHandle_, Transactions.ROLLBACK);
  }

  /**
   * Marks where {@link #rollbackToSavePoint} goes back to.
   *
   * @throws RocksDBException not thrown
   */
  public void setSavePoint() throws RocksDBException {
    Transactions.run(nativeHandle_, Transactions.SET_SAVE_POINT);
  }

  /**
   * Drops what was written since the last save point, and the save point.
   *
   * @throws RocksDBException {@code NotFound} if there is none
   */
  public void rollbackToSavePoint() throws RocksDBException {
    Transactions.run(nativeHandle_, Transactions.ROLLBACK_TO_SAVE_POINT);
  }

  /**
   * Reads a key: what this has written, else what the database has.
   *
   * @param columnFamilyHandle the family
   * @param readOptions how to read
   * @param key the key
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   * @deprecated use {@link #get(ReadOptions, ColumnFamilyHandle, byte[])}
   */
  @Deprecated
  public byte[] get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions readOptions, final byte[] key)
      throws RocksDBException {
    return Transactions.find(this, columnFamilyHandle, readOptions, Transactions.PLAIN, key);
  }

  /**
   * Reads a key: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key)
      throws RocksDBException {
    return Transactions.find(this, columnFamilyHandle, readOptions, Transactions.PLAIN, key);
  }

  /**
   * Reads a key of the default family: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param key the key
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(final ReadOptions readOptions, final byte[] key) throws RocksDBException {
    return Transactions.find(this, null, readOptions, Transactions.PLAIN, key);
  }

  /**
   * Reads a key of the default family: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param key the key
   * @param value where the value goes; what does not fit is left out
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus get(
      final ReadOptions readOptions, final byte[] key, final byte[] value) throws RocksDBException {
    return Transactions.find(this, null, readOptions, Transactions.PLAIN, key, value);
  }

  /**
   * Reads a key: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value where the value goes; what does not fit is left out
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus get(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final byte[] value) throws RocksDBException {
    return Transactions.find(this, columnFamilyHandle, readOptions, Transactions.PLAIN, key, value);
  }

  /**
   * Reads a key: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value where the value goes, from the position on, which then is behind it
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus get(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle,
      final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    return Transactions.find(this, columnFamilyHandle, readOptions, Transactions.PLAIN, key, value);
  }

  /**
   * Reads a key of the default family: what this has written, else what the database has.
   *
   * @param readOptions how to read
   * @param key the key, from position to limit, which is the position then
   * @param value where the value goes, from the position on, which then is behind it
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus get(
      final ReadOptions readOptions, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    return Transactions.find(this, null, readOptions, Transactions.PLAIN, key, value);
  }

  /**
   * Reads keys.
   *
   * @param readOptions how to read
   * @param columnFamilyHandles a family for each key
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   * @deprecated use {@link #multiGetAsList(ReadOptions, List, List)}
   */
  @Deprecated
  public byte[][] multiGet(
      final ReadOptions readOptions, final List<ColumnFamilyHandle> columnFamilyHandles,
      final byte[][] keys) throws RocksDBException {
    return Transactions.findAll(this, columnFamilyHandles, readOptions, Arrays.asList(keys), false);
  }

  /**
   * Reads keys.
   *
   * @param readOptions how to read
   * @param columnFamilyHandles a family for each key
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   */
  public List<byte[]> multiGetAsList(
      final ReadOptions readOptions, final List<ColumnFamilyHandle> columnFamilyHandles,
      final List<byte[]> keys) throws RocksDBException {
    return Arrays.asList(Transactions.findAll(this, columnFamilyHandles, readOptions, keys, false));
  }

  /**
   * Reads keys.
   *
   * @param readOptions how to read
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   * @deprecated use {@link #multiGetAsList(ReadOptions, List)}
   */
  @Deprecated
  public byte[][] multiGet(
      final ReadOptions readOptions, final byte[][] keys) throws RocksDBException {
    return Transactions.findAll(this, null, readOptions, Arrays.asList(keys), false);
  }

  /**
   * Reads keys.
   *
   * @param readOptions how to read
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   */
  public List<byte[]> multiGetAsList(
      final ReadOptions readOptions, final List<byte[]> keys) throws RocksDBException {
    return Arrays.asList(Transactions.findAll(this, null, readOptions, keys, false));
  }

  /**
   * Reads keys of one family.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   */
  public List<byte[]> multiGetAsList(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle,
      final List<byte[]> keys) throws RocksDBException {
    return multiGetAsList(
        readOptions, Collections.nCopies(keys.size(), columnFamilyHandle), keys);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @param exclusive whether no other transaction may lock it, too
   * @param doValidate whether to refuse a key that was written after the snapshot
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final boolean exclusive, final boolean doValidate) throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, doValidate), key);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @param exclusive whether no other transaction may lock it, too
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final boolean exclusive) throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, true), key);
  }

  /**
   * Locks a key of the default family and reads it: no other transaction writes it before this one
   * has ended.
   *
   * @param readOptions how to read
   * @param key the key
   * @param exclusive whether no other transaction may lock it, too
   * @return the value; null if there is none
   * @throws RocksDBException if the engine refuses
   */
  public byte[] getForUpdate(
      final ReadOptions readOptions, final byte[] key, final boolean exclusive)
      throws RocksDBException {
    return Transactions.find(this, null, readOptions, Transactions.forUpdate(exclusive, true), key);
  }

  /**
   * Locks a key of the default family and reads it: no other transaction writes it before this one
   * has ended.
   *
   * @param readOptions how to read
   * @param key the key
   * @param value where the value goes; what does not fit is left out
   * @param exclusive whether no other transaction may lock it, too
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final byte[] key, final byte[] value, final boolean exclusive)
      throws RocksDBException {
    return Transactions.find(
        this, null, readOptions, Transactions.forUpdate(exclusive, true), key, value);
  }

  /**
   * Locks a key of the default family and reads it: no other transaction writes it before this one
   * has ended.
   *
   * @param readOptions how to read
   * @param key the key, from position to limit, which is the position then
   * @param value where the value goes, from the position on, which then is behind it
   * @param exclusive whether no other transaction may lock it, too
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final ByteBuffer key, final ByteBuffer value,
      final boolean exclusive) throws RocksDBException {
    return Transactions.find(
        this, null, readOptions, Transactions.forUpdate(exclusive, true), key, value);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value where the value goes; what does not fit is left out
   * @param exclusive whether no other transaction may lock it, too
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final byte[] value, final boolean exclusive) throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, true), key, value);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value where the value goes; what does not fit is left out
   * @param exclusive whether no other transaction may lock it, too
   * @param doValidate whether to refuse a key that was written after the snapshot
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle, final byte[] key,
      final byte[] value, final boolean exclusive, final boolean doValidate)
      throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, doValidate), key,
        value);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value where the value goes, from the position on, which then is behind it
   * @param exclusive whether no other transaction may lock it, too
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle,
      final ByteBuffer key, final ByteBuffer value, final boolean exclusive)
      throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, true), key, value);
  }

  /**
   * Locks a key and reads it: no other transaction writes it before this one has ended.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value where the value goes, from the position on, which then is behind it
   * @param exclusive whether no other transaction may lock it, too
   * @param doValidate whether to refuse a key that was written after the snapshot
   * @return whether there is one, and its whole size
   * @throws RocksDBException if the engine refuses
   */
  public GetStatus getForUpdate(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle,
      final ByteBuffer key, final ByteBuffer value, final boolean exclusive,
      final boolean doValidate) throws RocksDBException {
    return Transactions.find(
        this, columnFamilyHandle, readOptions, Transactions.forUpdate(exclusive, doValidate), key,
        value);
  }

  /**
   * Locks keys and reads them.
   *
   * @param readOptions how to read
   * @param columnFamilyHandles a family for each key
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   * @deprecated use {@link #multiGetForUpdateAsList(ReadOptions, List, List)}
   */
  @Deprecated
  public byte[][] multiGetForUpdate(
      final ReadOptions readOptions, final List<ColumnFamilyHandle> columnFamilyHandles,
      final byte[][] keys) throws RocksDBException {
    return Transactions.findAll(this, columnFamilyHandles, readOptions, Arrays.asList(keys), true);
  }

  /**
   * Locks keys and reads them.
   *
   * @param readOptions how to read
   * @param columnFamilyHandles a family for each key
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   */
  public List<byte[]> multiGetForUpdateAsList(
      final ReadOptions readOptions, final List<ColumnFamilyHandle> columnFamilyHandles,
      final List<byte[]> keys) throws RocksDBException {
    return Arrays.asList(Transactions.findAll(this, columnFamilyHandles, readOptions, keys, true));
  }

  /**
   * Locks keys and reads them.
   *
   * @param readOptions how to read
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   * @deprecated use {@link #multiGetForUpdateAsList(ReadOptions, List)}
   */
  @Deprecated
  public byte[][] multiGetForUpdate(
      final ReadOptions readOptions, final byte[][] keys) throws RocksDBException {
    return Transactions.findAll(this, null, readOptions, Arrays.asList(keys), true);
  }

  /**
   * Locks keys and reads them.
   *
   * @param readOptions how to read
   * @param keys the keys
   * @return a value for each key, in order; null where there is none
   * @throws RocksDBException if the engine refuses
   */
  public List<byte[]> multiGetForUpdateAsList(
      final ReadOptions readOptions, final List<byte[]> keys) throws RocksDBException {
    return Arrays.asList(Transactions.findAll(this, null, readOptions, keys, true));
  }

  /**
   * An iterator over what this has written, and what the database has below it.
   * Of the default family.
   *
   * @return the iterator, which the caller closes, and which ends with this
   */
  public RocksIterator getIterator() {
    return iterator(null, null);
  }

  /**
   * An iterator over what this has written, and what the database has below it.
   * Of the default family.
   *
   * @param readOptions how to read
   * @return the iterator, which the caller closes, and which ends with this
   */
  public RocksIterator getIterator(final ReadOptions readOptions) {
    return iterator(null, readOptions);
  }

  /**
   * An iterator over what this has written, and what the database has below it.
   *
   * @param readOptions how to read
   * @param columnFamilyHandle the family
   * @return the iterator, which the caller closes, and which ends with this
   */
  public RocksIterator getIterator(
      final ReadOptions readOptions, final ColumnFamilyHandle columnFamilyHandle) {
    return iterator(columnFamilyHandle, readOptions);
  }

  /**
   * An iterator over what this has written, and what the database has below it.
   *
   * @param columnFamilyHandle the family
   * @return the iterator, which the caller closes, and which ends with this
   */
  public RocksIterator getIterator(final ColumnFamilyHandle columnFamilyHandle) {
    return iterator(columnFamilyHandle, null);
  }

  private RocksIterator iterator(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions readOptions) {
    return new RocksIterator(parent,
        Transactions.iterator(
            nativeHandle_, handleOf(columnFamilyHandle), handleOf(readOptions)));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, tracking(assumeTracked), key, checked(value));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, Transactions.TRACKED, key, checked(value));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(final byte[] key, final byte[] value) throws RocksDBException {
    Transactions.write(this, null, Writes.PUT, Transactions.TRACKED, key, checked(value));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @param valueParts the value, in parts
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts,
      final byte[][] valueParts, final boolean assumeTracked) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, tracking(assumeTracked), Transactions.join(keyParts),
        Transactions.join(valueParts));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @param valueParts the value, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts,
      final byte[][] valueParts) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, Transactions.TRACKED, Transactions.join(keyParts),
        Transactions.join(valueParts));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param keyParts the key, in parts
   * @param valueParts the value, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void put(final byte[][] keyParts, final byte[][] valueParts) throws RocksDBException {
    Transactions.write(
        this, null, Writes.PUT, Transactions.TRACKED, Transactions.join(keyParts),
        Transactions.join(valueParts));
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void put(final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    Transactions.write(this, null, Writes.PUT, Transactions.TRACKED, key, value);
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(this, columnFamilyHandle, Writes.PUT, tracking(assumeTracked), key, value);
  }

  /**
   * Writes a value under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Transactions.write(this, columnFamilyHandle, Writes.PUT, Transactions.TRACKED, key, value);
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.MERGE, tracking(assumeTracked), key, checked(value));
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.MERGE, Transactions.TRACKED, key, checked(value));
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(final byte[] key, final byte[] value) throws RocksDBException {
    Transactions.write(this, null, Writes.MERGE, Transactions.TRACKED, key, checked(value));
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void merge(final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    Transactions.write(this, null, Writes.MERGE, Transactions.TRACKED, key, value);
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(this, columnFamilyHandle, Writes.MERGE, tracking(assumeTracked), key, value);
  }

  /**
   * Adds an operand under a key, and locks the key.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Transactions.write(this, columnFamilyHandle, Writes.MERGE, Transactions.TRACKED, key, value);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final boolean assumeTracked)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, tracking(assumeTracked), key, (byte[]) null);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, Transactions.TRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final byte[] key) throws RocksDBException {
    Transactions.write(this, null, Writes.DELETE, Transactions.TRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, tracking(assumeTracked),
        Transactions.join(keyParts), (byte[]) null);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, Transactions.TRACKED, Transactions.join(keyParts),
        (byte[]) null);
  }

  /**
   * Deletes a key, and locks it.
   *
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final byte[][] keyParts) throws RocksDBException {
    Transactions.write(
        this, null, Writes.DELETE, Transactions.TRACKED, Transactions.join(keyParts),
        (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final boolean assumeTracked)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.SINGLE_DELETE, tracking(assumeTracked), key,
        (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.SINGLE_DELETE, Transactions.TRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(final byte[] key) throws RocksDBException {
    Transactions.write(this, null, Writes.SINGLE_DELETE, Transactions.TRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @param assumeTracked whether the key was locked by this already, and is not looked at again
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts,
      final boolean assumeTracked) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.SINGLE_DELETE, tracking(assumeTracked),
        Transactions.join(keyParts), (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.SINGLE_DELETE, Transactions.TRACKED,
        Transactions.join(keyParts), (byte[]) null);
  }

  /**
   * Deletes a key that was written once, and locks it.
   *
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(final byte[][] keyParts) throws RocksDBException {
    Transactions.write(
        this, null, Writes.SINGLE_DELETE, Transactions.TRACKED, Transactions.join(keyParts),
        (byte[]) null);
  }

  /**
   * Writes a value under a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void putUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, Transactions.UNTRACKED, key, checked(value));
  }

  /**
   * Writes a value under a key; a conflict with another transaction is passed over.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void putUntracked(final byte[] key, final byte[] value) throws RocksDBException {
    Transactions.write(this, null, Writes.PUT, Transactions.UNTRACKED, key, checked(value));
  }

  /**
   * Writes a value under a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @param valueParts the value, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void putUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts,
      final byte[][] valueParts) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.PUT, Transactions.UNTRACKED, Transactions.join(keyParts),
        Transactions.join(valueParts));
  }

  /**
   * Writes a value under a key; a conflict with another transaction is passed over.
   *
   * @param keyParts the key, in parts
   * @param valueParts the value, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void putUntracked(
      final byte[][] keyParts, final byte[][] valueParts) throws RocksDBException {
    Transactions.write(
        this, null, Writes.PUT, Transactions.UNTRACKED, Transactions.join(keyParts),
        Transactions.join(valueParts));
  }

  /**
   * Adds an operand under a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void mergeUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.MERGE, Transactions.UNTRACKED, key, checked(value));
  }

  /**
   * Adds an operand under a key; a conflict with another transaction is passed over.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void mergeUntracked(final byte[] key, final byte[] value) throws RocksDBException {
    Transactions.write(this, null, Writes.MERGE, Transactions.UNTRACKED, key, checked(value));
  }

  /**
   * Adds an operand under a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void mergeUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Transactions.write(this, columnFamilyHandle, Writes.MERGE, Transactions.UNTRACKED, key, value);
  }

  /**
   * Adds an operand under a key; a conflict with another transaction is passed over.
   *
   * @param key the key, from position to limit, which is the position then
   * @param value the value, from position to limit, which is the position then
   * @throws RocksDBException if the engine refuses
   */
  public void mergeUntracked(final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    Transactions.write(this, null, Writes.MERGE, Transactions.UNTRACKED, key, value);
  }

  /**
   * Deletes a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void deleteUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, Transactions.UNTRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key; a conflict with another transaction is passed over.
   *
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void deleteUntracked(final byte[] key) throws RocksDBException {
    Transactions.write(this, null, Writes.DELETE, Transactions.UNTRACKED, key, (byte[]) null);
  }

  /**
   * Deletes a key; a conflict with another transaction is passed over.
   *
   * @param columnFamilyHandle the family
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void deleteUntracked(
      final ColumnFamilyHandle columnFamilyHandle, final byte[][] keyParts)
      throws RocksDBException {
    Transactions.write(
        this, columnFamilyHandle, Writes.DELETE, Transactions.UNTRACKED,
        Transactions.join(keyParts), (byte[]) null);
  }

  /**
   * Deletes a key; a conflict with another transaction is passed over.
   *
   * @param keyParts the key, in parts
   * @throws RocksDBException if the engine refuses
   */
  public void deleteUntracked(final byte[][] keyParts) throws RocksDBException {
    Transactions.write(
        this, null, Writes.DELETE, Transactions.UNTRACKED, Transactions.join(keyParts),
        (byte[]) null);
  }

  /**
   * Adds bytes that go to the log alone.
   *
   * @param blob the bytes
   */
  public void putLogData(final byte[] blob) {
    Transactions.putLogData(nativeHandle_, blob);
  }

  /** From now on, reads of this do not see what it writes. */
  public void disableIndexing() {
    step(Transactions.DISABLE_INDEXING);
  }

  /** From now on, reads of this see what it writes. */
  public void enableIndexing() {
    step(Transactions.ENABLE_INDEXING);
  }

  private long number(final int figure) {
    return Transactions.number(nativeHandle_, figure);
  }

  /** Tells how many keys it has locked or looks after. */
  public long getNumKeys() {
    return number(Transactions.KEYS);
  }

  /** Tells how many puts it has. */
  public long getNumPuts() {
    return number(Transactions.PUTS);
  }

  /** Tells how many deletions it has. */
  public long getNumDeletes() {
    return number(Transactions.DELETES);
  }

  /** Tells how many operands it has. */
  public long getNumMerges() {
    return number(Transactions.MERGES);
  }

  /** Tells for how many milliseconds it has run. */
  public long getElapsedTime() {
    return number(Transactions.ELAPSED);
  }

  /**
   * The batch with its updates; what is added to that is not locked.
   *
   * @return it belongs to this
   */
  public WriteBatchWithIndex getWriteBatch() {
    return new WriteBatchWithIndex(Transactions.indexedBatch(nativeHandle_));
  }

  /**
   * How long to wait for a lock.
   *
   * @param lockTimeout milliseconds; less than 0: for ever
   */
  public void setLockTimeout(final long lockTimeout) {
    Transactions.setLockTimeout(nativeHandle_, lockTimeout);
  }

  /**
   * How it is written.
   *
   * @return options that belong to this; setting one of them has an effect here
   */
  public WriteOptions getWriteOptions() {
    return WriteOptions.borrowed(Transactions.writeOptions(nativeHandle_));
  }

  /**
   * How it is written.
   *
   * @param writeOptions the options, which are copied
   */
  public void setWriteOptions(final WriteOptions writeOptions) {
    Transactions.setWriteOptions(nativeHandle_, writeOptions.nativeHandle_);
  }

  /**
   * Takes back one {@code getForUpdate}: the key is let go if nothing else of this needs it.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   */
  public void undoGetForUpdate(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) {
    Transactions.undoGetForUpdate(nativeHandle_, handleOf(columnFamilyHandle), key);
  }

  /**
   * Takes back one {@code getForUpdate} of the default family.
   *
   * @param key the key
   */
  public void undoGetForUpdate(final byte[] key) {
    undoGetForUpdate(null, key);
  }

  /**
   * Adds the updates of a batch as if they were made one by one.
   *
   * @param writeBatch the batch
   * @throws RocksDBException if the engine refuses
   */
  public void rebuildFromWriteBatch(final WriteBatch writeBatch) throws RocksDBException {
    Transactions.rebuild(nativeHandle_, writeBatch.nativeHandle_);
  }

  /**
   * A batch that is written with the commit of a prepared transaction, without locks.
   *
   * @return it belongs to this
   */
  public WriteBatch getCommitTimeWriteBatch() {
    return WriteBatch.borrowed(Transactions.commitTimeBatch(nativeHandle_));
  }

  /**
   * Notes in which log it is.
   *
   * @param logNumber the number of the log
   */
  public void setLogNumber(final long logNumber) {
    Transactions.setLogNumber(nativeHandle_, logNumber);
  }

  /** Tells in which log what it has prepared is. */
  public long getLogNumber() {
    return number(Transactions.LOG_NUMBER);
  }

  /**
   * Names it, for {@link #prepare}. Once.
   *
   * @param transactionName a name that no other one has
   * @throws RocksDBException if it cannot have that name
   */
  public void setName(final String transactionName) throws RocksDBException {
    Transactions.setName(nativeHandle_, Text.utf8(transactionName));
  }

  /** Tells the name; empty if it has none. */
  public String getName() {
    return Text.of(Transactions.name(nativeHandle_));
  }

  /** Tells the number that locks know it by. */
  public long getID() {
    return number(Transactions.ID);
  }

  /** Tells whether it looks for deadlocks before it waits. */
  public boolean isDeadlockDetect() {
    return number(Transactions.DEADLOCK_DETECT) != 0;
  }

  /**
   * What it waits for.
   *
   * @return the transactions that have the key it wants; none if it does not wait
   */
  public WaitingTransactions getWaitingTxns() {
    final Unpacker in = new Unpacker(Transactions.waiting(nativeHandle_));
    final long family = in.readLong();
    final String key = in.readString();
    return new WaitingTransactions(family, key, Transactions.readIds(in));
  }

  /** Tells how far it is. */
  public TransactionState getState() {
    return TransactionState.getTransactionState((byte) number(Transactions.STATE));
  }

  /** Tells the sequence number of its commit; 0 before that. */
  public long getId() {
    return number(Transactions.COMMIT_ID);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  /** How far a transaction is. */
  public enum TransactionState {
    /** It takes reads and writes; neither prepared nor committed. */
    STARTED((byte) 0),
    /** Its prepare is under way. */
    AWAITING_PREPARE((byte) 1),
    /** Its writes are in the log: it survives a crash, and can be committed or rolled back. */
    PREPARED((byte) 2),
    /** Its commit is under way. */
    AWAITING_COMMIT((byte) 3),
    /** Its writes are in the database. */
    COMMITTED((byte) 4),
    /** The rollback of a prepared one is under way. */
    AWAITING_ROLLBACK((byte) 5),
    /** Its writes are dropped. */
    ROLLEDBACK((byte) 6),
    /** Its time was over, and another transaction took its locks: it cannot be committed. */
    LOCKS_STOLEN((byte) 7);

    /** The same as {@link #COMMITTED}, as it was spelled once. */
    @Deprecated public static final TransactionState COMMITED = COMMITTED;

    private final byte value;

    TransactionState(final byte value) {
      this.value = value;
    }

    /**
     * The constant with a value.
     *
     * @param value the value, as the engine has it
     * @return the constant
     * @throws IllegalArgumentException if no constant has it
     */
    public static TransactionState getTransactionState(final byte value) {
      for (final TransactionState each : values()) {
        if (each.value == value) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          "TransactionState has no constant with value " + value);
    }
  }

  /** The transactions that have a key which another one waits for. */
  public static class WaitingTransactions {
    private final long columnFamilyId;
    private final String key;
    private final long[] transactionIds;

    private WaitingTransactions(
        final long columnFamilyId, final String key, final long[] transactionIds) {
      this.columnFamilyId = columnFamilyId;
      this.key = key;
      this.transactionIds = transactionIds;
    }

    /** Tells the family of the key. */
    public long getColumnFamilyId() {
      return columnFamilyId;
    }

    /** Tells the key, as UTF-8. */
    public String getKey() {
      return key;
    }

    /** Tells the transactions that have it. */
    public long[] getTransactionIds() {
      return transactionIds;
    }
  }
}
