package io.pyrunr.executor.internal.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requirements, markers and metadata. */
class RequirementTest {
  private static final MarkerEnvironment PYODIDE =
      new MarkerEnvironment("3.13.2", "4.0.9", "wasm32");

  private static Requirement requirement(String text) throws BadPackagingException {
    return Requirement.parse(text, PYODIDE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A | a",
        "A.B-C_D | a-b-c-d",
        "name<=1 | name<=1",
        "name (>=3,<2) | name>=3,<2",
        "name[b_x, a] ~= 1.2 ; os_name == 'a' | name[a,b-x]~= 1.2",
        "name[] | name",
        "name>=1; extra == 'x' | name>=1"
      })
  void parts(String text, String expected) throws Exception {
    assertEquals(expected, requirement(text).toString());
  }

  @Test
  void addresses() throws Exception {
    assertEquals(
        "https://example.org/x.whl#sha256=1",
        requirement("x @ https://example.org/x.whl#sha256=1 ; os_name == 'posix'").url());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-x",
        "x[",
        "x[a",
        "x>=",
        "x (>=1",
        "x; ",
        "x; os_name",
        "x; os_name == ",
        "x y",
        "x; nonsense == '1'",
        "x; os_name == 'a",
        "x; (os_name == 'a'",
        "x >= 1 2",
        "é"
      })
  void refused(String text) {
    assertThrows(BadPackagingException.class, () -> requirement(text));
  }

  @Test
  void parenthesesHaveAnEnd() {
    String deep = "x; " + "(".repeat(3000) + "os_name == 'a'" + ")".repeat(3000);
    assertThrows(BadPackagingException.class, () -> requirement(deep));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "python_version >= '3.9' | true",
        "python_version < '3.10' | false",
        "'3.9' <= python_version | true",
        "python_full_version == '3.13.*' | true",
        "sys_platform == 'emscripten' | true",
        "sys_platform != 'win32' | true",
        "platform_machine in 'wasm32 x86_64' | true",
        "'linux' not in sys_platform | true",
        "os.name == \"posix\" | true",
        "python_implementation == 'CPython' | true",
        "platform_system == 'Emscripten' and (os_name == 'nt' or implementation_name == 'cpython') | true",
        "os_name == 'nt' and os_name == 'posix' or os_name == 'posix' | true",
        "os_name == 'nt' and (os_name == 'posix' or os_name == 'posix') | false",
        "extra == 'test' | false",
        "platform_release ~= '4.0' | true",
        "platform_version >= '1' | false",
        "python_version not in '2.7, 3.0' | true"
      })
  void markers(String marker, boolean expected) throws Exception {
    assertEquals(expected, requirement("x; " + marker).applies(PYODIDE, Set.of()));
  }

  @Test
  void extras() throws Exception {
    Requirement both = requirement("x; extra == 'Dev_Tools' and python_version > '3'");
    assertTrue(both.applies(PYODIDE, Set.of("dev-tools", "other")));
    assertTrue(!both.applies(PYODIDE, Set.of("other")));
    assertTrue(requirement("x; extra != 'minimal'").applies(PYODIDE, Set.of()));
  }

  @Test
  void metadata() throws Exception {
    CoreMetadata metadata =
        CoreMetadata.parse(
            """
            Metadata-Version: 2.1
            Name: Some.Thing
            Version: 1.0
            Requires-Python: >=3.8
            Requires-Dist: a>=1
            Requires-Dist: b;
              extra == "x"
            Provides-Extra: X

            Requires-Dist: not-a-header
            """,
            PYODIDE);
    assertEquals("some-thing", metadata.normalName());
    assertEquals(2, metadata.requirements().size());
    assertEquals(Set.of("x"), metadata.extras());
    assertThrows(BadPackagingException.class, () -> CoreMetadata.parse("Version: 1\n", PYODIDE));
    assertThrows(
        BadPackagingException.class,
        () -> CoreMetadata.parse("Name: a\nName: b\nVersion: 1\n", PYODIDE));
  }
}
