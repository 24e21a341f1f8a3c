package org.rocksdb;

/** The name of an option that may change while a database is open. */
public interface MutableOptionKey {
  /** Kinds of values. */
  enum ValueType {
    /** A number with a fraction. */
    DOUBLE,
    /** A whole number of 64 bits. */
    LONG,
    /** A whole number of 32 bits. */
    INT,
    /** A flag: true or false. */
    BOOLEAN,
    /** Whole numbers of 32 bits, with colons between them in text. */
    INT_ARRAY,
    /** A constant of an enumeration, such as a codec. */
    ENUM,
    /** Text that is taken as it is. */
    STRING
  }

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
