package io.pyrunr.executor.internal.python;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BootTest {
  @Test
  void bootsAndAdds() throws Exception {
    assertEquals("2\n", new Interpreter().run("print(1 + 1)"));
  }
}
