package io.pyrunr.executor.internal.wheels;

import io.pyrunr.dist.PyodideDistribution;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.io.WholeFile;
import io.pyrunr.executor.internal.packaging.PackageName;
import io.pyrunr.executor.internal.wheels.archive.PackageLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Fetches packages of {@code pyodide-lock.json} from a mirror or a folder, on an administrator's
 * command. A file gets its name when its hash is right.
 */
public final class WheelDownload {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final long LARGEST = 512L << 20;
  private static final int HIGHEST_PORT = 65_535;

  private final PackageLock lock;
  private final URI address;
  private final Path source;
  private final Consumer<String> progress;
  private HttpClient client;

  /**
   * Prepares a download.
   *
   * @param from address or folder
   * @throws IllegalArgumentException if it is neither
   */
  public WheelDownload(PyodideDistribution distribution, String from, Consumer<String> progress) {
    this(new PackageLock(distribution.lockFile()), from, progress);
  }

  WheelDownload(PackageLock lock, String from, Consumer<String> progress) {
    this.lock = lock;
    this.progress = progress;
    if (from.matches("(?i)https?://.*")) {
      address = address(from.endsWith("/") ? from : from + "/");
      source = null;
    } else {
      address = null;
      source = folder(from);
    }
  }

  private static URI address(String text) {
    URI address = URI.create("");
    try {
      address = new URI(text);
    } catch (URISyntaxException e) {
      // Then it has no host either.
    }
    if (address.getHost() == null || address.getPort() > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          text + " is no address; write it like https://example.org/pyodide/");
    }
    return address;
  }

  private static Path folder(String text) {
    try {
      Path folder = text.startsWith("file:") ? Path.of(URI.create(text)) : Path.of(text);
      if (Files.isDirectory(folder)) {
        return folder;
      }
    } catch (IllegalArgumentException e) {
      // An address of no file.
    }
    throw new IllegalArgumentException(
        text + " is neither an http(s) address nor a folder; name a mirror of Pyodide's files");
  }

  /** Fetches what is not there yet. */
  public List<Path> to(Path folder, List<String> names) throws IOException, InterruptedException {
    List<PackageLock.Entry> closure = closure(names);
    Files.createDirectories(folder);
    List<Path> files = new ArrayList<>();
    for (PackageLock.Entry entry : closure) {
      Path file = folder.resolve(entry.fileName());
      if (Files.isRegularFile(file)
          && Digests.sha256(Files.readAllBytes(file)).equals(entry.sha256())) {
        progress.accept(entry.fileName() + " is there");
      } else {
        fetch(entry, file);
        progress.accept(entry.fileName() + " added, " + (Files.size(file) + 512) / 1024 + " KB");
      }
      files.add(file);
    }
    return files;
  }

  private List<PackageLock.Entry> closure(List<String> names) {
    Map<String, PackageLock.Entry> closure = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>();
    for (String name : names) {
      if (lock.named(PackageName.normalize(name)) == null) {
        throw new IllegalArgumentException(
            "pyodide-lock.json has no package '"
                + name
                + "'; wheels of pure Python can be put into the folder by hand");
      }
      open.add(PackageName.normalize(name));
    }
    while (!open.isEmpty()) {
      PackageLock.Entry entry = lock.named(open.remove());
      if (entry != null && closure.putIfAbsent(entry.name(), entry) == null) {
        open.addAll(entry.depends());
      }
    }
    return List.copyOf(closure.values());
  }

  private void fetch(PackageLock.Entry entry, Path file) throws IOException, InterruptedException {
    // No .whl: whoever watches the folder must not take it for one.
    Path draft = WholeFile.draft(file.getParent());
    try {
      MessageDigest digest = Digests.of("SHA-256");
      try (InputStream in = open(entry);
          OutputStream out = new DigestOutputStream(Files.newOutputStream(draft), digest)) {
        byte[] buffer = new byte[1 << 16];
        long total = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          total += count;
          if (total > LARGEST) {
            throw new IOException(entry.fileName() + " is over 512 MB; that is not the right file");
          }
          out.write(buffer, 0, count);
        }
      }
      if (!HexFormat.of().formatHex(digest.digest()).equals(entry.sha256())) {
        throw new IOException(
            entry.fileName()
                + " from "
                + from()
                + " is not the file of pyodide-lock.json (SHA-256 differs); use another mirror");
      }
      WholeFile.name(draft, file);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private Object from() {
    return address != null ? address : source;
  }

  private InputStream open(PackageLock.Entry entry) throws IOException, InterruptedException {
    if (source != null) {
      try {
        return Files.newInputStream(source.resolve(entry.fileName()));
      } catch (NoSuchFileException e) {
        throw new IOException(source + " has no " + entry.fileName(), e);
      }
    }
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .connectTimeout(PATIENCE)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
    }
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve(entry.fileName())).timeout(LONGEST).build();
    HttpResponse<InputStream> response;
    try {
      response = client.send(request, BodyHandlers.ofInputStream());
    } catch (ConnectException | HttpTimeoutException e) {
      throw new IOException(
          address + " cannot be reached; name a mirror or a folder with --from", e);
    }
    if (response.statusCode() != 200) {
      response.body().close();
      throw new IOException(
          request.uri()
              + " is answered with status "
              + response.statusCode()
              + "; is it a mirror of this Pyodide's files?");
    }
    return response.body();
  }
}
