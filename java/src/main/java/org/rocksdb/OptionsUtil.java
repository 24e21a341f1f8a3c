package org.rocksdb;

import java.util.List;

/** Reads the options that databases wrote down when they were opened. */
public class OptionsUtil {
  /** Nothing to hold. */
  public OptionsUtil() {}

  /**
   * The options that a database ran with last.
   *
   * @param configOptions how to read them
   * @param dbPath the database's directory
   * @param dbOptions gets those of the database
   * @param cfDescs gets the families with their options, which the caller closes
   * @throws RocksDBException if there are none, or they cannot be read
   */
  public static void loadLatestOptions(final ConfigOptions configOptions, final String dbPath,
      final DBOptions dbOptions, final List<ColumnFamilyDescriptor> cfDescs)
      throws RocksDBException {
    OptionFiles.read(new Unpacker(OptionFiles.load(configOptions.nativeHandle_,
                         Text.utf8(dbPath), false, dbOptions.nativeHandle_)),
        cfDescs);
  }

  /**
   * The options of a file.
   *
   * @param configOptions how to read them
   * @param optionsFileName the file
   * @param dbOptions gets those of the database
   * @param cfDescs gets the families with their options, which the caller closes
   * @throws RocksDBException if they cannot be read
   */
  public static void loadOptionsFromFile(final ConfigOptions configOptions,
      final String optionsFileName, final DBOptions dbOptions,
      final List<ColumnFamilyDescriptor> cfDescs) throws RocksDBException {
    OptionFiles.read(new Unpacker(OptionFiles.load(configOptions.nativeHandle_,
                         Text.utf8(optionsFileName), true, dbOptions.nativeHandle_)),
        cfDescs);
  }

  /**
   * The file that was written last.
   *
   * @param dbPath the database's directory
   * @param env where that is
   * @return the name of the file, without the directory
   * @throws RocksDBException if there is none
   */
  public static String getLatestOptionsFileName(final String dbPath, final Env env)
      throws RocksDBException {
    return Text.of(OptionFiles.latest(Text.utf8(dbPath), env.nativeHandle_));
  }
}
