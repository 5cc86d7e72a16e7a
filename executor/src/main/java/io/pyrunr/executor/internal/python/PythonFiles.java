package io.pyrunr.executor.internal.python;

import io.pyrunr.dist.Layout;
import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.fs.Device;
import io.pyrunr.executor.internal.fs.FileName;
import io.pyrunr.executor.internal.fs.VirtualFileSystem;
import java.security.SecureRandom;
import java.util.List;

/** Where a Pyodide expects its files, devices and environment. */
public final class PythonFiles {
  static final String HOME = "/home/pyodide";

  /** As Pyodide sets it; nothing of the host's environment is in it. */
  static final List<String> ENVIRONMENT =
      List.of(
          "USER=web_user",
          "LOGNAME=web_user",
          "PATH=/",
          "PWD=/",
          "HOME=" + HOME,
          "LANG=C.UTF-8",
          "_=./this.program",
          "PYTHONINSPECT=1");

  private PythonFiles() {}

  /** Starts a base layer with the standard library and the folders Python looks for. */
  public static BaseLayer.Builder base(PyodideDistribution distribution) {
    Layout layout = distribution.layout();
    String[] version = layout.pythonVersion().split("\\.", -1);
    String library = "/lib/python" + version[0] + "." + version[1];
    return BaseLayer.builder()
        .file(StandardLibrary.path(distribution), StandardLibrary.of(distribution).content())
        .folder(library + "/site-packages", 0755)
        .folder(library + "/lib-dynload", 0755)
        .folder(HOME, 0755);
  }

  /**
   * Makes a file system for one interpreter: devices, an empty standard input, standard output and
   * error that go to the devices given.
   */
  public static VirtualFileSystem mount(BaseLayer base, Device output, Device error) {
    VirtualFileSystem files = new VirtualFileSystem(base);
    files.host().makeDirectories("/tmp", 01777);
    files.host().makeDirectories("/dev/shm", 01777);
    files.host().registerDevice("/dev/null", Device.NULL);
    files.host().registerDevice("/dev/zero", Device.ZERO);
    Device random = random();
    files.host().registerDevice("/dev/random", random);
    files.host().registerDevice("/dev/urandom", random);
    files.host().registerDevice("/dev/tty", Device.ABSENT);
    files.host().registerDevice("/dev/stdin", new Device() {});
    files.host().registerDevice("/dev/stdout", output);
    files.host().registerDevice("/dev/stderr", error);
    files.host().openStandardStreams();
    files.changeDirectory(FileName.wire(HOME));
    return files;
  }

  private static Device random() {
    SecureRandom random = new SecureRandom();
    return new Device() {
      @Override
      public int read(byte[] target, int offset, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        System.arraycopy(bytes, 0, target, offset, length);
        return length;
      }

      @Override
      public boolean seekable() {
        return true;
      }
    };
  }
}
