package io.pyrunr.dashboard.internal.server;

import io.pyrunr.dashboard.internal.files.PrivateFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** Tells {@code pyrunr submit} where the server of a data folder listens. */
public record UrlFile(Path file) {

  public static UrlFile in(Path dataDirectory) {
    return new UrlFile(dataDirectory.toAbsolutePath().resolve("url"));
  }

  void write(URI url) throws IOException {
    PrivateFiles.write(file, url + "\n");
  }

  /** The server's address, or empty if none has started or the last one stopped in order. */
  public Optional<URI> read() throws IOException {
    try {
      return Optional.of(URI.create(Files.readString(file).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LoggerFactory.getLogger(UrlFile.class).debug("{} stays", file, e);
    }
  }
}
