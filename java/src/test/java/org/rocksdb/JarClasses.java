package org.rocksdb;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The classes of the jar under test. */
final class JarClasses {
  private JarClasses() {}

  static File file() throws Exception {
    return new File(
        RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** All of package org.rocksdb, nested ones too, by name; they are not initialised. */
  static List<Class<?>> all() throws Exception {
    final List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(file())) {
      for (final JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().matches("org/rocksdb/[\\w$]+\\.class")) {
          names.add(entry.getName().replaceAll("\\.class$", "").replace('/', '.'));
        }
      }
    }
    Collections.sort(names);
    final List<Class<?>> classes = new ArrayList<>();
    for (final String name : names) {
      classes.add(Class.forName(name, false, JarClasses.class.getClassLoader()));
    }
    return classes;
  }
}
