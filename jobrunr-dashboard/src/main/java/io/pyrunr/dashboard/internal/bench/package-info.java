/**
 * {@code pyrunr bench}: how fast Python runs here, beside the same Pyodide under Node and beside
 * native Python where these are at hand. They are only measured, never used.
 */
package io.pyrunr.dashboard.internal.bench;
