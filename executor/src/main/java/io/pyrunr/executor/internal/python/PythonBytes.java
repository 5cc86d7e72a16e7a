package io.pyrunr.executor.internal.python;

/** Calls Python functions that take one {@code bytes} object and return another. */
public final class PythonBytes {
  private final PythonInstance runtime;

  public PythonBytes(PythonInstance runtime) {
    this.runtime = runtime;
  }

  /**
   * Calls a function.
   *
   * @param function address of a Python callable
   * @return address of the result, a new reference, or 0 if an exception was raised
   */
  public int call(int function, byte[] argument) {
    int object = (int) runtime.call("PyBytes_FromStringAndSize", 0, argument.length);
    if (object == 0) {
      return 0;
    }
    int data = (int) runtime.call("PyBytes_AsString", object);
    runtime.memory().write(data, argument, 0, argument.length);
    int result = (int) runtime.call("PyObject_CallOneArg", function, object);
    runtime.call("Py_DecRef", object);
    return result;
  }

  /** The contents of a bytes object, whose reference is given up. */
  public byte[] read(int object) {
    return read(object, Integer.MAX_VALUE);
  }

  /**
   * The contents of a bytes object, whose reference is given up.
   *
   * @param most bytes it may have
   */
  public byte[] read(int object, int most) {
    int data = (int) runtime.call("PyBytes_AsString", object);
    if (data == 0) {
      throw new BadReply("the interpreter gave a reply that is not bytes");
    }
    int size = (int) runtime.call("PyBytes_Size", object);
    if (size < 0 || size > most) {
      throw new BadReply("the interpreter's reply is larger than " + most + " bytes");
    }
    byte[] bytes = runtime.memory().readBytes(data, size);
    runtime.call("Py_DecRef", object);
    return bytes;
  }
}
