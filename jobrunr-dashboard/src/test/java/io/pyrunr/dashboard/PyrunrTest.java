package io.pyrunr.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line understands, and what it says when it does not. */
class PyrunrTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "run --help",
        "serve --help",
        "submit --help",
        "bench --help",
        "soak --help",
        "wheels",
        "wheels --help",
        "wheels list --help",
        "wheels check --help",
        "wheels add --help",
        "wheels lock --help",
        "--version",
        ""
      })
  void explainsItself(String arguments) {
    assertEquals(0, run(arguments));
    assertTrue(out.toString().contains("yrunr"), out.toString());
    assertEquals("", err.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rum|did you mean run",
        "run|specify one of",
        "run -c 1 --jobs x|mutually exclusive",
        "run -c 1 x.py|Unmatched argument",
        "run -c 1 --timeout 5|write a number and ms, s, m or h",
        "run -c 1 --timeout 0s|too short",
        "run -c 1 --timeout -1s|--timeout",
        "run -c 1 --memory 12|write a number and m or g",
        "run -c 1 --memory 8g|1m to 2g are possible",
        "run -c 1 --workers 0|1 to 256 are possible",
        "run -c 1 --workers x|--workers",
        "run -c 1 --recycle-after 0|the least is 1",
        "run -c 1 --params {a}|--params is not valid JSON",
        "run -c 1 --wheel-cache no-such-folder|there is no such folder",
        "run no-such-file.py|there is no file no-such-file.py",
        "run --jobs no-such-file|there is no file no-such-file",
        "run --jobs x --params 1|--params does not go with --jobs",
        "run --jobs x --requires a|--requires does not go with --jobs",
        "run src|src is a folder",
        "wheels lost|Unmatched argument",
        "wheels add|Missing required parameter",
        "wheels add no-such-package --from src|no package 'no-such-package'",
        "wheels add numpy --from no-such-folder|neither an http(s) address nor a folder",
        "wheels list --wheel-cache no-such-folder|cannot be read",
        "wheels check --wheel-cache no-such-folder|cannot be read",
        "wheels lock --wheel-cache src|nothing to lock",
        "run -c 1 --frobnicate|Unknown option: '--frobnicate'",
        "serve --port 70000|0 to 65535 are possible",
        "serve --poll-interval 1s|the least JobRunr allows",
        "serve --jdbc-url postgres://x|no JDBC address",
        "serve --jdbc-user me|goes with --jdbc-url",
        "submit|specify one of",
        "bench --reps 0|--reps is 0; the least is 1",
        "bench --jobs 0|--jobs is 0; the least is 1",
        "bench --node no-such-folder|npm install pyodide",
        "bench --node src --no-node|exclude each other",
        "bench --python3 no-such-python|there is no such program",
        "soak --jobs 0|--jobs is 0; the least is 1",
        "soak --workers x|--workers",
        "soak --workers 0|1 to 256 are possible",
        "submit -c 1 --url http://127.0.0.1:1|PYRUNR_TOKEN",
        "submit -c 1 --url localhost:8000|--url is no address",
        "submit -c 1 --url ftp://127.0.0.1|--url is no address",
        "submit -c 1 --url http://|--url is no address"
      })
  void saysInOneLineWhatWasWrong(String arguments, String reason) {
    assertEquals(2, run(arguments), err.toString());
    assertTrue(err.toString().contains(reason), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void submitWithoutAServerSaysHowToStartOne() {
    assertEquals(1, run("submit -c 1 --data no-such-folder"));
    assertTrue(err.toString().contains("start one with 'pyrunr serve'"), err.toString());
  }

  @Test
  void wheelsThatCannotBeHadAreNamed() {
    assertEquals(1, run("wheels add six --from src --wheel-cache target/added-wheels"));
    assertTrue(err.toString().startsWith("pyrunr wheels add: src has no six-"), err.toString());
  }

  private int run(String arguments) {
    String[] words =
        Arrays.stream(arguments.split(" ")).filter(word -> !word.isEmpty()).toArray(String[]::new);
    return Pyrunr.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }
}
