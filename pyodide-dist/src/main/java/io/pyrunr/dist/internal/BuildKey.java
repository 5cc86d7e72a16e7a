package io.pyrunr.dist.internal;

import io.pyrunr.wasm.internal.jvm.ChicoryBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Everything a build's outcome depends on: upstream's files and the tool chain's own classes. */
record BuildKey(String wasmSha256, String text) {

  static BuildKey of(byte[] wasm, List<Path> shipped) throws IOException {
    MessageDigest all = sha256();
    all.update(wasm);
    for (Path file : shipped) {
      all.update(Files.readAllBytes(file));
    }
    for (Path classFile : ownClasses()) {
      all.update(Files.readAllBytes(classFile));
    }
    all.update(ChicoryBackend.version().getBytes(StandardCharsets.UTF_8));
    return new BuildKey(sha256(wasm), hex(all.digest()));
  }

  private static List<Path> ownClasses() {
    try {
      Path classes =
          Path.of(BuildKey.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (Stream<Path> files = Files.walk(classes.resolve("io/pyrunr"))) {
        return files
            .filter(file -> file.toString().endsWith(".class"))
            .filter(file -> !file.toString().contains("generated"))
            .sorted()
            .toList();
      }
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hexadecimal SHA-256. */
  static String sha256(byte[] bytes) {
    return hex(sha256().digest(bytes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  private static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }
}
