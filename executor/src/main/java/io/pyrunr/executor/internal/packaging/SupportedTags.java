package io.pyrunr.executor.internal.packaging;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The wheel tags that one Pyodide can use, and in words why it cannot use others. Immutable. */
public final class SupportedTags {
  private static final Pattern PYTHON = Pattern.compile("(cp|py)([0-9])([0-9]*)");
  private static final Pattern WASM = Pattern.compile("(pyodide|pyemscripten|emscripten)_.*");

  private final int major;
  private final int minor;
  private final List<String> platforms;
  private final String shownPlatform;

  /**
   * The tags of a Pyodide.
   *
   * @param pythonVersion such as {@code 3.13.2}
   * @param abiVersion such as {@code 2025_0}
   * @param emscripten platform, such as {@code emscripten_4_0_9}
   * @param machine such as {@code wasm32}
   */
  public SupportedTags(String pythonVersion, String abiVersion, String emscripten, String machine) {
    String[] numbers = pythonVersion.split("\\.", -1);
    major = Integer.parseInt(numbers[0]);
    minor = Integer.parseInt(numbers[1]);
    shownPlatform = "pyodide_" + abiVersion + "_" + machine;
    platforms =
        List.of(
            shownPlatform,
            "pyemscripten_" + abiVersion + "_" + machine,
            emscripten + "_" + machine);
  }

  /** How well the best tag fits, from 0 on, lower is better; empty if none does. */
  public OptionalInt rank(List<WheelTag> tags) {
    return tags.stream().mapToInt(this::rank).filter(rank -> rank >= 0).min();
  }

  private int rank(WheelTag tag) {
    int platform = platforms.indexOf(tag.platform());
    boolean any = tag.platform().equals("any");
    int version = pythonMinor(tag.python());
    if ((platform < 0 && !any) || version < 0 || version > minor) {
      return -1;
    }
    boolean exact = version == minor;
    if (tag.python().startsWith("cp")) {
      if (any) {
        return exact && tag.abi().equals("none") ? 300 : -1;
      }
      if (exact && tag.abi().equals(tag.python())) {
        return platform;
      }
      if (tag.abi().equals("abi3") && version >= 2) {
        return 100 + minor - version;
      }
      return exact && tag.abi().equals("none") ? 200 + platform : -1;
    }
    return tag.abi().equals("none") ? (any ? 500 : 400) + minor - version : -1;
  }

  /** The 13 of cp313 or py313; for py3 the lowest there is; -1 if it is none of this major. */
  private int pythonMinor(String python) {
    Matcher form = PYTHON.matcher(python);
    if (!form.matches() || Integer.parseInt(form.group(2)) != major || form.group(3).length() > 3) {
      return -1;
    }
    if (form.group(3).isEmpty()) {
      return form.group(1).equals("py") ? 0 : -1;
    }
    return Integer.parseInt(form.group(3));
  }

  /** Why none of the tags fits, and what would: {@code built for …; drop …}. */
  public String reason(List<WheelTag> tags) {
    WheelTag tag = tags.get(0);
    for (WheelTag each : tags) {
      if (each.platform().equals("any") || platforms.contains(each.platform())) {
        tag = each;
        break;
      }
    }
    String platform = tag.platform().toLowerCase(Locale.ROOT);
    String build = "drop a " + shownPlatform + " or py3-none-any build";
    if (!platform.equals("any") && !platforms.contains(tag.platform())) {
      if (WASM.matcher(platform).matches()) {
        return "built for " + tag.platform() + ", this is " + shownPlatform + "; " + build;
      }
      return "built for " + system(platform) + ", this is WebAssembly; " + build;
    }
    return pythonReason(tag) + ", this is CPython " + major + "." + minor + "; " + advice();
  }

  private String pythonReason(WheelTag tag) {
    Matcher form = PYTHON.matcher(tag.python());
    if (!form.matches()) {
      return "built for another Python (" + tag + ")";
    }
    String version = form.group(2) + (form.group(3).isEmpty() ? "" : "." + form.group(3));
    int tagMinor = pythonMinor(tag.python());
    if (tagMinor == minor || (form.group(1).equals("py") && tagMinor >= 0 && tagMinor < minor)) {
      return "built for the ABI " + tag.abi() + " (" + tag + ")";
    }
    return "built for " + (form.group(1).equals("cp") ? "CPython " : "Python ") + version;
  }

  private String advice() {
    return "drop a cp" + major + minor + " or py3-none-any build";
  }

  private static String system(String platform) {
    if (platform.contains("linux")) {
      return "Linux (" + platform + ")";
    }
    if (platform.startsWith("macosx")) {
      return "macOS (" + platform + ")";
    }
    return platform.startsWith("win") ? "Windows (" + platform + ")" : platform;
  }
}
