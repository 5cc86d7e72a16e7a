package io.pyrunr.executor.internal.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrunr.executor.internal.io.CacheHome.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Who can put something into the cache, what becomes of it, and where there can be none. */
@DisabledOnOs(OS.WINDOWS)
class CacheHomeTest {
  private static final String KEY = "0123456789abcdef".repeat(4);

  @TempDir Path folder;

  private Path place() {
    return folder.resolve("above/cache");
  }

  /** That of another process. */
  private CacheHome another() {
    return new CacheHome(place());
  }

  private static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private static Path write(Path file, Duration age) throws IOException {
    Files.write(file, new byte[1000]);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    return file;
  }

  // Whose it is

  private void expectRefused(String expected) {
    String message = assertThrows(IllegalArgumentException.class, another()::open).getMessage();
    assertTrue(message.startsWith(expected), message);
    assertTrue(message.contains("--cache or PYRUNR_CACHE"), message);
    assertEquals(1, message.lines().count(), message);
    assertThrows(IllegalArgumentException.class, () -> another().file(Kind.CLASSES, KEY));
  }

  private void expectUsed() {
    assertNotNull(another().file(Kind.CLASSES, KEY));
  }

  @Test
  void whatIsMadeIsTheOwnersAlone() throws Exception {
    expectUsed();
    try (Stream<Path> made = Files.walk(folder)) {
      for (Path each :
          made.filter(each -> !each.equals(folder)).filter(Files::isDirectory).toList()) {
        assertEquals(
            "rwx------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(each)),
            each::toString);
      }
    }
  }

  @Test
  void othersMayReadIt() throws Exception {
    Files.createDirectories(place());
    mode(place(), 0755);
    expectUsed();
  }

  @Test
  void othersMayWriteToIt() throws Exception {
    Files.createDirectories(place());
    for (int mode : new int[] {0777, 0775, 0722, 01777}) {
      mode(place(), mode);
      expectRefused("others can write to the cache " + place().toRealPath());
    }
    mode(place(), 0700);
    expectUsed();
  }

  @Test
  void othersMayWriteToAFolderInIt() throws Exception {
    Files.createDirectories(place().resolve("classes"));
    mode(place().resolve("classes"), 0777);
    expectRefused("others can write to the cache " + place().toRealPath().resolve("classes"));
  }

  /** They could rename the cache and put another in its place. */
  @Test
  void othersMayWriteToAFolderAboveIt() throws Exception {
    Path above = Files.createDirectories(place()).getParent();
    mode(above, 0777);
    expectRefused("others can write to " + above.toRealPath() + ", above the cache");
    mode(above, 01777); // as /tmp is
    expectUsed();
  }

  /** A group of the same name as the user has nobody else in it. */
  @Test
  void theOwnersOwnGroupMayWriteToAFolderAboveIt() throws Exception {
    Path above = Files.createDirectories(place()).getParent();
    assumeTrue(
        Files.getAttribute(above, "unix:group")
            .toString()
            .equals(Files.getOwner(above).toString()));
    mode(above, 0775);
    expectUsed();
  }

  @Test
  void itBelongsToSomebodyElse() throws Exception {
    Path above = Files.createDirectories(place()).getParent();
    assumeTrue(isRoot(), "only root can give files away");
    Files.setAttribute(place(), "unix:uid", 12345);
    expectRefused("the cache " + place().toRealPath() + " belongs to the user 12345");
    Files.setAttribute(place(), "unix:uid", 0);
    Files.setAttribute(above, "unix:uid", 12345);
    expectRefused(above.toRealPath() + ", above the cache");
  }

  private boolean isRoot() throws IOException {
    return Files.getAttribute(folder, "unix:uid").equals(0);
  }

  @Test
  void aLinkIsWhatItLeadsTo() throws Exception {
    Path target = Files.createDirectories(folder.resolve("elsewhere/cache"));
    mode(target, 0777);
    Files.createDirectories(place().getParent());
    Files.createSymbolicLink(place(), target);
    expectRefused("others can write to the cache " + target.toRealPath());
    mode(target, 0700);
    expectUsed();
    assertTrue(Files.isDirectory(target.resolve("classes")));
  }

  // Where there can be none

  @Test
  void whereNoFolderCanBeMadeNothingIsKept() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
    for (Path place : List.of(file, file.resolve("below"), link)) {
      CacheHome cache = CacheHome.at(place);
      for (Kind kind : Kind.values()) {
        assertNull(cache.file(kind, KEY));
      }
      assertEquals(0, cache.size());
    }
    assertNull(CacheHome.NONE.file(Kind.IMAGE, KEY));
  }

  /** Filled by another process, and then closed: what is there is used. */
  @Test
  void oneThatIsOnlyRead() throws Exception {
    Files.createDirectories(place().resolve("classes"));
    Path kept = write(place().resolve("classes").resolve(KEY + ".zip"), Duration.ofDays(90));
    mode(place().resolve("classes"), 0500);
    mode(place(), 0500);
    assertEquals(kept.toRealPath(), another().file(Kind.CLASSES, KEY));
    mode(place(), 0700);
    mode(place().resolve("classes"), 0700);
  }

  @Test
  void itMayBeDeletedAtAnyTime() throws Exception {
    CacheHome cache = CacheHome.at(place());
    Path file = cache.file(Kind.CLASSES, KEY);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(folder)) {
          Files.delete(each);
        }
      }
    }
    assertEquals(file, cache.file(Kind.CLASSES, KEY));
    assertTrue(Files.isDirectory(file.getParent()));
    assertSame(cache, CacheHome.at(place().resolve("../cache")), "one for each place");
  }

  // What goes

  @Test
  void whatNobodyHasUsedForThirtyDaysGoes() throws Exception {
    another().open();
    Path wheels = place().resolve("wheels");
    Path unused = write(wheels.resolve(KEY + "-1.wheel"), Duration.ofDays(31));
    Path recent = write(wheels.resolve(KEY + "-1-3.13.2.bytecode"), Duration.ofDays(29));
    Path killed = write(wheels.resolve(".draft-1.tmp"), Duration.ofDays(2));
    Path beingWritten = write(wheels.resolve(".draft-2.tmp"), Duration.ofHours(1));
    Path classes = write(place().resolve("classes").resolve(KEY + ".zip"), Duration.ofDays(31));
    Path anothers = write(place().resolve("classes/photos.zip"), Duration.ofDays(99));
    Path stamp = place().resolve("last-cleaned");
    CacheHome cache = another();
    cache.open();
    assertTrue(Files.exists(unused), "cleaned once a day");
    assertEquals(5000, cache.size());

    write(stamp, Duration.ofDays(2));
    another().open();
    for (Path gone : List.of(unused, killed, classes)) {
      assertTrue(Files.notExists(gone), gone::toString);
    }
    for (Path left : List.of(recent, beingWritten, anothers)) {
      assertTrue(Files.exists(left), left::toString);
    }
  }

  @Test
  void whatIsUsedStays() throws Exception {
    CacheHome cache = CacheHome.at(place());
    Path file = write(cache.file(Kind.WHEEL, KEY), Duration.ofDays(29));
    assertEquals(file, cache.file(Kind.WHEEL, KEY));
    assertTrue(Files.getLastModifiedTime(file).toInstant().isAfter(Instant.now().minusSeconds(60)));
  }

  @Test
  void imagesAreFew() throws Exception {
    CacheHome cache = CacheHome.at(place());
    for (int i = 0; i < 12; i++) {
      write(cache.file(Kind.IMAGE, KEY.replace("0", "" + i % 10) + i), Duration.ofMinutes(i));
    }
    cache.deleteOldImages();
    try (Stream<Path> images = Files.list(place().resolve("images"))) {
      assertEquals(8, images.count());
    }
    assertTrue(Files.exists(cache.file(Kind.IMAGE, KEY + "0")), "the newest stay");
  }
}
