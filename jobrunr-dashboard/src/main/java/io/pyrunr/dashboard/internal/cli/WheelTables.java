package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.executor.WheelReport;
import io.pyrunr.executor.WheelReport.Entry;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** How wheels are shown. */
final class WheelTables {
  private WheelTables() {}

  static void list(WheelReport contents, List<String> notes, PrintWriter out) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"Package", "Version", "Used", "File"});
    for (Entry wheel : contents.wheels()) {
      rows.add(
          new String[] {
            wheel.name() == null ? "-" : wheel.name(),
            wheel.version() == null ? "-" : wheel.version(),
            wheel.chosen() ? "yes" : "no",
            name(wheel) + (wheel.usable() ? "" : ": " + wheel.problem())
          });
    }
    print(rows, out);
    contents.problems().forEach(out::println);
    notes.forEach(out::println);
  }

  private static void print(List<String[]> rows, PrintWriter out) {
    int[] widths = new int[3];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      out.println(line.append(row[3]));
    }
  }

  static void check(WheelReport contents, List<String> notes, PrintWriter out) {
    int sound = 0;
    for (Entry wheel : contents.wheels()) {
      boolean good = wheel.usable() && wheel.missing().isEmpty();
      sound += good ? 1 : 0;
      out.println((good ? "ok   " : "BAD  ") + describe(wheel));
    }
    contents.problems().forEach(problem -> out.println("BAD  " + problem));
    notes.forEach(out::println);
    int all = contents.wheels().size();
    out.println(all + (all == 1 ? " wheel, " : " wheels, ") + (all - sound) + " bad");
  }

  private static String describe(Entry wheel) {
    String file = name(wheel);
    if (!wheel.usable()) {
      return file + ": " + wheel.problem();
    }
    String needs =
        wheel.requires().isEmpty()
            ? "needs nothing"
            : "needs " + String.join(", ", wheel.requires());
    String missing =
        wheel.missing().isEmpty() ? "" : "; MISSING " + String.join(", ", wheel.missing());
    return wheel.name()
        + " "
        + wheel.version()
        + (wheel.chosen() ? "" : " (another version is used)")
        + ": "
        + needs
        + missing
        + "; unpacked "
        + kilobytes(wheel.unpackedBytes())
        + ", compiled "
        + kilobytes(wheel.compiledBytes());
  }

  /** A file's name may hold what a terminal obeys. */
  private static String name(Entry wheel) {
    return wheel.file().getFileName().toString().replaceAll("\\p{Cntrl}", "?");
  }

  private static String kilobytes(long bytes) {
    return (bytes + 1023) / 1024 + " KB";
  }
}
