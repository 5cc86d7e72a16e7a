package io.pyrunr.executor.internal.wheels;

import io.pyrunr.executor.internal.fs.BaseLayer;
import java.util.List;

/**
 * A WebAssembly side module in a wheel.
 *
 * @param wheel name and version of the wheel, for messages
 * @param paths where interpreters see it: below {@code site-packages} if its wheel was chosen, and
 *     in the wheel's own folder
 * @param content its bytes, read when asked for
 */
public record SideModuleFile(String wheel, List<String> paths, BaseLayer.Content content) {

  /** The file's name, without folders. */
  public String name() {
    return paths.get(0).substring(paths.get(0).lastIndexOf('/') + 1);
  }
}
