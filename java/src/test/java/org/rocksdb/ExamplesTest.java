package org.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples, as programs of their own: what they print, and that they end well. */
class ExamplesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"ColumnFamilies,7", "Transactions,7", "Order,z 2;3/long 1"})
  void prints(final String name, final String expected) throws Exception {
    final File source = new File(System.getProperty("rocksdb.test.examples"), name + ".java");
    final Process process =
        new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
            "-XX:ErrorFile=" + folder.resolve("crash.log"), "-cp",
            JarClasses.file().getPath(), source.getPath(), folder.resolve("db").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    final String out =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    assertEquals(expected, out.trim().replace('\n', '/').replace(',', ';'));
  }
}
