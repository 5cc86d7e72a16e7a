package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.pyrunr.executor.TestWheel;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.wheels.archive.PackageLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages from a mirror, here a server on the loopback interface. */
class WheelDownloadTest {
  @TempDir Path folder;

  private final Map<String, byte[]> served = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private HttpServer server;
  private PackageLock lock;

  @BeforeEach
  void start() throws IOException {
    String packages =
        Stream.of(entry("App", "1.0", "\"my_dep\""), entry("my-dep", "2.0", "\"app\""))
            .reduce((a, b) -> a + "," + b)
            .orElseThrow();
    lock = new PackageLock(("{\"info\":{},\"packages\":{" + packages + "}}").getBytes(UTF_8));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          asked.add(path);
          byte[] body = served.get(path.substring(path.lastIndexOf('/') + 1));
          if (path.startsWith("/old/")) {
            exchange.getResponseHeaders().set("Location", path.replace("/old/", "/full/"));
            exchange.sendResponseHeaders(302, -1);
          } else if (body == null) {
            exchange.sendResponseHeaders(404, -1);
          } else {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  private String entry(String name, String version, String depends) throws IOException {
    TestWheel wheel = TestWheel.simple(name, version);
    served.put(wheel.fileName(), wheel.bytes());
    return "\"%s\":{\"file_name\":\"%s\",\"sha256\":\"%s\",\"version\":\"%s\",\"depends\":[%s]}"
        .formatted(
            name.toLowerCase(Locale.ROOT),
            wheel.fileName(),
            Digests.sha256(wheel.bytes()),
            version,
            depends);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String address(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private List<Path> add(String from, String... names) throws Exception {
    return new WheelDownload(lock, from, told::add).to(folder, List.of(names));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aPackageComesWithAllItNeeds() throws Exception {
    assertEquals(2, add(address("/full"), "APP").size());
    assertEquals(List.of("App-1.0-py3-none-any.whl", "my_dep-2.0-py3-none-any.whl"), files());
    assertTrue(told.get(0).startsWith("App-1.0-py3-none-any.whl added"), told::toString);
    told.clear();
    asked.clear();
    add(address("/full/"), "app");
    assertEquals(List.of(), asked);
    assertTrue(told.get(0).endsWith("is there"), told::toString);
  }

  @Test
  void aFileThatIsNotTheRightOneIsFetchedAnew() throws Exception {
    Files.writeString(folder.resolve("App-1.0-py3-none-any.whl"), "half");
    add(address("/old/"), "app");
    assertTrue(Files.size(folder.resolve("App-1.0-py3-none-any.whl")) > 100);
  }

  @Test
  void aFolderWillDo() throws Exception {
    Path mirror = Files.createDirectory(folder.resolve("mirror"));
    for (Map.Entry<String, byte[]> file : served.entrySet()) {
      Files.write(mirror.resolve(file.getKey()), file.getValue());
    }
    assertEquals(2, add(mirror.toString(), "app").size());
    assertEquals(2, add(mirror.toUri().toString(), "app").size());
    Files.delete(mirror.resolve("my_dep-2.0-py3-none-any.whl"));
    Files.delete(folder.resolve("my_dep-2.0-py3-none-any.whl"));
    assertTrue(failure(mirror.toString()).contains("has no my_dep-2.0-py3-none-any.whl"));
  }

  private String failure(String from) {
    return assertThrows(IOException.class, () -> add(from, "app")).getMessage();
  }

  @Test
  void whatGoesWrongIsSaid() throws Exception {
    served.put("my_dep-2.0-py3-none-any.whl", "another file".getBytes(UTF_8));
    assertTrue(failure(address("/full/")).contains("SHA-256 differs"));
    served.remove("my_dep-2.0-py3-none-any.whl");
    assertTrue(failure(address("/full/")).contains("status 404"));
    assertEquals(List.of("App-1.0-py3-none-any.whl"), files());
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    assertTrue(failure("http://127.0.0.1:" + free).contains("cannot be reached"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> add(address("/"), "gone"))
            .getMessage()
            .contains("no package 'gone'"));
    assertThrows(IllegalArgumentException.class, () -> add("ftp://a/b", "app"));
  }
}
