package org.rocksdb;

import java.nio.ByteBuffer;

/** Writes a table file, to be ingested by a database. */
public class SstFileWriter extends RocksObject {
  /**
   * A writer, to be opened.
   *
   * @param envOptions how files are written
   * @param options those of the database, with its order of keys
   */
  public SstFileWriter(final EnvOptions envOptions, final Options options) {
    super(SstParts.createWriter(envOptions.nativeHandle_, options.nativeHandle_));
  }

  /**
   * Begins a file.
   *
   * @param filePath the file
   * @throws RocksDBException if it cannot be made
   */
  public void open(final String filePath) throws RocksDBException {
    SstParts.openWriter(nativeHandle_, Text.utf8(filePath));
  }

  private void add(final int operation, final byte[] key, final byte[] value)
      throws RocksDBException {
    SstParts.add(nativeHandle_, operation, key, value);
  }

  /** Adds a value under a key, which must come after all others. */
  public void put(final Slice key, final Slice value) throws RocksDBException {
    add(Writes.PUT, key.toBytes(), value.toBytes());
  }

  /** Adds a value under a key, which must come after all others. */
  public void put(final DirectSlice key, final DirectSlice value) throws RocksDBException {
    add(Writes.PUT, key.toBytes(), value.toBytes());
  }

  /** Adds a value under a key, which must come after all others. */
  public void put(final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    add(Writes.PUT, Buffers.bytes(key), Buffers.bytes(value));
    Buffers.consume(key);
    Buffers.consume(value);
  }

  /** Adds a value under a key, which must come after all others. */
  public void put(final byte[] key, final byte[] value) throws RocksDBException {
    add(Writes.PUT, key, value);
  }

  /** Adds an operand under a key, which must come after all others. */
  public void merge(final Slice key, final Slice value) throws RocksDBException {
    add(Writes.MERGE, key.toBytes(), value.toBytes());
  }

  /** Adds an operand under a key, which must come after all others. */
  public void merge(final byte[] key, final byte[] value) throws RocksDBException {
    add(Writes.MERGE, key, value);
  }

  /** Adds an operand under a key, which must come after all others. */
  public void merge(final DirectSlice key, final DirectSlice value) throws RocksDBException {
    add(Writes.MERGE, key.toBytes(), value.toBytes());
  }

  /** Adds a deletion of a key, which must come after all others. */
  public void delete(final Slice key) throws RocksDBException {
    add(Writes.DELETE, key.toBytes(), new byte[0]);
  }

  /** Adds a deletion of a key, which must come after all others. */
  public void delete(final DirectSlice key) throws RocksDBException {
    add(Writes.DELETE, key.toBytes(), new byte[0]);
  }

  /** Adds a deletion of a key, which must come after all others. */
  public void delete(final byte[] key) throws RocksDBException {
    add(Writes.DELETE, key, new byte[0]);
  }

  /**
   * Ends the file.
   *
   * @throws RocksDBException if that fails
   */
  public void finish() throws RocksDBException {
    SstParts.finish(nativeHandle_);
  }

  /**
   * How large the file is.
   *
   * @return bytes
   * @throws RocksDBException not thrown
   */
  public long fileSize() throws RocksDBException {
    return SstParts.fileSize(nativeHandle_);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
