package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.wheels.archive.WheelLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Notices wheels that come and go, by looking every so often: file system events do not reach
 * containers and network folders reliably, and looking at some dozens of files costs nothing.
 *
 * <p>A change is acted on when the folder has looked the same twice in a row, so that files being
 * copied are left alone.
 */
public final class WheelWatcher implements AutoCloseable {
  private final WheelFolders folders;
  private final Duration interval;
  private final Consumer<WheelSet> changed;
  private final Thread thread;
  private Map<Path, WheelFolders.Stamp> seen;
  private String fingerprint;

  /**
   * Begins to watch.
   *
   * @param current what the last scan of the folders found
   * @param interval between two looks
   * @param changed told the new set, on the watcher's thread; what it throws is logged
   */
  public WheelWatcher(
      WheelFolders folders, WheelSet current, Duration interval, Consumer<WheelSet> changed) {
    this.folders = folders;
    this.interval = interval;
    this.changed = changed;
    fingerprint = current.fingerprint();
    thread = new Thread(this::watch, "pyrunr-wheels");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    Map<Path, WheelFolders.Stamp> last = Map.of();
    try {
      while (true) {
        Thread.sleep(interval.toMillis());
        Map<Path, WheelFolders.Stamp> now = folders.stamps();
        // The first look has nothing to compare with: wheels may have come since the first scan.
        if (!now.equals(seen) && now.equals(last)) {
          seen = now;
          rescan();
        }
        last = now;
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void rescan() {
    try {
      WheelSet set = folders.scanAndSay();
      if (!set.fingerprint().equals(fingerprint)) {
        fingerprint = set.fingerprint();
        changed.accept(set);
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      WheelLog.LOG.warn("the changed wheels cannot be used; jobs go on with those from before", e);
    }
  }

  /** Stops watching. A set that is being taken over at this moment is given up. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
