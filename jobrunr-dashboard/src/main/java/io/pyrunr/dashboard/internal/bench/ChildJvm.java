package io.pyrunr.dashboard.internal.bench;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that runs this program again, in a JVM with the same options. */
final class ChildJvm {
  private static final String MAIN_CLASS = "io.pyrunr.dashboard.Pyrunr";

  private ChildJvm() {}

  static List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-X"))
        .forEach(command::add);
    String classPath = System.getProperty("java.class.path");
    if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
      command.addAll(List.of("-jar", classPath));
    } else {
      command.addAll(List.of("-cp", classPath, MAIN_CLASS));
    }
    command.addAll(arguments);
    return command;
  }
}
