package org.rocksdb;

import static org.rocksdb.Bytes.b;
import static org.rocksdb.Bytes.inside;
import static org.rocksdb.Bytes.padded;
import static org.rocksdb.Bytes.s;

import java.util.ArrayList;
import java.util.List;

/**
 * The forms of the same call: with and without a family, with and without options, with whole
 * arrays, parts of arrays, and buffers of both kinds.
 */
final class Forms {
  private Forms() {}

  /** What a call is made on. */
  static final class Where {
    final RocksDB db;
    final ColumnFamilyHandle family;
    final ReadOptions read;
    final WriteOptions write;

    Where(final RocksDB db, final ColumnFamilyHandle family, final ReadOptions read,
        final WriteOptions write) {
      this.db = db;
      this.family = family;
      this.read = read;
      this.write = write;
    }
  }

  interface Writing {
    void write(Where at, String key, String value) throws RocksDBException;
  }

  interface Reading {
    String read(Where at, String key) throws RocksDBException;
  }

  interface Asking {
    boolean ask(Where at, String key) throws RocksDBException;
  }

  /** A form with its name, and whether it names a family. */
  static final class Form<T> {
    final String name;
    final boolean hasFamily;
    final T call;

    Form(final String name, final boolean hasFamily, final T call) {
      this.name = name;
      this.hasFamily = hasFamily;
      this.call = call;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final class Table<T> {
    final String name;
    final List<Form<T>> forms = new ArrayList<>();

    Table(final String name) {
      this.name = name;
    }

    Table<T> plain(final String arguments, final T call) {
      forms.add(new Form<>(name + "(" + arguments + ")", false, call));
      return this;
    }

    Table<T> family(final String arguments, final T call) {
      forms.add(new Form<>(name + "(family, " + arguments + ")", true, call));
      return this;
    }
  }

  static List<Form<Writing>> puts() {
    return new Table<Writing>("put")
        .plain("k, v", (at, k, v) -> at.db.put(b(k), b(v)))
        .plain("k part, v part", (at, k, v) -> at.db.put(
            padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .plain("options, k, v", (at, k, v) -> at.db.put(at.write, b(k), b(v)))
        .plain("options, k part, v part", (at, k, v) -> at.db.put(
            at.write, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .plain("options, direct", (at, k, v) -> at.db.put(
            at.write, inside(true, k), inside(true, v)))
        .plain("options, heap", (at, k, v) -> at.db.put(
            at.write, inside(false, k), inside(false, v)))
        .family("k, v", (at, k, v) -> at.db.put(at.family, b(k), b(v)))
        .family("k part, v part", (at, k, v) -> at.db.put(
            at.family, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .family("options, k, v", (at, k, v) -> at.db.put(at.family, at.write, b(k), b(v)))
        .family("options, k part, v part", (at, k, v) -> at.db.put(
            at.family, at.write, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .family("options, direct", (at, k, v) -> at.db.put(
            at.family, at.write, inside(true, k), inside(true, v)))
        .family("options, heap", (at, k, v) -> at.db.put(
            at.family, at.write, inside(false, k), inside(false, v)))
        .forms;
  }

  static List<Form<Writing>> merges() {
    return new Table<Writing>("merge")
        .plain("k, v", (at, k, v) -> at.db.merge(b(k), b(v)))
        .plain("k part, v part", (at, k, v) -> at.db.merge(
            padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .plain("options, k, v", (at, k, v) -> at.db.merge(at.write, b(k), b(v)))
        .plain("options, k part, v part", (at, k, v) -> at.db.merge(
            at.write, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .plain("options, direct", (at, k, v) -> at.db.merge(
            at.write, inside(true, k), inside(true, v)))
        .plain("options, heap", (at, k, v) -> at.db.merge(
            at.write, inside(false, k), inside(false, v)))
        .family("k, v", (at, k, v) -> at.db.merge(at.family, b(k), b(v)))
        .family("k part, v part", (at, k, v) -> at.db.merge(
            at.family, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .family("options, k, v", (at, k, v) -> at.db.merge(at.family, at.write, b(k), b(v)))
        .family("options, k part, v part", (at, k, v) -> at.db.merge(
            at.family, at.write, padded(k), 2, b(k).length, padded(v), 2, b(v).length))
        .family("options, direct", (at, k, v) -> at.db.merge(
            at.family, at.write, inside(true, k), inside(true, v)))
        .family("options, heap", (at, k, v) -> at.db.merge(
            at.family, at.write, inside(false, k), inside(false, v)))
        .forms;
  }

  /** The value is not used; for ranges it is the end. */
  static List<Form<Writing>> deletes() {
    return new Table<Writing>("delete")
        .plain("k", (at, k, v) -> at.db.delete(b(k)))
        .plain("k part", (at, k, v) -> at.db.delete(padded(k), 2, b(k).length))
        .plain("options, k", (at, k, v) -> at.db.delete(at.write, b(k)))
        .plain("options, k part", (at, k, v) -> at.db.delete(
            at.write, padded(k), 2, b(k).length))
        .plain("options, direct", (at, k, v) -> at.db.delete(at.write, inside(true, k)))
        .plain("options, heap", (at, k, v) -> at.db.delete(at.write, inside(false, k)))
        .plain("single, k", (at, k, v) -> at.db.singleDelete(b(k)))
        .plain("single, options, k", (at, k, v) -> at.db.singleDelete(at.write, b(k)))
        .plain("range", (at, k, v) -> at.db.deleteRange(b(k), b(k + "\0")))
        .plain("options, range", (at, k, v) -> at.db.deleteRange(
            at.write, b(k), b(k + "\0")))
        .family("k", (at, k, v) -> at.db.delete(at.family, b(k)))
        .family("k part", (at, k, v) -> at.db.delete(
            at.family, padded(k), 2, b(k).length))
        .family("options, k", (at, k, v) -> at.db.delete(at.family, at.write, b(k)))
        .family("options, k part", (at, k, v) -> at.db.delete(
            at.family, at.write, padded(k), 2, b(k).length))
        .family("options, direct", (at, k, v) -> at.db.delete(
            at.family, at.write, inside(true, k)))
        .family("options, heap", (at, k, v) -> at.db.delete(
            at.family, at.write, inside(false, k)))
        .family("single, k", (at, k, v) -> at.db.singleDelete(at.family, b(k)))
        .family("single, options, k", (at, k, v) -> at.db.singleDelete(
            at.family, at.write, b(k)))
        .family("range", (at, k, v) -> at.db.deleteRange(
            at.family, b(k), b(k + "\0")))
        .family("options, range", (at, k, v) -> at.db.deleteRange(
            at.family, at.write, b(k), b(k + "\0")))
        .forms;
  }

  static List<Form<Reading>> gets() {
    return new Table<Reading>("get")
        .plain("k", (at, k) -> s(at.db.get(b(k))))
        .plain("k part", (at, k) -> s(at.db.get(padded(k), 2, b(k).length)))
        .plain("options, k", (at, k) -> s(at.db.get(at.read, b(k))))
        .plain("options, k part", (at, k) -> s(at.db.get(
            at.read, padded(k), 2, b(k).length)))
        .family("k", (at, k) -> s(at.db.get(at.family, b(k))))
        .family("k part", (at, k) -> s(at.db.get(
            at.family, padded(k), 2, b(k).length)))
        .family("options, k", (at, k) -> s(at.db.get(at.family, at.read, b(k))))
        .family("options, k part", (at, k) -> s(at.db.get(
            at.family, at.read, padded(k), 2, b(k).length)))
        .forms;
  }

  static List<Form<Asking>> keyExists() {
    return new Table<Asking>("keyExists")
        .plain("k", (at, k) -> at.db.keyExists(b(k)))
        .plain("k part", (at, k) -> at.db.keyExists(padded(k), 2, b(k).length))
        .plain("options, k", (at, k) -> at.db.keyExists(at.read, b(k)))
        .plain("options, k part", (at, k) -> at.db.keyExists(
            at.read, padded(k), 2, b(k).length))
        .plain("direct", (at, k) -> at.db.keyExists(inside(true, k)))
        .plain("heap", (at, k) -> at.db.keyExists(inside(false, k)))
        .plain("options, direct", (at, k) -> at.db.keyExists(at.read, inside(true, k)))
        .plain("options, heap", (at, k) -> at.db.keyExists(at.read, inside(false, k)))
        .family("k", (at, k) -> at.db.keyExists(at.family, b(k)))
        .family("k part", (at, k) -> at.db.keyExists(
            at.family, padded(k), 2, b(k).length))
        .family("options, k", (at, k) -> at.db.keyExists(at.family, at.read, b(k)))
        .family("options, k part", (at, k) -> at.db.keyExists(
            at.family, at.read, padded(k), 2, b(k).length))
        .family("direct", (at, k) -> at.db.keyExists(at.family, inside(true, k)))
        .family("heap", (at, k) -> at.db.keyExists(at.family, inside(false, k)))
        .family("options, direct", (at, k) -> at.db.keyExists(
            at.family, at.read, inside(true, k)))
        .family("options, heap", (at, k) -> at.db.keyExists(
            at.family, at.read, inside(false, k)))
        .forms;
  }

  static List<Form<Asking>> keyMayExist() {
    return new Table<Asking>("keyMayExist")
        .plain("k", (at, k) -> at.db.keyMayExist(b(k), null))
        .plain("k part", (at, k) -> at.db.keyMayExist(padded(k), 2, b(k).length, null))
        .plain("options, k", (at, k) -> at.db.keyMayExist(at.read, b(k), null))
        .plain("options, k part", (at, k) -> at.db.keyMayExist(
            at.read, padded(k), 2, b(k).length, null))
        .plain("direct", (at, k) -> at.db.keyMayExist(inside(true, k)))
        .plain("heap", (at, k) -> at.db.keyMayExist(inside(false, k)))
        .plain("options, direct", (at, k) -> at.db.keyMayExist(at.read, inside(true, k)))
        .plain("options, heap", (at, k) -> at.db.keyMayExist(at.read, inside(false, k)))
        .family("k", (at, k) -> at.db.keyMayExist(at.family, b(k), null))
        .family("k part", (at, k) -> at.db.keyMayExist(
            at.family, padded(k), 2, b(k).length, null))
        .family("options, k", (at, k) -> at.db.keyMayExist(
            at.family, at.read, b(k), null))
        .family("options, k part", (at, k) -> at.db.keyMayExist(
            at.family, at.read, padded(k), 2, b(k).length, null))
        .family("direct", (at, k) -> at.db.keyMayExist(at.family, inside(true, k)))
        .family("heap", (at, k) -> at.db.keyMayExist(at.family, inside(false, k)))
        .family("options, direct", (at, k) -> at.db.keyMayExist(
            at.family, at.read, inside(true, k)))
        .family("options, heap", (at, k) -> at.db.keyMayExist(
            at.family, at.read, inside(false, k)))
        .forms;
  }
}
