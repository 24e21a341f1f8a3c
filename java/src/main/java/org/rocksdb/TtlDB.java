package org.rocksdb;

import java.util.List;

/** A database whose entries go after a time to live, when they are compacted. */
public class TtlDB extends RocksDB {
  /**
   * Holds a database.
   *
   * @param nativeHandle its handle
   */
  protected TtlDB(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * Opens a database whose entries stay.
   *
   * @param options its options
   * @param dbPath its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static TtlDB open(final Options options, final String dbPath) throws RocksDBException {
    return open(options, dbPath, 0, false);
  }

  /**
   * Opens a database.
   *
   * @param options its options
   * @param dbPath its directory
   * @param ttl the time to live in seconds; 0 and less: entries stay
   * @param readOnly whether for reading alone
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static TtlDB open(final Options options, final String dbPath, final int ttl,
      final boolean readOnly) throws RocksDBException {
    final Packer with = Databases.opening(Databases.TTL, dbPath, null).putInt(ttl)
        .putBoolean(readOnly);
    final TtlDB database =
        new TtlDB(Databases.open(options.nativeHandle_, with.toBytes())[0]);
    database.storeOptionsInstance(options);
    database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    return database;
  }

  /**
   * Opens a database with several families.
   *
   * @param options its options
   * @param dbPath its directory
   * @param columnFamilyDescriptors all families that it has
   * @param columnFamilyHandles gets a handle for each of them
   * @param ttlValues the time to live of each family in seconds
   * @param readOnly whether for reading alone
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static TtlDB open(final DBOptions options, final String dbPath,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles, final List<Integer> ttlValues,
      final boolean readOnly) throws RocksDBException {
    if (columnFamilyDescriptors.size() != ttlValues.size()) {
      throw new IllegalArgumentException(
          "There must be a ttl value per column family handle.");
    }
    final Packer with = Databases.opening(Databases.TTL, dbPath, columnFamilyDescriptors);
    for (final int ttl : ttlValues) {
      with.putInt(ttl);
    }
    final long[] opened =
        Databases.open(options.nativeHandle_, with.putBoolean(readOnly).toBytes());
    final TtlDB database = new TtlDB(opened[0]);
    database.storeOptionsInstance(options);
    Databases.adopt(database, opened, columnFamilyDescriptors, columnFamilyHandles);
    return database;
  }

  @Override
  public void closeE() throws RocksDBException {
    super.closeE();
  }

  @Override
  public void close() {
    super.close();
  }

  /**
   * Makes a family with a time to live.
   *
   * @param columnFamilyDescriptor its name and options
   * @param ttl the time to live in seconds; 0 and less: entries stay
   * @return its handle, which this closes too
   * @throws RocksDBException if it cannot be made
   */
  public ColumnFamilyHandle createColumnFamilyWithTtl(
      final ColumnFamilyDescriptor columnFamilyDescriptor, final int ttl)
      throws RocksDBException {
    return own(Databases.createFamilyWithTtl(nativeHandle_, columnFamilyDescriptor.getName(),
        columnFamilyDescriptor.optionsHandle(), ttl));
  }

  @Override
  protected void disposeInternal(final long handle) {
    super.disposeInternal(handle);
  }
}
