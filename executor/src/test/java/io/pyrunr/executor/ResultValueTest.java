package io.pyrunr.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.executor.PythonResult.Status;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values from Java to Python and back. */
class ResultValueTest {
  private static PythonExecutor python;

  @BeforeAll
  static void start() {
    python = PythonExecutor.builder().build();
  }

  @AfterAll
  static void stop() {
    python.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "None | null",
        "True | true",
        "-0.0 | -0.0",
        "1e300 | 1e+300",
        "0.1 + 0.2 | 0.30000000000000004",
        "'é😀' | \"é😀\"",
        "'\\ud800x' | \"\\ud800x\"",
        "'\\x00\\x1f\\\"\\\\' | \"\\u0000\\u001f\\\"\\\\\"",
        "'\\u2028' | \"\u2028\"",
        "[] | []",
        "{} | {}",
        "() | []",
        "(1, (2, [3])) | [1,[2,[3]]]",
        "{'b': 1, 'a': 2} | {\"b\":1,\"a\":2}",
        "frozenset([2, 1]) | [1,2]",
        "{'x', 1} and len({'x', 1}) | 2",
        "{1: 1, 2.5: 2, True: 3, None: 4} | {\"1\":3,\"2.5\":2,\"null\":4}",
        "{float('nan'): 1, float('inf'): 2} | {\"NaN\":1,\"Infinity\":2}",
        "-float('inf') | \"-Infinity\"",
        "[float('nan')] | [\"NaN\"]",
        "b'\\xff\\x00' | \"/wA=\"",
        "bytearray(b'ab') | \"YWI=\"",
        "memoryview(b'ab') | \"YWI=\"",
        "__import__('array').array('i', [1]).tolist() | [1]",
        "__import__('datetime').date(2026, 1, 2) | \"2026-01-02\"",
        "__import__('datetime').time(3, 4, 5, 6) | \"03:04:05.000006\"",
        "__import__('datetime').datetime(2026, 1, 2, tzinfo=__import__('datetime').UTC) |"
            + " \"2026-01-02T00:00:00+00:00\"",
        "__import__('datetime').timedelta(seconds=1.5) | \"1.5s\"",
        "__import__('datetime').timedelta(days=-1, microseconds=1) | \"-86399.999999s\"",
        "__import__('datetime').timedelta(days=999999999) | \"86399999913600s\"",
        "__import__('datetime').timedelta(0) | \"0s\"",
        "__import__('decimal').Decimal('1.10') | \"1.10\"",
        "__import__('decimal').Decimal('NaN') | \"NaN\"",
        "__import__('uuid').UUID(int=1) | \"00000000-0000-0000-0000-000000000001\"",
        "__import__('collections').OrderedDict(a=1) | {\"a\":1}",
        "__import__('collections').Counter('aab') | {\"a\":2,\"b\":1}",
        "__import__('collections').namedtuple('P', 'x y')(1, 2) | [1,2]",
        "__import__('http').HTTPStatus.OK | 200",
        "[__import__('http').HTTPMethod.GET] | [\"GET\"]",
        "{__import__('http').HTTPStatus.OK: 1} | {\"200\":1}",
        "type('S', (str,), {'__str__': lambda s: 'lie'})('truth') | \"truth\"",
        "type('I', (int,), {'__repr__': lambda s: 'lie'})(5) | 5",
        "type('L', (list,), {})([1]) | [1]",
      })
  void becomesJson(String code, String json) throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code));
    assertEquals(json, result.valueJson(), result::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1j | value is of type complex",
        "{'a': [1, {2}, (3, print)]} | value[\"a\"][2][1] is of type builtin_function_or_method",
        "[object()] | value[0] is of type object",
        "{(1, 2): 3} | value has a key of type tuple",
        "[{'x': {b'k': 1}}] | value[0][\"x\"] has a key of type bytes",
        "{1: 'a', '1': 'b'} | value has two keys that are both \"1\"",
        "{'q': {None: 1, 'null': 2}} | value[\"q\"] has two keys that are both \"null\"",
        "range(3) | value is of type range",
        "(x for x in [1]) | value is of type generator",
        "x = []; x.append(x)\\nx | value[0] contains itself",
        "x = {}; x['me'] = [x]\\nx | value[\"me\"][0] contains itself",
        "class A:\\n  pass\\n[A] | value[0] is of type type",
        "class A:\\n  pass\\nA() | value is of type A",
        "__import__('fractions').Fraction(1, 3) | value is of type fractions.Fraction",
        "x = []\\nfor _ in range(1000): x = [x]\\nx | is nested more than 200 levels deep",
        "x = 1\\nfor _ in range(1000): x = {'k': x}\\nx | is nested more than 200 levels deep",
        "x = 1\\nfor _ in range(100000): x = (x, {x} if x == 1 else 0)\\nx | nested more than 200",
      })
  void hasNoJsonForm(String code, String message) throws InterruptedException {
    PythonResult result = python.run(PythonJob.of(code.replace("\\n", "\n")));
    assertEquals(Status.FAILED, result.status(), result::toString);
    assertEquals("ResultConversionError", result.error().type(), result::toString);
    assertTrue(result.error().message().contains(message), result::toString);
    assertEquals("null", result.valueJson());
  }

  @Test
  void dataclassIsAnObject() throws InterruptedException {
    String code =
        """
        import dataclasses, enum
        class Colour(enum.Enum):
            RED = "r"
        @dataclasses.dataclass(slots=True)
        class Inner:
            when: object
        @dataclasses.dataclass
        class Outer:
            colour: Colour
            inner: Inner
            many: list
        Outer(Colour.RED, Inner(b"ab"), [Inner(1)])
        """;
    assertEquals(
        "{\"colour\":\"r\",\"inner\":{\"when\":\"YWI=\"},\"many\":[{\"when\":1}]}",
        python.run(PythonJob.of(code)).valueJson());
    PythonResult failed =
        python.run(PythonJob.of(code.replace("Inner(1)]", "Inner(1), Inner(1j)]")));
    assertTrue(failed.error().message().startsWith("value.many[1].when is"), failed::toString);
  }

  @Test
  void sharedPartsAreNoCycle() throws InterruptedException {
    assertEquals("[[1],[1]]", python.run(PythonJob.of("x = [1]\n[x, x]")).valueJson());
    assertEquals(
        "[[1],[1],{\"a\":[1]}]", python.run(PythonJob.of("x = {1}\n[x, x, {'a': x}]")).valueJson());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 18, 19, 300, 4299, 4300, 4301, 50_000})
  void integersAreExactBothWays(int digits) throws InterruptedException {
    BigInteger number = BigInteger.TEN.pow(digits).subtract(BigInteger.ONE).negate();
    PythonResult result = python.run(PythonJob.of("params[0] - 1").withParams(List.of(number)));
    assertTrue(result.succeeded(), result::toString);
    assertEquals(number.subtract(BigInteger.ONE), result.valueAs(BigInteger.class));
  }

  @Test
  void theJobStillHasPythonsOwnDigitLimit() throws InterruptedException {
    assertEquals("ValueError", python.run(PythonJob.of("str(10 ** 5000)")).error().type());
  }

  @Test
  void paramsComeBackAsTheyWere() throws InterruptedException {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("text", "é😀\u0000\ud800 \"\\");
    params.put("list", Arrays.asList(1, -2.5, true, null, Long.MAX_VALUE));
    params.put("empty", Map.of());
    PythonResult result = python.run(PythonJob.of("params").withParams(params));
    assertTrue(result.succeeded(), result::toString);
    assertEquals(params, result.value());
  }

  @Test
  void surrogateAloneInRawParamsSurvives() throws InterruptedException {
    PythonResult result =
        python.run(PythonJob.of("[ord(c) for c in params]").withParamsJson("\"\udc00a\""));
    assertEquals("[56320,97]", result.valueJson(), result::toString);
  }

  @Test
  void paramsThatAreNotJsonFailTheJob() throws InterruptedException {
    PythonResult result = python.run(PythonJob.of("1").withParamsJson("{oops"));
    assertEquals("JSONDecodeError", result.error().type());
    assertTrue(result.error().message().contains("params is not JSON"), result::toString);
  }

  @Test
  void trailingSemicolonDropsTheValue() throws InterruptedException {
    assertEquals("null", python.run(PythonJob.of("1 + 1;")).valueJson());
    assertEquals("null", python.run(PythonJob.of("1 + 1;  # why\n\n")).valueJson());
    assertEquals("2", python.run(PythonJob.of("x = ';'\n1 + 1")).valueJson());
    assertEquals("null", python.run(PythonJob.of("")).valueJson());
    assertEquals("null", python.run(PythonJob.of("# nothing")).valueJson());
    assertEquals("7", python.run(PythonJob.of("   \n    7")).valueJson());
  }

  @Test
  void bigResultsOfEachKindFit() throws InterruptedException {
    PythonResult records =
        python.run(PythonJob.of("[{'id': i, 'name': str(i), 'ok': True} for i in range(3000)]"));
    assertEquals(3000, records.valueAs(List.class).size());
    assertEquals(
        1_000_000, python.run(PythonJob.of("'x' * 1000000")).valueAs(String.class).length());
  }

  @Test
  void resultBeyondItsLimit() throws InterruptedException {
    Limits limits = Limits.DEFAULT.withResultBytes(1000);
    for (String code :
        List.of(
            "'x' * 999",
            "'é' * 500",
            "list(range(1000))",
            "{str(i) for i in range(1000)}",
            "b'x' * 1000",
            "x = [1]\nfor _ in range(100): x = [x, x]\nx",
            "x = {1}\nfor _ in range(100): x = [x, x]\nx")) {
      PythonResult result = python.run(PythonJob.of(code).withLimits(limits));
      assertEquals("ResultTooLargeError", result.error().type(), result::toString);
    }
    assertTrue(python.run(PythonJob.of("'x' * 998").withLimits(limits)).succeeded());
  }
}
