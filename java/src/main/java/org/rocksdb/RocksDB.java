package org.rocksdb;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A database: keys and values, in the order of the keys, in column families.
 *
 * <p>Any number of threads may use it at once. {@link #close} ends everything that it handed out
 * (iterators, snapshots, families, transactions); what is called later answers that it is closed.
 */
public class RocksDB extends RocksObject {
  /** The name of the default column family. */
  public static final byte[] DEFAULT_COLUMN_FAMILY = Text.utf8("default");
  /** What a lookup into an array or buffer returns where there is no such key. */
  public static final int NOT_FOUND = -1;

  /** The options that it was opened with. */
  protected DBOptionsInterface<?> options_;

  private final List<ColumnFamilyHandle> ownedFamilies_ =
      Collections.synchronizedList(new ArrayList<>());
  private ColumnFamilyHandle defaultFamily_;
  private boolean isBorrowed_;

  /**
   * Holds a database.
   *
   * @param nativeHandle its handle
   */
  protected RocksDB(final long nativeHandle) {
    super(nativeHandle);
  }

  /** One that belongs to somebody else. */
  static RocksDB borrowed(final long nativeHandle) {
    final RocksDB database = new RocksDB(nativeHandle);
    database.disOwnNativeHandle();
    database.isBorrowed_ = true;
    return database;
  }

  /** The owner takes it back: what was made for it ends. */
  final void giveBack() {
    Leaks.closed(nativeHandle_);
    if (defaultFamily_ != null) {
      Leaks.closed(defaultFamily_.nativeHandle_);
      Handles.close(defaultFamily_.nativeHandle_);
    }
  }

  final void giveAway() {
    disOwnNativeHandle();
  }

  /** Loads the native library, if no class has done so yet. */
  public static void loadLibrary() {
    LibraryLoader.load();
  }

  /**
   * Loads the native library from one of several directories.
   *
   * @param paths the directories
   */
  public static void loadLibrary(final List<String> paths) {
    LibraryLoader.load(paths);
  }

  /**
   * The version of the engine.
   *
   * @return the version; null before the library is loaded
   */
  public static Version rocksdbVersion() {
    return LibraryLoader.version();
  }

  /**
   * Whether it was closed.
   *
   * @return true once it was
   */
  public boolean isClosed() {
    return !owningHandle_.get();
  }

  /**
   * Opens a database; makes it if there is none.
   *
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB open(final String path) throws RocksDBException {
    try (Options options = new Options()) {
      options.setCreateIfMissing(true);
      return open(options, path);
    }
  }

  /**
   * Opens a database with several families.
   *
   * @param path its directory
   * @param columnFamilyDescriptors all families that it has
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB open(final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    try (DBOptions options = new DBOptions()) {
      return open(options, path, columnFamilyDescriptors, columnFamilyHandles);
    }
  }

  /**
   * Opens a database with one family.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB open(final Options options, final String path) throws RocksDBException {
    final Packer with = Databases.opening(Databases.PLAIN, path, null);
    return single(options, with);
  }

  /**
   * Opens a database with several families.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param columnFamilyDescriptors all families that it has
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB open(final DBOptions options, final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    final Packer with = Databases.opening(Databases.PLAIN, path, columnFamilyDescriptors);
    return several(options, with, columnFamilyDescriptors, columnFamilyHandles);
  }

  private static RocksDB single(final Options options, final Packer with)
      throws RocksDBException {
    final RocksDB database =
        new RocksDB(Databases.open(options.nativeHandle_, with.toBytes())[0]);
    database.storeOptionsInstance(options);
    database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    return database;
  }

  private static RocksDB several(final DBOptions options, final Packer with,
      final List<ColumnFamilyDescriptor> descriptors, final List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    final long[] opened = Databases.open(options.nativeHandle_, with.toBytes());
    final RocksDB database = new RocksDB(opened[0]);
    database.storeOptionsInstance(options);
    Databases.adopt(database, opened, descriptors, handles);
    if (database.defaultFamily_ == null) {
      database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    }
    return database;
  }

  /**
   * Opens a database for reading.
   *
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final String path) throws RocksDBException {
    try (Options options = new Options()) {
      return openReadOnly(options, path);
    }
  }

  /**
   * Opens a database for reading.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final Options options, final String path)
      throws RocksDBException {
    return openReadOnly(options, path, false);
  }

  /**
   * Opens a database for reading.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param errorIfWalFileExists whether a log with data is an error
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final Options options, final String path,
      final boolean errorIfWalFileExists) throws RocksDBException {
    return single(options, Databases.opening(Databases.READ_ONLY, path, null)
        .putBoolean(errorIfWalFileExists));
  }

  /**
   * Opens a database for reading.
   *
   * @param path its directory
   * @param columnFamilyDescriptors the families to open
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    try (DBOptions options = new DBOptions()) {
      return openReadOnly(
          options, path, columnFamilyDescriptors, columnFamilyHandles, false);
    }
  }

  /**
   * Opens a database for reading.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param columnFamilyDescriptors the families to open
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final DBOptions options, final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    return openReadOnly(options, path, columnFamilyDescriptors, columnFamilyHandles, false);
  }

  /**
   * Opens a database for reading.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param columnFamilyDescriptors the families to open
   * @param columnFamilyHandles gets a handle for each of them
   * @param errorIfWalFileExists whether a log with data is an error
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openReadOnly(final DBOptions options, final String path,
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles, final boolean errorIfWalFileExists)
      throws RocksDBException {
    final Packer with = Databases.opening(Databases.READ_ONLY, path, columnFamilyDescriptors)
        .putBoolean(errorIfWalFileExists);
    return several(options, with, columnFamilyDescriptors, columnFamilyHandles);
  }

  /**
   * Opens a database that another process writes, and follows it.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param secondaryPath a directory for what this process writes
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openAsSecondary(final Options options, final String path,
      final String secondaryPath) throws RocksDBException {
    return single(options,
        Databases.opening(Databases.SECONDARY, path, null).putText(secondaryPath));
  }

  /**
   * Opens a database that another process writes, and follows it.
   *
   * @param options its options, which are copied
   * @param path its directory
   * @param secondaryPath a directory for what this process writes
   * @param columnFamilyDescriptors the families to open
   * @param columnFamilyHandles gets a handle for each of them
   * @return the database
   * @throws RocksDBException if it cannot be opened
   */
  public static RocksDB openAsSecondary(final DBOptions options, final String path,
      final String secondaryPath, final List<ColumnFamilyDescriptor> columnFamilyDescriptors,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    final Packer with = Databases.opening(Databases.SECONDARY, path, columnFamilyDescriptors)
        .putText(secondaryPath);
    final RocksDB database =
        several(options, with, columnFamilyDescriptors, columnFamilyHandles);
    // The list need not have the default family: its handle is always one apart.
    database.storeDefaultColumnFamilyHandle(database.makeDefaultColumnFamilyHandle());
    return database;
  }

  /**
   * Closes it, and tells how that went.
   *
   * @throws RocksDBException if the engine could not do all that closing means
   */
  public void closeE() throws RocksDBException {
    if (owningHandle_.compareAndSet(true, false)) {
      Leaks.closed(nativeHandle_);
      for (final ColumnFamilyHandle each : new ArrayList<>(ownedFamilies_)) {
        each.close();
      }
      ownedFamilies_.clear();
      Databases.close(nativeHandle_);
    }
  }

  /**
   * Closes it, and all that it handed out, and waits for calls that are under way. In a callback
   * (a listener, a comparator, a logger) it returns at once, and the database closes when the
   * callback has returned.
   */
  @Override
  public void close() {
    try {
      closeE();
    } catch (final RocksDBException e) {
      // closeE() tells.
    }
  }

  /**
   * The families of a database that is not open.
   *
   * @param options where it is found
   * @param path its directory
   * @return their names; empty if there is no database
   * @throws RocksDBException not thrown
   */
  public static List<byte[]> listColumnFamilies(final Options options, final String path)
      throws RocksDBException {
    return new Unpacker(Databases.listFamilies(options.nativeHandle_, Text.utf8(path)))
        .readByteArrays();
  }

  /**
   * Makes a family.
   *
   * @param columnFamilyDescriptor its name and options
   * @return its handle, which this closes too
   * @throws RocksDBException if it cannot be made
   */
  public ColumnFamilyHandle createColumnFamily(
      final ColumnFamilyDescriptor columnFamilyDescriptor) throws RocksDBException {
    return createColumnFamilies(Collections.singletonList(columnFamilyDescriptor)).get(0);
  }

  /**
   * Makes families with the same options.
   *
   * @param columnFamilyOptions the options
   * @param columnFamilyNames their names
   * @return their handles, which this closes too
   * @throws RocksDBException if one cannot be made
   */
  public List<ColumnFamilyHandle> createColumnFamilies(
      final ColumnFamilyOptions columnFamilyOptions, final List<byte[]> columnFamilyNames)
      throws RocksDBException {
    final List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    for (final byte[] name : columnFamilyNames) {
      descriptors.add(new ColumnFamilyDescriptor(name, columnFamilyOptions));
    }
    return createColumnFamilies(descriptors);
  }

  /**
   * Makes families.
   *
   * @param columnFamilyDescriptors their names and options
   * @return their handles, which this closes too
   * @throws RocksDBException if one cannot be made
   */
  public List<ColumnFamilyHandle> createColumnFamilies(
      final List<ColumnFamilyDescriptor> columnFamilyDescriptors) throws RocksDBException {
    final List<ColumnFamilyHandle> made = new ArrayList<>();
    for (final long handle : Databases.createFamilies(
             nativeHandle_, Databases.packFamilies(columnFamilyDescriptors))) {
      made.add(own(handle));
    }
    return made;
  }

  final ColumnFamilyHandle own(final long family) {
    final ColumnFamilyHandle handle = new ColumnFamilyHandle(this, family);
    ownedFamilies_.add(handle);
    return handle;
  }

  final List<ColumnFamilyHandle> ownedFamilies() {
    return ownedFamilies_;
  }

  /**
   * Makes a family of files that another database exported.
   *
   * @param columnFamilyDescriptor its name and options
   * @param importColumnFamilyOptions whether the files are moved
   * @param metadata what was exported
   * @return its handle, which this closes too
   * @throws RocksDBException if it cannot be made
   */
  public ColumnFamilyHandle createColumnFamilyWithImport(
      final ColumnFamilyDescriptor columnFamilyDescriptor,
      final ImportColumnFamilyOptions importColumnFamilyOptions,
      final ExportImportFilesMetaData metadata) throws RocksDBException {
    return createColumnFamilyWithImport(columnFamilyDescriptor, importColumnFamilyOptions,
        Collections.singletonList(metadata));
  }

  /**
   * Makes a family of files that other databases exported.
   *
   * @param columnFamilyDescriptor its name and options
   * @param importColumnFamilyOptions whether the files are moved
   * @param metadataList what was exported
   * @return its handle, which this closes too
   * @throws RocksDBException if it cannot be made
   */
  public ColumnFamilyHandle createColumnFamilyWithImport(
      final ColumnFamilyDescriptor columnFamilyDescriptor,
      final ImportColumnFamilyOptions importColumnFamilyOptions,
      final List<ExportImportFilesMetaData> metadataList) throws RocksDBException {
    final long[] metadata = new long[metadataList.size()];
    for (int i = 0; i < metadata.length; i++) {
      metadata[i] = metadataList.get(i).nativeHandle_;
    }
    final Packer packed = new Packer().putBytes(columnFamilyDescriptor.getName())
        .putLong(columnFamilyDescriptor.optionsHandle())
        .putBoolean(importColumnFamilyOptions.moveFiles());
    return own(Databases.importFamily(nativeHandle_, packed.toBytes(), metadata));
  }

  /**
   * Drops a family. It can be read until its handle is closed.
   *
   * @param columnFamilyHandle the family
   * @throws RocksDBException if it cannot be dropped
   */
  public void dropColumnFamily(final ColumnFamilyHandle columnFamilyHandle)
      throws RocksDBException {
    dropColumnFamilies(Collections.singletonList(columnFamilyHandle));
  }

  /**
   * Drops families. They can be read until their handles are closed.
   *
   * @param columnFamilies the families
   * @throws RocksDBException if one cannot be dropped
   */
  public void dropColumnFamilies(final List<ColumnFamilyHandle> columnFamilies)
      throws RocksDBException {
    Databases.dropFamilies(nativeHandle_, Databases.handlesOf(columnFamilies));
  }

  /**
   * Closes the handle of a family, of which the database knows no more then.
   *
   * @param columnFamilyHandle the handle
   */
  public void destroyColumnFamilyHandle(final ColumnFamilyHandle columnFamilyHandle) {
    for (final ColumnFamilyHandle each : new ArrayList<>(ownedFamilies_)) {
      if (each == columnFamilyHandle) {
        ownedFamilies_.remove(each);
        each.close();
        return;
      }
    }
  }

  /**
   * Writes a value under a key.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(final byte[] key, final byte[] value) throws RocksDBException {
    Writes.write(this, null, null, Writes.PUT, key, value);
  }

  /**
   * Writes a value under a key.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final byte[] key, final int offset, final int len, final byte[] value, final int vOffset,
      final int vLen)
      throws RocksDBException {
    Writes.write(
        this, null, null, Writes.PUT, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Writes a value under a key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), null, Writes.PUT, key, value);
  }

  /**
   * Writes a value under a key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len, final byte[] value, final int vOffset, final int vLen)
      throws RocksDBException {
    Writes.write(
        this, given(columnFamilyHandle), null, Writes.PUT, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Writes a value under a key.
   *
   * @param writeOpts how to write
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final WriteOptions writeOpts, final byte[] key, final byte[] value) throws RocksDBException {
    Writes.write(this, null, given(writeOpts), Writes.PUT, key, value);
  }

  /**
   * Writes a value under a key.
   *
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final WriteOptions writeOpts, final byte[] key, final int offset, final int len, final
      byte[] value, final int vOffset, final int vLen)
      throws RocksDBException {
    Writes.write(
        this, null, given(writeOpts), Writes.PUT, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Writes a value under a key.
   *
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final WriteOptions writeOpts, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Writes.write(this, null, given(writeOpts), Writes.PUT, key, value);
  }

  /**
   * Writes a value under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key, final byte[] value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), given(writeOpts), Writes.PUT, key, value);
  }

  /**
   * Writes a value under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key, final int offset, final int len, final byte[] value, final int vOffset, final int
      vLen)
      throws RocksDBException {
    Writes.write(
        this, given(columnFamilyHandle), given(writeOpts), Writes.PUT, key, offset, len, value,
        vOffset, vLen);
  }

  /**
   * Writes a value under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void put(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final
      ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), given(writeOpts), Writes.PUT, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(final byte[] key, final byte[] value) throws RocksDBException {
    Writes.write(this, null, null, Writes.MERGE, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final byte[] key, final int offset, final int len, final byte[] value, final int vOffset,
      final int vLen)
      throws RocksDBException {
    Writes.write(
        this, null, null, Writes.MERGE, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), null, Writes.MERGE, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len, final byte[] value, final int vOffset, final int vLen)
      throws RocksDBException {
    Writes.write(
        this, given(columnFamilyHandle), null, Writes.MERGE, key, offset, len, value, vOffset,
        vLen);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param writeOpts how to write
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final WriteOptions writeOpts, final byte[] key, final byte[] value) throws RocksDBException {
    Writes.write(this, null, given(writeOpts), Writes.MERGE, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final WriteOptions writeOpts, final byte[] key, final int offset, final int len, final
      byte[] value, final int vOffset, final int vLen)
      throws RocksDBException {
    Writes.write(
        this, null, given(writeOpts), Writes.MERGE, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final WriteOptions writeOpts, final ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Writes.write(this, null, given(writeOpts), Writes.MERGE, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @param value the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key, final byte[] value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), given(writeOpts), Writes.MERGE, key, value);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key, final int offset, final int len, final byte[] value, final int vOffset, final int
      vLen)
      throws RocksDBException {
    Writes.write(
        this, given(columnFamilyHandle), given(writeOpts), Writes.MERGE, key, offset, len, value,
        vOffset, vLen);
  }

  /**
   * Adds an operand to what is under a key.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void merge(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final
      ByteBuffer key, final ByteBuffer value)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), given(writeOpts), Writes.MERGE, key, value);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final byte[] key) throws RocksDBException {
    Writes.remove(this, null, null, Writes.DELETE, key, 0, key.length);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final byte[] key, final int offset, final int len) throws RocksDBException {
    Writes.remove(this, null, null, Writes.DELETE, key, offset, len);
  }

  /**
   * Removes a key that was put once.
   *
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(final byte[] key) throws RocksDBException {
    Writes.remove(
        this, null, null, Writes.SINGLE_DELETE, key, 0, key.length);
  }

  /**
   * Removes all keys from one, included, to another, excluded.
   *
   * @param beginKey the first key
   * @param endKey the key behind the last
   * @throws RocksDBException if the engine refuses
   */
  public void deleteRange(final byte[] beginKey, final byte[] endKey) throws RocksDBException {
    Writes.write(this, null, null, Writes.DELETE_RANGE, beginKey, endKey);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    Writes.remove(this, given(columnFamilyHandle), null, Writes.DELETE, key, 0, key.length);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len)
      throws RocksDBException {
    Writes.remove(this, given(columnFamilyHandle), null, Writes.DELETE, key, offset, len);
  }

  /**
   * Removes a key that was put once.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    Writes.remove(
        this, given(columnFamilyHandle), null, Writes.SINGLE_DELETE, key, 0, key.length);
  }

  /**
   * Removes all keys from one, included, to another, excluded.
   *
   * @param columnFamilyHandle the family
   * @param beginKey the first key
   * @param endKey the key behind the last
   * @throws RocksDBException if the engine refuses
   */
  public void deleteRange(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] beginKey, final byte[] endKey)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), null, Writes.DELETE_RANGE, beginKey, endKey);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param writeOpts how to write
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final WriteOptions writeOpts, final byte[] key) throws RocksDBException {
    Writes.remove(this, null, given(writeOpts), Writes.DELETE, key, 0, key.length);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final WriteOptions writeOpts, final byte[] key, final int offset, final int len)
      throws RocksDBException {
    Writes.remove(this, null, given(writeOpts), Writes.DELETE, key, offset, len);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void delete(final WriteOptions writeOpts, final ByteBuffer key) throws RocksDBException {
    Writes.remove(this, null, given(writeOpts), key);
  }

  /**
   * Removes a key that was put once.
   *
   * @param writeOpts how to write
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(final WriteOptions writeOpts, final byte[] key) throws RocksDBException {
    Writes.remove(
        this, null, given(writeOpts), Writes.SINGLE_DELETE, key, 0, key.length);
  }

  /**
   * Removes all keys from one, included, to another, excluded.
   *
   * @param writeOpts how to write
   * @param beginKey the first key
   * @param endKey the key behind the last
   * @throws RocksDBException if the engine refuses
   */
  public void deleteRange(
      final WriteOptions writeOpts, final byte[] beginKey, final byte[] endKey)
      throws RocksDBException {
    Writes.write(this, null, given(writeOpts), Writes.DELETE_RANGE, beginKey, endKey);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key)
      throws RocksDBException {
    Writes.remove(this, given(columnFamilyHandle), given(writeOpts), Writes.DELETE, key, 0,
        key.length);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key, final int offset, final int len)
      throws RocksDBException {
    Writes.remove(this, given(columnFamilyHandle), given(writeOpts), Writes.DELETE, key, offset,
        len);
  }

  /**
   * Removes a key. A key that is not there is no error.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key, from position to limit
   * @throws RocksDBException if the engine refuses
   */
  public void delete(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final
      ByteBuffer key)
      throws RocksDBException {
    Writes.remove(this, given(columnFamilyHandle), given(writeOpts), key);
  }

  /**
   * Removes a key that was put once.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param key the key
   * @throws RocksDBException if the engine refuses
   */
  public void singleDelete(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      key)
      throws RocksDBException {
    Writes.remove(
        this, given(columnFamilyHandle), given(writeOpts), Writes.SINGLE_DELETE, key, 0,
        key.length);
  }

  /**
   * Removes all keys from one, included, to another, excluded.
   *
   * @param columnFamilyHandle the family
   * @param writeOpts how to write
   * @param beginKey the first key
   * @param endKey the key behind the last
   * @throws RocksDBException if the engine refuses
   */
  public void deleteRange(
      final ColumnFamilyHandle columnFamilyHandle, final WriteOptions writeOpts, final byte[]
      beginKey, final byte[] endKey)
      throws RocksDBException {
    Writes.write(this, given(columnFamilyHandle), given(writeOpts), Writes.DELETE_RANGE, beginKey,
        endKey);
  }

  /**
   * Looks a key up.
   *
   * @param key the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(final byte[] key) throws RocksDBException {
    return Reads.find(this, null, null, key, 0, key.length);
  }

  /**
   * Looks a key up.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(final byte[] key, final int offset, final int len) throws RocksDBException {
    return Reads.find(this, null, null, key, offset, len);
  }

  /**
   * Looks a key up.
   *
   * @param key the key
   * @param value the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(final byte[] key, final byte[] value) throws RocksDBException {
    return Reads.findInto(
        this, null, null, key, 0, key.length, value, 0, value.length);
  }

  /**
   * Looks a key up.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final byte[] key, final int offset, final int len, final byte[] value, final int vOffset,
      final int vLen)
      throws RocksDBException {
    return Reads.findInto(this, null, null, key, offset, len, value, vOffset, vLen);
  }

  /**
   * Whether a key is there.
   *
   * @param key the key
   * @return true if it is
   */
  public boolean keyExists(final byte[] key) {
    return Reads.isThere(this, null, null, key, 0, key.length);
  }

  /**
   * Whether a key is there.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return true if it is
   */
  public boolean keyExists(final byte[] key, final int offset, final int len) {
    return Reads.isThere(this, null, null, key, offset, len);
  }

  /**
   * Whether a key is there.
   *
   * @param key the key, from position to limit
   * @return true if it is
   */
  public boolean keyExists(final ByteBuffer key) {
    return Reads.isThere(this, null, null, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param key the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(final byte[] key, final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, null, null, key, 0, key.length, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final byte[] key, final int offset, final int len, final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, null, null, key, offset, len, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param key the key, from position to limit
   * @return false if it certainly is not
   */
  public boolean keyMayExist(final ByteBuffer key) {
    return Reads.mayBeThere(this, null, null, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return what is known, and the size of the value if it was at hand
   */
  public KeyMayExist keyMayExist(final ByteBuffer key, final ByteBuffer value) {
    return Reads.mayBeThere(this, null, null, key, value);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key) throws RocksDBException {
    return Reads.find(this, given(columnFamilyHandle), null, key, 0, key.length);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len)
      throws RocksDBException {
    return Reads.find(this, given(columnFamilyHandle), null, key, offset, len);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param value the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final byte[] value)
      throws RocksDBException, IllegalArgumentException {
    return Reads.findInto(
        this, given(columnFamilyHandle), null, key, 0, key.length, value, 0, value.length);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len, final byte[] value, final int vOffset, final int vLen)
      throws RocksDBException, IllegalArgumentException {
    return Reads.findInto(this, given(columnFamilyHandle), null, key, offset, len, value, vOffset,
        vLen);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @return true if it is
   */
  public boolean keyExists(final ColumnFamilyHandle columnFamilyHandle, final byte[] key) {
    return Reads.isThere(this, columnFamilyHandle, null, key, 0, key.length);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return true if it is
   */
  public boolean keyExists(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len) {
    return Reads.isThere(this, columnFamilyHandle, null, key, offset, len);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit
   * @return true if it is
   */
  public boolean keyExists(final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key) {
    return Reads.isThere(this, columnFamilyHandle, null, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final Holder<byte[]>
      valueHolder) {
    return Reads.mayBeThere(this, columnFamilyHandle, null, key, 0, key.length, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final byte[] key, final int offset, final int
      len, final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, columnFamilyHandle, null, key, offset, len, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit
   * @return false if it certainly is not
   */
  public boolean keyMayExist(final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key) {
    return Reads.mayBeThere(this, columnFamilyHandle, null, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return what is known, and the size of the value if it was at hand
   */
  public KeyMayExist keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final ByteBuffer key, final ByteBuffer value) {
    return Reads.mayBeThere(this, columnFamilyHandle, null, key, value);
  }

  /**
   * Looks a key up.
   *
   * @param opt how to read
   * @param key the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(final ReadOptions opt, final byte[] key) throws RocksDBException {
    return Reads.find(this, null, given(opt), key, 0, key.length);
  }

  /**
   * Looks a key up.
   *
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ReadOptions opt, final byte[] key, final int offset, final int len)
      throws RocksDBException {
    return Reads.find(this, null, given(opt), key, offset, len);
  }

  /**
   * Looks a key up.
   *
   * @param opt how to read
   * @param key the key
   * @param value the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ReadOptions opt, final byte[] key, final byte[] value) throws RocksDBException {
    return Reads.findInto(
        this, null, given(opt), key, 0, key.length, value, 0, value.length);
  }

  /**
   * Looks a key up.
   *
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ReadOptions opt, final byte[] key, final int offset, final int len, final byte[]
      value, final int vOffset, final int vLen)
      throws RocksDBException {
    return Reads.findInto(this, null, given(opt), key, offset, len, value, vOffset, vLen);
  }

  /**
   * Looks a key up. The position of the key is its limit then, the limit of the value its end.
   *
   * @param opt how to read
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ReadOptions opt, final ByteBuffer key, final ByteBuffer value) throws RocksDBException {
    return Reads.findInto(this, null, given(opt), key, value);
  }

  /**
   * Whether a key is there.
   *
   * @param opt how to read
   * @param key the key
   * @return true if it is
   */
  public boolean keyExists(final ReadOptions opt, final byte[] key) {
    return Reads.isThere(this, null, opt, key, 0, key.length);
  }

  /**
   * Whether a key is there.
   *
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return true if it is
   */
  public boolean keyExists(
      final ReadOptions opt, final byte[] key, final int offset, final int len) {
    return Reads.isThere(this, null, opt, key, offset, len);
  }

  /**
   * Whether a key is there.
   *
   * @param opt how to read
   * @param key the key, from position to limit
   * @return true if it is
   */
  public boolean keyExists(final ReadOptions opt, final ByteBuffer key) {
    return Reads.isThere(this, null, opt, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param opt how to read
   * @param key the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ReadOptions opt, final byte[] key, final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, null, opt, key, 0, key.length, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ReadOptions opt, final byte[] key, final int offset, final int len, final
      Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, null, opt, key, offset, len, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param opt how to read
   * @param key the key, from position to limit
   * @return false if it certainly is not
   */
  public boolean keyMayExist(final ReadOptions opt, final ByteBuffer key) {
    return Reads.mayBeThere(this, null, opt, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param opt how to read
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return what is known, and the size of the value if it was at hand
   */
  public KeyMayExist keyMayExist(
      final ReadOptions opt, final ByteBuffer key, final ByteBuffer value) {
    return Reads.mayBeThere(this, null, opt, key, value);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key)
      throws RocksDBException {
    return Reads.find(this, given(columnFamilyHandle), given(opt), key, 0, key.length);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return the value, or null if the key is not there
   * @throws RocksDBException if the engine refuses
   */
  public byte[] get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final int offset, final int len)
      throws RocksDBException {
    return Reads.find(this, given(columnFamilyHandle), given(opt), key, offset, len);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param value the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final byte[] value)
      throws RocksDBException {
    return Reads.findInto(
        this, given(columnFamilyHandle), given(opt), key, 0, key.length, value, 0, value.length);
  }

  /**
   * Looks a key up.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param value the value
   * @param vOffset where the value begins in the array
   * @param vLen the size of the value
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final int offset, final int len, final byte[] value, final int vOffset, final int vLen)
      throws RocksDBException {
    return Reads.findInto(this, given(columnFamilyHandle), given(opt), key, offset, len, value,
        vOffset, vLen);
  }

  /**
   * Looks a key up. The position of the key is its limit then, the limit of the value its end.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return the size of the value, of which what fits is copied; {@link #NOT_FOUND} if there is none
   * @throws RocksDBException if the engine refuses
   */
  public int get(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final ByteBuffer key,
      final ByteBuffer value)
      throws RocksDBException {
    return Reads.findInto(this, given(columnFamilyHandle), given(opt), key, value);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @return true if it is
   */
  public boolean keyExists(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key) {
    return Reads.isThere(this, columnFamilyHandle, opt, key, 0, key.length);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @return true if it is
   */
  public boolean keyExists(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final int offset, final int len) {
    return Reads.isThere(this, columnFamilyHandle, opt, key, offset, len);
  }

  /**
   * Whether a key is there.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key, from position to limit
   * @return true if it is
   */
  public boolean keyExists(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final ByteBuffer key) {
    return Reads.isThere(this, columnFamilyHandle, opt, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, columnFamilyHandle, opt, key, 0, key.length, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key
   * @param offset where the key begins in the array
   * @param len the size of the key
   * @param valueHolder gets the value if it is at hand; may be null
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final byte[] key,
      final int offset, final int len, final Holder<byte[]> valueHolder) {
    return Reads.mayBeThere(this, columnFamilyHandle, opt, key, offset, len, valueHolder);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key, from position to limit
   * @return false if it certainly is not
   */
  public boolean keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final ByteBuffer key) {
    return Reads.mayBeThere(this, columnFamilyHandle, opt, key);
  }

  /**
   * Whether a key may be there, as far as filters and memory can tell.
   *
   * @param columnFamilyHandle the family
   * @param opt how to read
   * @param key the key, from position to limit
   * @param value the value, from position to limit
   * @return what is known, and the size of the value if it was at hand
   */
  public KeyMayExist keyMayExist(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions opt, final ByteBuffer key,
      final ByteBuffer value) {
    return Reads.mayBeThere(this, columnFamilyHandle, opt, key, value);
  }

  /**
   * Writes a batch: all of it, or nothing.
   *
   * @param writeOpts how to write
   * @param updates the batch
   * @throws RocksDBException if the engine refuses
   */
  public void write(final WriteOptions writeOpts, final WriteBatch updates)
      throws RocksDBException {
    Writes.batch(nativeHandle_, given(writeOpts).nativeHandle_, updates.nativeHandle_);
  }

  /**
   * Writes a batch: all of it, or nothing.
   *
   * @param writeOpts how to write
   * @param updates the batch
   * @throws RocksDBException if the engine refuses
   */
  public void write(final WriteOptions writeOpts, final WriteBatchWithIndex updates)
      throws RocksDBException {
    Writes.batch(nativeHandle_, given(writeOpts).nativeHandle_, updates.batchHandle());
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param keys the keys
   * @return the value of each key, or null
   * @throws RocksDBException if one cannot be read
   */
  public List<byte[]> multiGetAsList(final List<byte[]> keys) throws RocksDBException {
    return Reads.findAll(this, null, null, keys);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param columnFamilyHandleList the family of each key
   * @param keys the keys
   * @return the value of each key, or null
   * @throws RocksDBException if one cannot be read
   * @throws IllegalArgumentException if there are not as many families as keys
   */
  public List<byte[]> multiGetAsList(final List<ColumnFamilyHandle> columnFamilyHandleList,
      final List<byte[]> keys) throws RocksDBException, IllegalArgumentException {
    return Reads.findAll(this, given(columnFamilyHandleList), null, keys);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param opt how to read
   * @param keys the keys
   * @return the value of each key, or null
   * @throws RocksDBException if one cannot be read
   */
  public List<byte[]> multiGetAsList(final ReadOptions opt, final List<byte[]> keys)
      throws RocksDBException {
    return Reads.findAll(this, null, given(opt), keys);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param opt how to read
   * @param columnFamilyHandleList the family of each key
   * @param keys the keys
   * @return the value of each key, or null
   * @throws RocksDBException if one cannot be read
   */
  public List<byte[]> multiGetAsList(final ReadOptions opt,
      final List<ColumnFamilyHandle> columnFamilyHandleList, final List<byte[]> keys)
      throws RocksDBException {
    return Reads.findAll(this, given(columnFamilyHandleList), given(opt), keys);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param keys the keys, in direct buffers
   * @param values direct buffers for the values
   * @return an answer for each key
   * @throws RocksDBException if the engine refuses
   */
  public List<ByteBufferGetStatus> multiGetByteBuffers(
      final List<ByteBuffer> keys, final List<ByteBuffer> values) throws RocksDBException {
    return Reads.findAll(this, Collections.emptyList(), null, keys, values);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param readOptions how to read
   * @param keys the keys, in direct buffers
   * @param values direct buffers for the values
   * @return an answer for each key
   * @throws RocksDBException if the engine refuses
   */
  public List<ByteBufferGetStatus> multiGetByteBuffers(final ReadOptions readOptions,
      final List<ByteBuffer> keys, final List<ByteBuffer> values) throws RocksDBException {
    return Reads.findAll(this, Collections.emptyList(), given(readOptions), keys, values);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param columnFamilyHandles the family of each key, or one for all
   * @param keys the keys, in direct buffers
   * @param values direct buffers for the values
   * @return an answer for each key
   * @throws RocksDBException if the engine refuses
   */
  public List<ByteBufferGetStatus> multiGetByteBuffers(
      final List<ColumnFamilyHandle> columnFamilyHandles, final List<ByteBuffer> keys,
      final List<ByteBuffer> values) throws RocksDBException {
    return Reads.findAll(this, given(columnFamilyHandles), null, keys, values);
  }

  /**
   * Looks keys up as of one moment.
   *
   * @param readOptions how to read
   * @param columnFamilyHandles the family of each key, or one for all
   * @param keys the keys, in direct buffers
   * @param values direct buffers for the values
   * @return an answer for each key
   * @throws RocksDBException if the engine refuses
   */
  public List<ByteBufferGetStatus> multiGetByteBuffers(final ReadOptions readOptions,
      final List<ColumnFamilyHandle> columnFamilyHandles, final List<ByteBuffer> keys,
      final List<ByteBuffer> values) throws RocksDBException {
    return Reads.findAll(this, given(columnFamilyHandles), given(readOptions), keys, values);
  }

  /**
   * Iterates over the default family.
   *
   * @return an iterator, which the caller closes
   */
  public RocksIterator newIterator() {
    return iterator(null, null);
  }

  /**
   * Iterates over the default family.
   *
   * @param readOptions how to read
   * @return an iterator, which the caller closes
   */
  public RocksIterator newIterator(final ReadOptions readOptions) {
    return iterator(null, given(readOptions));
  }

  /**
   * Iterates over a family.
   *
   * @param columnFamilyHandle the family
   * @return an iterator, which the caller closes
   */
  public RocksIterator newIterator(final ColumnFamilyHandle columnFamilyHandle) {
    return iterator(given(columnFamilyHandle), null);
  }

  /**
   * Iterates over a family.
   *
   * @param columnFamilyHandle the family
   * @param readOptions how to read
   * @return an iterator, which the caller closes
   */
  public RocksIterator newIterator(
      final ColumnFamilyHandle columnFamilyHandle, final ReadOptions readOptions) {
    return iterator(given(columnFamilyHandle), given(readOptions));
  }

  private RocksIterator iterator(final ColumnFamilyHandle family, final ReadOptions options) {
    return new RocksIterator(
        this, Iterators.createOne(nativeHandle_, handleOf(family), handleOf(options)));
  }

  /**
   * Iterates over families as of one moment.
   *
   * @param columnFamilyHandleList the families
   * @return an iterator for each, which the caller closes
   * @throws RocksDBException if the engine refuses
   */
  public List<RocksIterator> newIterators(final List<ColumnFamilyHandle> columnFamilyHandleList)
      throws RocksDBException {
    return newIterators(columnFamilyHandleList, null);
  }

  /**
   * Iterates over families as of one moment.
   *
   * @param columnFamilyHandleList the families
   * @param readOptions how to read
   * @return an iterator for each, which the caller closes
   * @throws RocksDBException if the engine refuses
   */
  public List<RocksIterator> newIterators(
      final List<ColumnFamilyHandle> columnFamilyHandleList, final ReadOptions readOptions)
      throws RocksDBException {
    final List<RocksIterator> iterators = new ArrayList<>();
    for (final long handle : Iterators.create(
             nativeHandle_, Databases.handlesOf(columnFamilyHandleList), handleOf(readOptions))) {
      iterators.add(new RocksIterator(this, handle));
    }
    return iterators;
  }

  /**
   * This moment, to be read later.
   *
   * @return a snapshot to be released; null if the database has none
   */
  public Snapshot getSnapshot() {
    final long handle = Reads.snapshot(nativeHandle_);
    return handle == 0 ? null : new Snapshot(handle);
  }

  /**
   * Ends a snapshot. Releasing twice is harmless.
   *
   * @param snapshot the snapshot
   */
  public void releaseSnapshot(final Snapshot snapshot) {
    if (snapshot != null) {
      Handles.close(snapshot.nativeHandle_);
    }
  }

  /**
   * A property as text.
   *
   * @param columnFamilyHandle the family
   * @param property its name
   * @return its value
   * @throws RocksDBException if there is no such property
   */
  public String getProperty(final ColumnFamilyHandle columnFamilyHandle, final String property)
      throws RocksDBException {
    return Text.of(Maintenance.property(
        nativeHandle_, handleOf(columnFamilyHandle), Text.utf8(property)));
  }

  /**
   * A property of the default family as text.
   *
   * @param property its name
   * @return its value
   * @throws RocksDBException if there is no such property
   */
  public String getProperty(final String property) throws RocksDBException {
    return getProperty(null, property);
  }

  /**
   * All numbers of the database for Prometheus, in the exposition format 0.0.4: tickers as
   * counters and histograms with their buckets, where the database has {@link Statistics}, and
   * properties that are numbers as gauges of each column family. Serve the text as it is.
   *
   * @return the text
   * @throws RocksDBException if the engine fails
   */
  public String getPrometheusText() throws RocksDBException {
    return Text.of(Maintenance.prometheusText(nativeHandle_));
  }

  /**
   * How many native objects the program holds open, to find what it does not close. The system
   * property {@code rocksdb.leaks=true} has the places told where they were made.
   *
   * @return the number of each type that there is one of
   */
  public static Map<String, Long> openNativeObjects() {
    final Unpacker in = new Unpacker(Handles.openObjectsByType());
    final Map<String, Long> counts = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      final String type = in.readString();
      counts.put(type, in.readLong());
    }
    return counts;
  }

  /**
   * A property of the default family that has parts.
   *
   * @param property its name
   * @return its parts
   * @throws RocksDBException if there is no such property
   */
  public Map<String, String> getMapProperty(final String property) throws RocksDBException {
    return getMapProperty(null, property);
  }

  /**
   * A property that has parts.
   *
   * @param columnFamilyHandle the family
   * @param property its name
   * @return its parts
   * @throws RocksDBException if there is no such property
   */
  public Map<String, String> getMapProperty(
      final ColumnFamilyHandle columnFamilyHandle, final String property)
      throws RocksDBException {
    return new Unpacker(Maintenance.mapProperty(nativeHandle_, handleOf(columnFamilyHandle),
        Text.utf8(property))).readStringMap();
  }

  /**
   * A property of the default family that is a number.
   *
   * @param property its name
   * @return its value; numbers from 2^63 on are negative
   * @throws RocksDBException if there is no such property
   */
  public long getLongProperty(final String property) throws RocksDBException {
    return getLongProperty(null, property);
  }

  /**
   * A property that is a number.
   *
   * @param columnFamilyHandle the family
   * @param property its name
   * @return its value; numbers from 2^63 on are negative
   * @throws RocksDBException if there is no such property
   */
  public long getLongProperty(
      final ColumnFamilyHandle columnFamilyHandle, final String property)
      throws RocksDBException {
    return Maintenance.longProperty(
        nativeHandle_, handleOf(columnFamilyHandle), Text.utf8(property));
  }

  /**
   * Sets the internal statistics of all families to 0.
   *
   * @throws RocksDBException if the engine refuses
   */
  public void resetStats() throws RocksDBException {
    Maintenance.resetStats(nativeHandle_);
  }

  /**
   * The sum of a property over all families.
   *
   * @param property its name
   * @return the sum; from 2^63 on it is negative
   * @throws RocksDBException if there is no such property
   */
  public long getAggregatedLongProperty(final String property) throws RocksDBException {
    return Maintenance.aggregatedProperty(nativeHandle_, Text.utf8(property));
  }

  /**
   * About how many bytes ranges of keys take.
   *
   * @param columnFamilyHandle the family
   * @param ranges the ranges
   * @param sizeApproximationFlags what counts
   * @return the bytes of each range
   */
  public long[] getApproximateSizes(final ColumnFamilyHandle columnFamilyHandle,
      final List<Range> ranges, final SizeApproximationFlag... sizeApproximationFlags) {
    byte flags = 0;
    for (final SizeApproximationFlag flag : sizeApproximationFlags) {
      flags |= flag.getValue();
    }
    return Maintenance.approximateSizes(
        nativeHandle_, handleOf(columnFamilyHandle), Range.pack(ranges), flags);
  }

  /**
   * About how many bytes ranges of keys of the default family take.
   *
   * @param ranges the ranges
   * @param sizeApproximationFlags what counts
   * @return the bytes of each range
   */
  public long[] getApproximateSizes(
      final List<Range> ranges, final SizeApproximationFlag... sizeApproximationFlags) {
    return getApproximateSizes(null, ranges, sizeApproximationFlags);
  }

  /**
   * About how much of a range is in memtables.
   *
   * @param columnFamilyHandle the family
   * @param range the range
   * @return entries and bytes
   */
  public CountAndSize getApproximateMemTableStats(
      final ColumnFamilyHandle columnFamilyHandle, final Range range) {
    final long[] found = Maintenance.memTableStats(nativeHandle_, handleOf(columnFamilyHandle),
        range.start.toBytes(), range.limit.toBytes());
    return new CountAndSize(found[0], found[1]);
  }

  /**
   * About how much of a range of the default family is in memtables.
   *
   * @param range the range
   * @return entries and bytes
   */
  public CountAndSize getApproximateMemTableStats(final Range range) {
    return getApproximateMemTableStats(null, range);
  }

  /**
   * Compacts the default family.
   *
   * @throws RocksDBException if that fails
   */
  public void compactRange() throws RocksDBException {
    compactRange(null, null, null, null);
  }

  /**
   * Compacts a family.
   *
   * @param columnFamilyHandle the family
   * @throws RocksDBException if that fails
   */
  public void compactRange(final ColumnFamilyHandle columnFamilyHandle) throws RocksDBException {
    compactRange(columnFamilyHandle, null, null, null);
  }

  /**
   * Compacts a range of the default family.
   *
   * @param begin the first key; null: from the beginning
   * @param end the last key; null: to the end
   * @throws RocksDBException if that fails
   */
  public void compactRange(final byte[] begin, final byte[] end) throws RocksDBException {
    compactRange(null, begin, end, null);
  }

  /**
   * Compacts a range of a family.
   *
   * @param columnFamilyHandle the family
   * @param begin the first key; null: from the beginning
   * @param end the last key; null: to the end
   * @throws RocksDBException if that fails
   */
  public void compactRange(final ColumnFamilyHandle columnFamilyHandle, final byte[] begin,
      final byte[] end) throws RocksDBException {
    compactRange(columnFamilyHandle, begin, end, null);
  }

  /**
   * Compacts a range of a family.
   *
   * @param columnFamilyHandle the family
   * @param begin the first key; null: from the beginning
   * @param end the last key; null: to the end
   * @param compactRangeOptions how; null: as usual
   * @throws RocksDBException if that fails
   */
  public void compactRange(final ColumnFamilyHandle columnFamilyHandle, final byte[] begin,
      final byte[] end, final CompactRangeOptions compactRangeOptions) throws RocksDBException {
    Maintenance.compactRange(nativeHandle_, handleOf(columnFamilyHandle), begin, end,
        handleOf(compactRangeOptions));
  }

  /**
   * Removes all keys outside of a range.
   *
   * @param columnFamilyHandle the family
   * @param beginKey the first key to stay
   * @param endKey the key behind the last to stay
   * @throws RocksDBException if that fails
   */
  public void clipColumnFamily(final ColumnFamilyHandle columnFamilyHandle,
      final byte[] beginKey, final byte[] endKey) throws RocksDBException {
    Maintenance.clip(nativeHandle_, handleOf(columnFamilyHandle), beginKey, endKey);
  }

  /**
   * Changes options of a family while it is open.
   *
   * @param columnFamilyHandle the family
   * @param mutableColumnFamilyOptions the options
   * @throws RocksDBException if one is refused; then none is changed
   */
  public void setOptions(final ColumnFamilyHandle columnFamilyHandle,
      final MutableColumnFamilyOptions mutableColumnFamilyOptions) throws RocksDBException {
    Maintenance.setOptions(
        nativeHandle_, handleOf(columnFamilyHandle), mutableColumnFamilyOptions.pack());
  }

  /**
   * What calls of this thread measure.
   *
   * @param perfLevel how much
   */
  public void setPerfLevel(final PerfLevel perfLevel) {
    if (perfLevel == PerfLevel.UNINITIALIZED || perfLevel == PerfLevel.OUT_OF_BOUNDS) {
      throw new IllegalArgumentException("Unable to set " + perfLevel);
    }
    PerfParts.setLevel(perfLevel.getValue());
  }

  /**
   * What calls of this thread measure.
   *
   * @return how much
   */
  public PerfLevel getPerfLevel() {
    return PerfLevel.getPerfLevel(PerfParts.level());
  }

  /**
   * What calls of this thread cost.
   *
   * @return the counters
   */
  public PerfContext getPerfContext() {
    return Reclaimer.watch(new PerfContext(PerfParts.context()));
  }

  /**
   * The options of a family that may be changed while it is open.
   *
   * @param columnFamilyHandle the family
   * @return a builder with all of them
   * @throws RocksDBException if the engine refuses
   */
  public MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder getOptions(
      final ColumnFamilyHandle columnFamilyHandle) throws RocksDBException {
    return MutableColumnFamilyOptions.parse(optionsText(columnFamilyHandle, false), true);
  }

  // Blanks in paths and in names of objects would end a value.
  private String optionsText(final ColumnFamilyHandle family, final boolean ofDatabase)
      throws RocksDBException {
    return Text.of(Maintenance.optionsText(nativeHandle_, handleOf(family), ofDatabase))
        .replaceAll("\\s", "\\\\$0");
  }

  /**
   * The options of the default family that may be changed while it is open.
   *
   * @return a builder with all of them
   * @throws RocksDBException if the engine refuses
   */
  public MutableColumnFamilyOptions.MutableColumnFamilyOptionsBuilder getOptions()
      throws RocksDBException {
    return getOptions(null);
  }

  /**
   * The options of the database that may be changed while it is open.
   *
   * @return a builder with all of them
   * @throws RocksDBException if the engine refuses
   */
  public MutableDBOptions.MutableDBOptionsBuilder getDBOptions() throws RocksDBException {
    return MutableDBOptions.parse(optionsText(null, true), true);
  }

  /**
   * Changes options of the default family while it is open.
   *
   * @param mutableColumnFamilyOptions the options
   * @throws RocksDBException if one is refused; then none is changed
   */
  public void setOptions(final MutableColumnFamilyOptions mutableColumnFamilyOptions)
      throws RocksDBException {
    setOptions(null, mutableColumnFamilyOptions);
  }

  /**
   * Changes options of the database while it is open.
   *
   * @param mutableDBOptions the options
   * @throws RocksDBException if one is refused; then none is changed
   */
  public void setDBOptions(final MutableDBOptions mutableDBOptions) throws RocksDBException {
    Maintenance.setDatabaseOptions(nativeHandle_, mutableDBOptions.pack());
  }

  /**
   * Compacts files of the default family.
   *
   * @param compactionOptions how
   * @param inputFileNames the files
   * @param outputLevel where the result goes
   * @param outputPathId the directory of the result; -1: the engine chooses
   * @param compactionJobInfo gets what was done; may be null
   * @return the files that were made
   * @throws RocksDBException if that fails
   */
  public List<String> compactFiles(final CompactionOptions compactionOptions,
      final List<String> inputFileNames, final int outputLevel, final int outputPathId,
      final CompactionJobInfo compactionJobInfo) throws RocksDBException {
    return compactFiles(compactionOptions, null, inputFileNames, outputLevel, outputPathId,
        compactionJobInfo);
  }

  /**
   * Compacts files of a family.
   *
   * @param compactionOptions how
   * @param columnFamilyHandle the family
   * @param inputFileNames the files
   * @param outputLevel where the result goes
   * @param outputPathId the directory of the result; -1: the engine chooses
   * @param compactionJobInfo gets what was done; may be null
   * @return the files that were made
   * @throws RocksDBException if that fails
   */
  public List<String> compactFiles(final CompactionOptions compactionOptions,
      final ColumnFamilyHandle columnFamilyHandle, final List<String> inputFileNames,
      final int outputLevel, final int outputPathId, final CompactionJobInfo compactionJobInfo)
      throws RocksDBException {
    final Packer packed = new Packer().putInt(outputLevel).putInt(outputPathId);
    return new Unpacker(Maintenance.compactFiles(nativeHandle_, compactionOptions.nativeHandle_,
        handleOf(columnFamilyHandle), Maintenance.pack(packed, inputFileNames),
        handleOf(compactionJobInfo))).readStrings();
  }

  /**
   * Stops flushes and compactions for good.
   *
   * @param wait whether to wait until they have stopped
   */
  public void cancelAllBackgroundWork(final boolean wait) {
    Maintenance.cancelBackgroundWork(nativeHandle_, wait);
  }

  /**
   * Lets flushes and compactions wait.
   *
   * @throws RocksDBException if the engine refuses
   */
  public void pauseBackgroundWork() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.PAUSE);
  }

  /**
   * Ends a pause.
   *
   * @throws RocksDBException if there was none
   */
  public void continueBackgroundWork() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.CONTINUE);
  }

  /** Stops compactions, and begins none, until they are resumed. */
  public void abortAllCompactions() {
    Maintenance.abortCompactions(nativeHandle_, true);
  }

  /** Lets compactions begin again. */
  public void resumeAllCompactions() {
    Maintenance.abortCompactions(nativeHandle_, false);
  }

  /**
   * Lets families be compacted by themselves.
   *
   * @param columnFamilyHandles the families
   * @throws RocksDBException if the engine refuses
   */
  public void enableAutoCompaction(final List<ColumnFamilyHandle> columnFamilyHandles)
      throws RocksDBException {
    Maintenance.enableAutoCompaction(nativeHandle_, columnFamilyHandles == null
        ? new long[0] : Databases.handlesOf(columnFamilyHandles));
  }

  /**
   * Levels of the default family.
   *
   * @return their number
   */
  public int numberLevels() {
    return numberLevels(null);
  }

  /**
   * Levels of a family.
   *
   * @param columnFamilyHandle the family
   * @return their number
   */
  public int numberLevels(final ColumnFamilyHandle columnFamilyHandle) {
    return Maintenance.number(
        nativeHandle_, handleOf(columnFamilyHandle), Maintenance.LEVELS);
  }

  /**
   * The deepest level to which a flush of the default family may go.
   *
   * @return the level
   */
  public int maxMemCompactionLevel() {
    return maxMemCompactionLevel(null);
  }

  /**
   * The deepest level to which a flush of a family may go.
   *
   * @param columnFamilyHandle the family
   * @return the level
   */
  public int maxMemCompactionLevel(final ColumnFamilyHandle columnFamilyHandle) {
    return Maintenance.number(
        nativeHandle_, handleOf(columnFamilyHandle), Maintenance.MEM_COMPACTION_LEVEL);
  }

  /**
   * Files in level 0 at which writes to the default family stop.
   *
   * @return their number
   */
  public int level0StopWriteTrigger() {
    return level0StopWriteTrigger(null);
  }

  /**
   * Files in level 0 at which writes to a family stop.
   *
   * @param columnFamilyHandle the family
   * @return their number
   */
  public int level0StopWriteTrigger(final ColumnFamilyHandle columnFamilyHandle) {
    return Maintenance.number(
        nativeHandle_, handleOf(columnFamilyHandle), Maintenance.STOP_TRIGGER);
  }

  /**
   * Its directory.
   *
   * @return the path that it was opened with
   */
  public String getName() {
    return Text.of(Databases.name(nativeHandle_));
  }

  /**
   * Where its files are and its threads run.
   *
   * @return the environment
   */
  public Env getEnv() {
    if (!Handles.isOpen(nativeHandle_)) {
      getName();  // Says that it is closed.
    }
    return options_ == null ? Env.getDefault() : options_.getEnv();
  }

  /**
   * Writes the memtables of the default family to files.
   *
   * @param flushOptions how
   * @throws RocksDBException if that fails
   */
  public void flush(final FlushOptions flushOptions) throws RocksDBException {
    flush(flushOptions, Collections.singletonList(getDefaultColumnFamily()));
  }

  /**
   * Writes the memtables of a family to files.
   *
   * @param flushOptions how
   * @param columnFamilyHandle the family; null: the default one
   * @throws RocksDBException if that fails
   */
  public void flush(final FlushOptions flushOptions,
      final ColumnFamilyHandle columnFamilyHandle) throws RocksDBException {
    flush(flushOptions, columnFamilyHandle == null
        ? null : Collections.singletonList(columnFamilyHandle));
  }

  /**
   * Writes the memtables of families to files.
   *
   * @param flushOptions how
   * @param columnFamilyHandles the families; null: the default one
   * @throws RocksDBException if that fails
   */
  public void flush(final FlushOptions flushOptions,
      final List<ColumnFamilyHandle> columnFamilyHandles) throws RocksDBException {
    Maintenance.flush(nativeHandle_, flushOptions.nativeHandle_,
        columnFamilyHandles == null ? new long[] {0} : Databases.handlesOf(columnFamilyHandles));
  }

  /**
   * Hands what the log holds in memory over to the system.
   *
   * @param sync whether to wait until it is on the device
   * @throws RocksDBException if that fails
   */
  public void flushWal(final boolean sync) throws RocksDBException {
    Maintenance.run(nativeHandle_, sync ? Maintenance.FLUSH_WAL_SYNC : Maintenance.FLUSH_WAL);
  }

  /**
   * Waits until the log is on the device.
   *
   * @throws RocksDBException if that fails
   */
  public void syncWal() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.SYNC_WAL);
  }

  /**
   * The number of the last write.
   *
   * @return the sequence number
   */
  public long getLatestSequenceNumber() {
    return Maintenance.latestSequence(nativeHandle_);
  }

  /**
   * Keeps all files, until deletions are enabled as often.
   *
   * @throws RocksDBException if the engine refuses
   */
  public void disableFileDeletions() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.DISABLE_DELETIONS);
  }

  /**
   * Lets files that nothing needs be deleted again.
   *
   * @throws RocksDBException if the engine refuses
   */
  public void enableFileDeletions() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.ENABLE_DELETIONS);
  }

  /**
   * The files of the database, after a flush.
   *
   * @return their names below its directory
   * @throws RocksDBException if that fails
   */
  public LiveFiles getLiveFiles() throws RocksDBException {
    return getLiveFiles(true);
  }

  /**
   * The files of the database.
   *
   * @param flushMemtable whether memtables are flushed first
   * @return their names below its directory
   * @throws RocksDBException if that fails
   */
  public LiveFiles getLiveFiles(final boolean flushMemtable) throws RocksDBException {
    final Unpacker in = new Unpacker(Maintenance.liveFiles(nativeHandle_, flushMemtable));
    final long size = in.readLong();
    return new LiveFiles(size, in.readStrings());
  }

  /**
   * The logs, the oldest first.
   *
   * @return the logs
   * @throws RocksDBException if that fails
   */
  public List<LogFile> getSortedWalFiles() throws RocksDBException {
    return LogFile.list(new Unpacker(Maintenance.sortedWalFiles(nativeHandle_)));
  }

  /**
   * The updates from one on, as logs have them.
   *
   * @param sequenceNumber the number of the first
   * @return an iterator, which the caller closes
   * @throws RocksDBException if they are not there any more
   */
  public TransactionLogIterator getUpdatesSince(final long sequenceNumber)
      throws RocksDBException {
    return new TransactionLogIterator(Maintenance.updatesSince(nativeHandle_, sequenceNumber));
  }

  /**
   * The table files of all families.
   *
   * @return what is known of them
   */
  public List<LiveFileMetaData> getLiveFilesMetaData() {
    return LiveFileMetaData.list(new Unpacker(Maintenance.liveFilesMetaData(nativeHandle_)));
  }

  /**
   * The levels and files of a family.
   *
   * @param columnFamilyHandle the family
   * @return what is known of them
   */
  public ColumnFamilyMetaData getColumnFamilyMetaData(
      final ColumnFamilyHandle columnFamilyHandle) {
    return new ColumnFamilyMetaData(new Unpacker(
        Maintenance.familyMetaData(nativeHandle_, handleOf(columnFamilyHandle))));
  }

  /**
   * The levels and files of the default family.
   *
   * @return what is known of them
   */
  public ColumnFamilyMetaData getColumnFamilyMetaData() {
    return getColumnFamilyMetaData(null);
  }

  /**
   * Adds table files to the default family.
   *
   * @param filePathList the files
   * @param ingestExternalFileOptions how
   * @throws RocksDBException if that fails
   */
  public void ingestExternalFile(final List<String> filePathList,
      final IngestExternalFileOptions ingestExternalFileOptions) throws RocksDBException {
    ingestExternalFile(null, filePathList, ingestExternalFileOptions);
  }

  /**
   * Adds table files to a family.
   *
   * @param columnFamilyHandle the family
   * @param filePathList the files
   * @param ingestExternalFileOptions how
   * @throws RocksDBException if that fails
   */
  public void ingestExternalFile(final ColumnFamilyHandle columnFamilyHandle,
      final List<String> filePathList,
      final IngestExternalFileOptions ingestExternalFileOptions) throws RocksDBException {
    Maintenance.ingest(nativeHandle_, handleOf(columnFamilyHandle),
        Maintenance.pack(new Packer(), filePathList), ingestExternalFileOptions.nativeHandle_);
  }

  /**
   * Compares the checksums of all table files.
   *
   * @throws RocksDBException if one is wrong
   */
  public void verifyChecksum() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.VERIFY_CHECKSUM);
  }

  /**
   * The default family.
   *
   * @return its handle, which need not be closed
   */
  public ColumnFamilyHandle getDefaultColumnFamily() {
    if (defaultFamily_ == null && (isBorrowed_ || !isClosed())) {
      defaultFamily_ = makeDefaultColumnFamilyHandle();
    }
    return defaultFamily_;
  }

  /**
   * A handle of the default family that belongs to the database.
   *
   * @return the handle
   */
  protected ColumnFamilyHandle makeDefaultColumnFamilyHandle() {
    return ColumnFamilyHandle.borrowed(this, Databases.defaultFamily(nativeHandle_));
  }

  /**
   * What the table files of a family say of themselves.
   *
   * @param columnFamilyHandle the family
   * @return the properties of each file
   * @throws RocksDBException if one cannot be read
   */
  public Map<String, TableProperties> getPropertiesOfAllTables(
      final ColumnFamilyHandle columnFamilyHandle) throws RocksDBException {
    return Maintenance.tables(
        Maintenance.tableProperties(nativeHandle_, handleOf(columnFamilyHandle), null));
  }

  /**
   * What the table files of the default family say of themselves.
   *
   * @return the properties of each file
   * @throws RocksDBException if one cannot be read
   */
  public Map<String, TableProperties> getPropertiesOfAllTables() throws RocksDBException {
    return getPropertiesOfAllTables(null);
  }

  /**
   * What the table files of ranges of a family say of themselves.
   *
   * @param columnFamilyHandle the family
   * @param ranges the ranges
   * @return the properties of each file
   * @throws RocksDBException if one cannot be read
   */
  public Map<String, TableProperties> getPropertiesOfTablesInRange(
      final ColumnFamilyHandle columnFamilyHandle, final List<Range> ranges)
      throws RocksDBException {
    return Maintenance.tables(Maintenance.tableProperties(
        nativeHandle_, handleOf(columnFamilyHandle), Range.pack(ranges)));
  }

  /**
   * What the table files of ranges of the default family say of themselves.
   *
   * @param ranges the ranges
   * @return the properties of each file
   * @throws RocksDBException if one cannot be read
   */
  public Map<String, TableProperties> getPropertiesOfTablesInRange(final List<Range> ranges)
      throws RocksDBException {
    return getPropertiesOfTablesInRange(null, ranges);
  }

  /**
   * Suggests the compaction of the files that have the empty key, as RocksDB's method does.
   *
   * @param columnFamilyHandle the family
   * @return the range from the empty key to the empty key
   * @throws RocksDBException if the engine refuses
   */
  public Range suggestCompactRange(final ColumnFamilyHandle columnFamilyHandle)
      throws RocksDBException {
    final Unpacker in = new Unpacker(
        Maintenance.suggestCompactRange(nativeHandle_, handleOf(columnFamilyHandle)));
    final byte[] begin = in.readBytes();
    return new Range(new Slice(begin), new Slice(in.readBytes()));
  }

  /**
   * Suggests the compaction of the default family's files that have the empty key.
   *
   * @return the range from the empty key to the empty key
   * @throws RocksDBException if the engine refuses
   */
  public Range suggestCompactRange() throws RocksDBException {
    return suggestCompactRange(null);
  }

  /**
   * Moves the files of level 0 of a family to another level.
   *
   * @param columnFamilyHandle the family
   * @param targetLevel the level
   * @throws RocksDBException if they overlap, or other levels are not empty
   */
  public void promoteL0(final ColumnFamilyHandle columnFamilyHandle, final int targetLevel)
      throws RocksDBException {
    Maintenance.promoteL0(nativeHandle_, handleOf(columnFamilyHandle), targetLevel);
  }

  /**
   * Moves the files of level 0 of the default family to another level.
   *
   * @param targetLevel the level
   * @throws RocksDBException if they overlap, or other levels are not empty
   */
  public void promoteL0(final int targetLevel) throws RocksDBException {
    promoteL0(null, targetLevel);
  }

  /**
   * Records operations until {@link #endTrace}.
   *
   * @param traceOptions how
   * @param traceWriter where to; it belongs to the database then
   * @throws RocksDBException if the engine refuses
   */
  public void startTrace(final TraceOptions traceOptions, final AbstractTraceWriter traceWriter)
      throws RocksDBException {
    Maintenance.startTrace(
        nativeHandle_, traceOptions.getMaxTraceFileSize(), traceWriter.nativeHandle_);
    traceWriter.giveAway();
  }

  /**
   * Ends recording.
   *
   * @throws RocksDBException if that fails
   */
  public void endTrace() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.END_TRACE);
  }

  /**
   * Shows, in a secondary instance, what was written meanwhile.
   *
   * @throws RocksDBException if that fails
   */
  public void tryCatchUpWithPrimary() throws RocksDBException {
    Maintenance.run(nativeHandle_, Maintenance.CATCH_UP);
  }

  /**
   * Deletes the files that lie wholly within ranges.
   *
   * @param columnFamily the family
   * @param ranges first and last key of each range, one after the other
   * @param includeEnd whether the last keys are in the ranges
   * @throws RocksDBException if that fails
   */
  public void deleteFilesInRanges(final ColumnFamilyHandle columnFamily,
      final List<byte[]> ranges, final boolean includeEnd) throws RocksDBException {
    if (ranges.isEmpty()) {
      return;
    }
    if (ranges.size() % 2 != 0) {
      throw new IllegalArgumentException(
          "Ranges size needs to be multiple of 2 (from1, to1, from2, to2, ...), but is "
          + ranges.size());
    }
    Maintenance.deleteFilesInRanges(
        nativeHandle_, handleOf(columnFamily), Reads.packKeys(ranges), includeEnd);
  }

  /**
   * Deletes a database that is not open.
   *
   * @param path its directory
   * @param options its options
   * @throws RocksDBException if that fails
   */
  public static void destroyDB(final String path, final Options options)
      throws RocksDBException {
    Databases.destroy(options.nativeHandle_, Text.utf8(path));
  }

  /**
   * Carries out a compaction that an {@link AbstractCompactionService} of a database was offered,
   * which is open in another process. Options that are not objects are read from its OPTIONS file.
   *
   * @param options the objects of the database's options: comparator, filters, formats and more
   * @param path the directory of the database
   * @param outputDirectory where the new table files are put; it is made
   * @param compactionServiceInput what the service was given
   * @return what the service is to answer
   * @throws RocksDBException if that fails
   */
  public static byte[] openAndCompact(final Options options, final String path,
      final String outputDirectory, final byte[] compactionServiceInput)
      throws RocksDBException {
    return Databases.openAndCompact(options.nativeHandle_, Text.utf8(path),
        Text.utf8(outputDirectory), compactionServiceInput);
  }

  /**
   * Keeps the options that it was opened with.
   *
   * @param options the options
   */
  protected void storeOptionsInstance(final DBOptionsInterface<?> options) {
    options_ = options;
  }

  /**
   * Keeps the handle of the default family.
   *
   * @param columnFamilyHandle the handle
   */
  protected void storeDefaultColumnFamilyHandle(final ColumnFamilyHandle columnFamilyHandle) {
    defaultFamily_ = columnFamilyHandle;
  }

  @Override
  protected void disposeInternal(final long handle) {
    Handles.close(handle);
  }

  /** Entries, and the bytes that they take. */
  public static class CountAndSize {
    /** The number of entries. */
    public final long count;
    /** The bytes that they take. */
    public final long size;

    /**
     * Two numbers.
     *
     * @param count entries
     * @param size bytes
     */
    public CountAndSize(final long count, final long size) {
      this.count = count;
      this.size = size;
    }
  }

  /** The files of a database. */
  public static class LiveFiles {
    /** The bytes of the manifest that belong to these files. */
    public final long manifestFileSize;
    /** Paths of the files, relative to the database's directory. */
    public final List<String> files;

    LiveFiles(final long manifestFileSize, final List<String> files) {
      this.manifestFileSize = manifestFileSize;
      this.files = files;
    }
  }

  /** The version of the engine. */
  public static class Version {
    private final byte major;
    private final byte minor;
    private final byte patch;

    /**
     * A version.
     *
     * @param major its first number
     * @param minor its second number
     * @param patch its third number
     */
    public Version(final byte major, final byte minor, final byte patch) {
      this.major = major;
      this.minor = minor;
      this.patch = patch;
    }

    /**
     * The first number.
     *
     * @return the number
     */
    public int getMajor() {
      return major;
    }

    /**
     * The second number.
     *
     * @return the number
     */
    public int getMinor() {
      return minor;
    }

    /**
     * The third number.
     *
     * @return the number
     */
    public int getPatch() {
      return patch;
    }

    @Override
    public String toString() {
      return getMajor() + "." + getMinor() + "." + getPatch();
    }
  }
}
