package io.pyrunr.executor.internal.runtime;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.wasm.jvm.Signature;
import java.io.IOException;

/**
 * Loads the classes of one side module. Those of function types are shared by all modules: they
 * come from the main module's jar, or are made from their names.
 */
final class SideModuleClasses extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final ClassLoader SIGNATURES = new Signatures();

  private final SideModules.ClassFiles files;

  SideModuleClasses(SideModules.ClassFiles files) {
    super(SIGNATURES);
    this.files = files;
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

  private static final class Signatures extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    Signatures() {
      super(PyodideDistribution.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!Signature.isClassName(name)) {
        throw new ClassNotFoundException(name);
      }
      byte[] file = Signature.ofClassName(name).classFile();
      return defineClass(name, file, 0, file.length);
    }
  }
}
