package org.rocksdb;

/** Reads a table file that no database has open. Its iterators end with it. */
public class SstFileReader extends RocksObject {
  /**
   * A reader, to be opened.
   *
   * @param options those of the database that the file is of, with its order of keys
   */
  public SstFileReader(final Options options) {
    super(SstParts.createReader(options.nativeHandle_));
  }

  /**
   * An iterator over the keys of the file: deletions are applied, operands merged.
   *
   * @param readOptions how to read; a snapshot in them has no effect
   * @return the iterator, which the caller closes
   */
  public SstFileReaderIterator newIterator(final ReadOptions readOptions) {
    return new SstFileReaderIterator(
        this, SstParts.iterator(nativeHandle_, readOptions.nativeHandle_));
  }

  /**
   * Opens a file, once.
   *
   * @param filePath the file
   * @throws RocksDBException if it cannot be read, or has another order of keys
   */
  public void open(final String filePath) throws RocksDBException {
    SstParts.openReader(nativeHandle_, Text.utf8(filePath));
  }

  /**
   * Reads the whole file and compares checksums.
   *
   * @throws RocksDBException if the file is damaged
   */
  public void verifyChecksum() throws RocksDBException {
    SstParts.verify(nativeHandle_);
  }

  /**
   * What the file says of itself.
   *
   * @return its properties
   * @throws RocksDBException not thrown
   */
  public TableProperties getTableProperties() throws RocksDBException {
    return TableProperties.read(new Unpacker(SstParts.properties(nativeHandle_)));
  }

  @Override
  protected final void disposeInternal(final long handle) {
    Handles.close(handle);
  }
}
