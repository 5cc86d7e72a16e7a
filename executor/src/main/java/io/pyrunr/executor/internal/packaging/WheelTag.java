package io.pyrunr.executor.internal.packaging;

/**
 * For what a wheel was built (PEP 425).
 *
 * @param python such as {@code py3} or {@code cp313}
 * @param abi such as {@code none} or {@code cp313}
 * @param platform such as {@code any} or {@code pyodide_2025_0_wasm32}
 */
public record WheelTag(String python, String abi, String platform) {
  @Override
  public String toString() {
    return python + "-" + abi + "-" + platform;
  }
}
