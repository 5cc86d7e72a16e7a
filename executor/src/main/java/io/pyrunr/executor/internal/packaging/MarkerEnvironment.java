package io.pyrunr.executor.internal.packaging;

import java.util.HashMap;
import java.util.Map;

/**
 * The values that environment markers ask for (PEP 508), as Pyodide's Python has them. Immutable.
 */
public final class MarkerEnvironment {
  private static final Map<String, String> OLD_NAMES =
      Map.of(
          "os.name", "os_name",
          "sys.platform", "sys_platform",
          "platform.version", "platform_version",
          "platform.machine", "platform_machine",
          "platform.python_implementation", "platform_python_implementation",
          "python_implementation", "platform_python_implementation");

  private final Map<String, String> values = new HashMap<>();

  /**
   * The environment of a Pyodide.
   *
   * @param pythonVersion such as {@code 3.13.2}
   * @param emscriptenVersion such as {@code 4.0.9}
   * @param machine such as {@code wasm32}
   */
  public MarkerEnvironment(String pythonVersion, String emscriptenVersion, String machine) {
    String[] numbers = pythonVersion.split("\\.", -1);
    values.put("python_version", numbers[0] + "." + numbers[1]);
    values.put("python_full_version", pythonVersion);
    values.put("implementation_name", "cpython");
    values.put("implementation_version", pythonVersion);
    values.put("platform_python_implementation", "CPython");
    values.put("os_name", "posix");
    values.put("sys_platform", "emscripten");
    values.put("platform_system", "Emscripten");
    values.put("platform_machine", machine);
    values.put("platform_release", emscriptenVersion);
    values.put("platform_version", "#1");
  }

  /** The name of a variable, or null if markers have none of that name. */
  String variable(String name) {
    String known = OLD_NAMES.getOrDefault(name, name);
    return values.containsKey(known) || known.equals("extra") ? known : null;
  }

  /** The value of a variable, {@code extra} given by the caller. */
  String value(String variable, String extra) {
    return variable.equals("extra") ? extra : values.get(variable);
  }
}
