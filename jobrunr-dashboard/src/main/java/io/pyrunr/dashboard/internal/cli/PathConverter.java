package io.pyrunr.dashboard.internal.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads paths; picocli's own converter answers with an exception's name. */
final class PathConverter implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + text + "' is no path");
    }
  }
}
