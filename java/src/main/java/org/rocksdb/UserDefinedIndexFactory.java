package org.rocksdb;

/** Makes an index of table files beside the one that all of them have. */
public class UserDefinedIndexFactory extends Customizable {
  /**
   * One that the engine knows.
   *
   * @param id such as {@code trie_index}
   * @throws RocksDBException if the engine knows none of this name
   */
  public UserDefinedIndexFactory(final String id) throws RocksDBException {
    super(NamedObjects.USER_DEFINED_INDEX_FACTORY, id);
  }

  UserDefinedIndexFactory(final long handle) {
    super(NamedObjects.USER_DEFINED_INDEX_FACTORY, handle);
  }
}
