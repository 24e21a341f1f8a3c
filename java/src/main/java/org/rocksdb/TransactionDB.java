package org.rocksdb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A database whose transactions lock the keys that they write: a conflict is found at once, and the
 * later one waits. Closing it closes its transactions; what was prepared is there again when it is
 * opened next.
 */
public class TransactionDB extends RocksDB implements TransactionalDB<TransactionOptions> {
  private TransactionDB(final long nativeHandle) {
    super(nativeHandle);
  }

  /**
   * Opens a database.
   *
   * @param options its options
   * @param transactionDbOptions those of locks and transactions
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static TransactionDB open(final Options options,
      final TransactionDBOptions transactionDbOptions, final String path)
      throws RocksDBException {
    final Packer with = Databases.opening(Databases.TRANSACTIONS, path, null)
        .putLong(transactionDbOptions.nativeHandle_);
    final TransactionDB database =
        new TransactionDB(Databases.open(options.nativeHandle_, with.toBytes())[0]);
    database.storeOptionsInstance(options);
    database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    return database;
  }

  /**
   * Opens a database with several families.
   *
   * @param dbOptions its options
   * @param transactionDbOptions those of locks and transactions
   * @param path its directory
   * @param columnFamilyDescriptors all families that it has
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static TransactionDB open(final DBOptions dbOptions,
      final TransactionDBOptions transactionDbOptions, final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    final Packer with =
        Databases.opening(Databases.TRANSACTIONS, path, columnFamilyDescriptors)
            .putLong(transactionDbOptions.nativeHandle_);
    final long[] opened = Databases.open(dbOptions.nativeHandle_, with.toBytes());
    final TransactionDB database = new TransactionDB(opened[0]);
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
  public Transaction beginTransaction(
      final WriteOptions writeOptions, final TransactionOptions transactionOptions) {
    return new Transaction(this,
        Transactions.begin(nativeHandle_, writeOptions.nativeHandle_,
            transactionOptions.nativeHandle_, 0));
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
      final TransactionOptions transactionOptions, final Transaction oldTransaction) {
    Transactions.begin(nativeHandle_, writeOptions.nativeHandle_,
        transactionOptions.nativeHandle_, oldTransaction.nativeHandle_);
    return oldTransaction;
  }

  /**
   * The transaction with a name.
   *
   * @param transactionName the name
   * @return the transaction, whose close does nothing; null if there is none
   */
  public Transaction getTransactionByName(final String transactionName) {
    final long handle = Transactions.byName(nativeHandle_, Text.utf8(transactionName));
    return handle == 0 ? null : Transaction.borrowed(this, handle);
  }

  /**
   * All transactions that are prepared and have not ended, those too that were when the database was
   * closed last.
   *
   * @return the transactions, whose close does nothing
   */
  public List<Transaction> getAllPreparedTransactions() {
    final List<Transaction> prepared = new ArrayList<>();
    for (final long handle : Transactions.prepared(nativeHandle_)) {
      prepared.add(Transaction.borrowed(this, handle));
    }
    return prepared;
  }

  /**
   * The keys that are locked now.
   *
   * @return by the number of the family; of several keys in one family, one
   */
  public Map<Long, KeyLockInfo> getLockStatusData() {
    final Unpacker in = new Unpacker(Transactions.locks(nativeHandle_));
    final Map<Long, KeyLockInfo> locks = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final long family = in.readLong();
      final String key = in.readString();
      final long[] ids = Transactions.readIds(in);
      locks.put(family, new KeyLockInfo(key, ids, in.readBoolean()));
    }
    return locks;
  }

  /**
   * The deadlocks that were found last.
   *
   * @return the newest first, as many as {@link #setDeadlockInfoBufferSize} says
   */
  public DeadlockPath[] getDeadlockInfoBuffer() {
    final Unpacker in = new Unpacker(Transactions.deadlocks(nativeHandle_));
    final DeadlockPath[] paths = new DeadlockPath[in.readInt()];
    for (int i = 0; i < paths.length; i++) {
      final boolean limitExceeded = in.readBoolean();
      final DeadlockInfo[] path = new DeadlockInfo[in.readInt()];
      for (int j = 0; j < path.length; j++) {
        path[j] = new DeadlockInfo(
            in.readLong(), in.readLong(), in.readString(), in.readBoolean());
      }
      paths[i] = new DeadlockPath(path, limitExceeded);
    }
    return paths;
  }

  /**
   * How many deadlocks are remembered.
   *
   * @param targetSize their number
   */
  public void setDeadlockInfoBufferSize(final int targetSize) {
    Transactions.setDeadlockBufferSize(nativeHandle_, targetSize);
  }

  @Override
  protected final void disposeInternal(final long handle) {
    super.disposeInternal(handle);
  }

  /** A key that is locked, and by whom. */
  public static class KeyLockInfo {
    private final String key;
    private final long[] transactionIDs;
    private final boolean exclusive;

    /**
     * A lock.
     *
     * @param key the key
     * @param transactionIDs the transactions that have it
     * @param exclusive whether it is for one alone
     */
    public KeyLockInfo(
        final String key, final long[] transactionIDs, final boolean exclusive) {
      this.key = key;
      this.transactionIDs = transactionIDs;
      this.exclusive = exclusive;
    }

    /** Tells the key, as UTF-8. */
    public String getKey() {
      return key;
    }

    /** Tells the transactions that have it, by {@link Transaction#getID}. */
    public long[] getTransactionIDs() {
      return transactionIDs;
    }

    /** Tells whether one transaction alone may have it. */
    public boolean isExclusive() {
      return exclusive;
    }
  }

  /** A transaction that waited in a deadlock. */
  public static class DeadlockInfo {
    private final long transactionID;
    private final long columnFamilyId;
    private final String waitingKey;
    private final boolean exclusive;

    DeadlockInfo(final long transactionID, final long columnFamilyId, final String waitingKey,
        final boolean exclusive) {
      this.transactionID = transactionID;
      this.columnFamilyId = columnFamilyId;
      this.waitingKey = waitingKey;
      this.exclusive = exclusive;
    }

    /** Tells which transaction, by {@link Transaction#getID}. */
    public long getTransactionID() {
      return transactionID;
    }

    /** Tells the family of the key. */
    public long getColumnFamilyId() {
      return columnFamilyId;
    }

    /** Tells the key that it waited for. */
    public String getWaitingKey() {
      return waitingKey;
    }

    /** Tells whether it wanted the key for itself alone. */
    public boolean isExclusive() {
      return exclusive;
    }
  }

  /** A deadlock: transactions that waited for each other. */
  public static class DeadlockPath {
    final DeadlockInfo[] path;
    final boolean limitExceeded;

    /**
     * A deadlock.
     *
     * @param path who waited
     * @param limitExceeded whether the search ended before it knew
     */
    public DeadlockPath(final DeadlockInfo[] path, final boolean limitExceeded) {
      this.path = path;
      this.limitExceeded = limitExceeded;
    }

    /** Tells whether there is nothing in it. */
    public boolean isEmpty() {
      return path.length == 0 && !limitExceeded;
    }
  }
}
