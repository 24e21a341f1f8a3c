package org.rocksdb;

import java.util.List;

/**
 * A database whose transactions lock nothing: a conflict with another writer is found at the
 * commit, which then is refused as {@code Busy}. Closing it closes its transactions.
 */
public class OptimisticTransactionDB
    extends RocksDB implements TransactionalDB<OptimisticTransactionOptions> {
  private RocksDB base;

  private OptimisticTransactionDB(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * Opens a database.
   *
   * @param options its options
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static OptimisticTransactionDB open(final Options options, final String path)
      throws RocksDBException {
    final OptimisticTransactionDB database =
        new OptimisticTransactionDB(open(options.nativeHandle_, path));
    database.storeOptionsInstance(options);
    database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    return database;
  }

  /**
   * Opens a database with several families.
   *
   * @param dbOptions its options
   * @param path its directory
   * @param columnFamilyDescriptors all families that it has
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static OptimisticTransactionDB open(final DBOptions dbOptions, final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    final Packer with =
        Databases.opening(Databases.OPTIMISTIC, path, columnFamilyDescriptors);
    final long[] opened = Databases.open(dbOptions.nativeHandle_, with.toBytes());
    final OptimisticTransactionDB database = new OptimisticTransactionDB(opened[0]);
    database.storeOptionsInstance(dbOptions);
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

  @Override
  public Transaction beginTransaction(final WriteOptions writeOptions) {
    return new Transaction(
        this, Transactions.begin(nativeHandle_, writeOptions.nativeHandle_, 0, 0));
  }

  @Override
  public Transaction beginTransaction(final WriteOptions writeOptions,
      final OptimisticTransactionOptions optimisticTransactionOptions) {
    return new Transaction(this,
        Transactions.begin(nativeHandle_, writeOptions.nativeHandle_,
            optimisticTransactionOptions.nativeHandle_, 0));
  }

  @Override
  public Transaction beginTransaction(
      final WriteOptions writeOptions, final Transaction oldTransaction) {
    Transactions.begin(
        nativeHandle_, writeOptions.nativeHandle_, 0, oldTransaction.nativeHandle_);
    return oldTransaction;
  }

  @Override
  public Transaction beginTransaction(final WriteOptions writeOptions,
      final OptimisticTransactionOptions optimisticTransactionOptions,
      final Transaction oldTransaction) {
    Transactions.begin(nativeHandle_, writeOptions.nativeHandle_,
        optimisticTransactionOptions.nativeHandle_, oldTransaction.nativeHandle_);
    return oldTransaction;
  }

  /**
   * The database below: what is written through it is no transaction's, and conflicts with them as
   * writes of this do.
   *
   * @return a database that ends with this one; closing it does nothing
   */
  public synchronized RocksDB getBaseDB() {
    if (base == null) {
      base = new RocksDB(Transactions.base(nativeHandle_));
      base.disOwnNativeHandle();
      base.storeDefaultColumnFamilyHandle(base.makeDefaultColumnFamilyHandle());
    }
    return base;
  }

  @Override
  protected final void disposeInternal(final long handle) {
    super.disposeInternal(handle);
  }

  /**
   * Opens a database by the handle of its options.
   *
   * @param optionsHandle the handle
   * @param path its directory
   * @return the handle of the database
   * @throws RocksDBException if it cannot be opened
   */
  protected static long open(final long optionsHandle, final String path)
      throws RocksDBException {
    return Databases.open(
        optionsHandle, Databases.opening(Databases.OPTIMISTIC, path, null).toBytes())[0];
  }

  /**
   * Opens a database with several families by the handles of options.
   *
   * @param handle those of the database
   * @param path its directory
   * @param columnFamilyNames the names of all families
   * @param columnFamilyOptions the handles of their options
   * @return the handle of the database, and those of the families
   */
  protected static long[] open(final long handle, final String path,
      final byte[][] columnFamilyNames, final long[] columnFamilyOptions) {
    final Packer with = new Packer()
        .putInt(Databases.OPTIMISTIC)
        .putText(path)
        .putInt(columnFamilyNames.length);
    for (int i = 0; i < columnFamilyNames.length; i++) {
      with.putBytes(columnFamilyNames[i]).putLong(columnFamilyOptions[i]);
    }
    try {
      return Databases.open(handle, with.toBytes());
    } catch (final RocksDBException e) {
      throw new IllegalStateException("the database cannot be opened", e);
    }
  }
}
