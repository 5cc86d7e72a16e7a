package io.pyrunr.dashboard.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A headless Chromium, driven over the WebDriver protocol (https://www.w3.org/TR/webdriver2/): six
 * commands of it are all these tests need.
 */
final class Browser implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> ARGUMENTS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--disable-dev-shm-usage",
          "--window-size=1280,1000");

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process driver;
  private final URI url;
  private String session;

  private Browser(Process driver, URI url) {
    this.driver = driver;
    this.url = url;
  }

  /** Starts a browser with an empty profile in a folder. */
  static Browser start(Path profile) throws IOException, InterruptedException {
    int port;
    try (var probe = new ServerSocket(0)) {
      port = probe.getLocalPort();
    }
    Process driver =
        new ProcessBuilder("chromedriver", "--port=" + port)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectErrorStream(true)
            .start();
    var browser = new Browser(driver, URI.create("http://127.0.0.1:" + port));
    try {
      browser.open(profile);
      return browser;
    } catch (IOException | InterruptedException | RuntimeException e) {
      browser.close();
      throw e;
    }
  }

  void go(URI address) throws IOException, InterruptedException {
    command("POST", "/url", JSON.createObjectNode().put("url", address.toString()));
  }

  URI address() throws IOException, InterruptedException {
    return URI.create(command("GET", "/url", null).asText());
  }

  /** The page's text as a reader sees it: none while only its head has arrived. */
  private String text() throws IOException, InterruptedException {
    return run("return document.body?.innerText ?? ''").asText();
  }

  JsonNode run(String script) throws IOException, InterruptedException {
    ObjectNode body = JSON.createObjectNode().put("script", script);
    body.putArray("args");
    return command("POST", "/execute/sync", body);
  }

  /** Waits until the page shows all of these texts and returns its text. */
  String awaitText(String... expected) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (true) {
      String text = text();
      if (List.of(expected).stream().allMatch(text::contains)) {
        return text;
      }
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("not shown: " + List.of(expected) + " in:\n" + text);
      }
      Thread.sleep(200);
    }
  }

  /** Messages of the browser's console since the last call. */
  List<String> console() throws IOException, InterruptedException {
    return log("browser");
  }

  /** What pages have asked for, or tried to, since the last call. */
  List<URI> requests() throws IOException, InterruptedException {
    List<URI> requests = new ArrayList<>();
    for (String text : log("performance")) {
      JsonNode event = JSON.readTree(text).path("message");
      if (event.path("method").asText().equals("Network.requestWillBeSent")) {
        requests.add(URI.create(event.at("/params/request/url").asText()));
      }
    }
    return requests;
  }

  private List<String> log(String type) throws IOException, InterruptedException {
    List<String> messages = new ArrayList<>();
    JsonNode log = command("POST", "/se/log", JSON.createObjectNode().put("type", type));
    log.forEach(entry -> messages.add(entry.path("message").asText()));
    return messages;
  }

  void screenshot(Path file) throws IOException, InterruptedException {
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(command("GET", "/screenshot", null).asText()));
  }

  @Override
  public void close() {
    try {
      if (session != null) {
        command("DELETE", "", null);
      }
    } catch (IOException e) {
      // The driver is ended below all the same.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      driver.descendants().forEach(ProcessHandle::destroy);
      driver.destroy();
    }
  }

  private void open(Path profile) throws IOException, InterruptedException {
    awaitDriver();
    ObjectNode body = JSON.createObjectNode();
    ObjectNode always = body.putObject("capabilities").putObject("alwaysMatch");
    always.putObject("goog:loggingPrefs").put("browser", "ALL").put("performance", "ALL");
    var arguments = always.putObject("goog:chromeOptions").putArray("args");
    ARGUMENTS.forEach(arguments::add);
    arguments.add("--user-data-dir=" + profile + File.separator + "profile");
    session = send("POST", "/session", body).path("sessionId").asText();
  }

  private void awaitDriver() throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        send("GET", "/status", null);
        return;
      } catch (IOException e) {
        if (!driver.isAlive() || Instant.now().isAfter(deadline)) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private JsonNode command(String method, String path, JsonNode body)
      throws IOException, InterruptedException {
    return send(method, "/session/" + session + path, body);
  }

  private JsonNode send(String method, String path, JsonNode body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(path))
            .header("Content-Type", "application/json")
            .timeout(PATIENCE)
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()))
            .build();
    var response = client.send(request, BodyHandlers.ofString());
    JsonNode value = JSON.readTree(response.body()).path("value");
    if (response.statusCode() != 200) {
      throw new IOException(method + " " + path + ": " + value.path("message").asText());
    }
    return value;
  }
}
