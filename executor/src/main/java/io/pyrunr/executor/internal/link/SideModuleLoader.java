package io.pyrunr.executor.internal.link;

import io.pyrunr.executor.internal.emscripten.FunctionTypes;
import java.io.IOException;

/**
 * Loads the classes of one side module. Those of function types are shared by all modules, see
 * {@link FunctionTypes}.
 */
final class SideModuleLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private final SideModuleStore.ClassFiles files;

  SideModuleLoader(SideModuleStore.ClassFiles files) {
    super(FunctionTypes.SHARED);
    this.files = files;
  }

  /**
   * The module's own classes are nowhere else. To ask the parent first takes two exceptions per
   * class, and each walks the whole stack of the Python that imports.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(SideModuleStore.MACHINE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] file;
    try {
      file = files.classFile(name);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    if (file == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, file, 0, file.length);
  }
}
