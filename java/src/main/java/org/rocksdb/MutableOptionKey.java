package org.rocksdb;

/** The name of an option that may change while a database is open. */
public interface MutableOptionKey {
  /** Kinds of values. */
  enum ValueType { DOUBLE, LONG, INT, BOOLEAN, INT_ARRAY, ENUM, STRING }

  /**
   * The engine's name.
   *
   * @return the name
   */
  String name();

  /**
   * The kind of its values.
   *
   * @return the kind
   */
  ValueType getValueType();
}
