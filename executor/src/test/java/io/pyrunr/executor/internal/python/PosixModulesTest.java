package io.pyrunr.executor.internal.python;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Python's own os, io, mmap, select, time and the like, in a booted interpreter. Each {@code test_}
 * function of the scripts is a test; it runs in an empty directory.
 */
class PosixModulesTest {
  private static Interpreter interpreter;

  @BeforeAll
  static void boot() throws Exception {
    interpreter = new Interpreter();
  }

  @TestFactory
  Stream<DynamicTest> files() throws Exception {
    return tests("files.py");
  }

  @TestFactory
  Stream<DynamicTest> descriptors() throws Exception {
    return tests("descriptors.py");
  }

  @TestFactory
  Stream<DynamicTest> system() throws Exception {
    return tests("system.py");
  }

  @TestFactory
  Stream<DynamicTest> names() throws Exception {
    return tests("names.py");
  }

  private static Stream<DynamicTest> tests(String script) throws Exception {
    try (InputStream in = PosixModulesTest.class.getResourceAsStream(script)) {
      String source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String names =
          interpreter.run(
              "names = {k for k in globals() if k.startswith('test_')}\n"
                  + "for k in names: del globals()[k]\n"
                  + source
                  + "\nprint(*[k for k in globals() if k.startswith('test_')])");
      return Stream.of(names.trim().split(" "))
          .map(name -> DynamicTest.dynamicTest(name, () -> run(name)));
    }
  }

  private static void run(String test) throws Exception {
    interpreter.run("import os, tempfile\nos.chdir(tempfile.mkdtemp())\n" + test + "()");
  }
}
