package io.pyrunr.dashboard.internal.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pyrunr.dashboard.internal.http.AccessToken;
import io.pyrunr.dashboard.internal.server.UrlFile;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/** Talks to the HTTP interface of a running server. */
final class ServerConnection {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);
  private static final int FIRST_PAUSE_MILLIS = 20;
  private static final int LONGEST_PAUSE_MILLIS = 500;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  private final URI url;
  private final String token;

  private ServerConnection(URI url, String token) {
    this.url = url;
    this.token = token;
  }

  static ServerConnection fromDataDirectory(Path directory) throws IOException {
    try {
      String token = AccessToken.read(directory);
      URI url =
          UrlFile.in(directory)
              .read()
              .orElseThrow(
                  () ->
                      new IOException(
                          "no server is running in "
                              + directory
                              + "; start one with 'pyrunr serve'"));
      return new ServerConnection(url, token);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "no server has used the folder "
              + directory
              + "; start one with 'pyrunr serve' or name its folder with --data",
          e);
    }
  }

  static ServerConnection fromEnvironment(String url) {
    URI address = address(url.endsWith("/") ? url : url + "/");
    String token = System.getenv("PYRUNR_TOKEN");
    if (token == null || token.isBlank()) {
      throw new UsageException("--url needs the server's token in the environment: PYRUNR_TOKEN");
    }
    return new ServerConnection(address, token.strip());
  }

  private static URI address(String url) {
    try {
      URI address = new URI(url);
      if (List.of("http", "https").contains(address.getScheme()) && address.getHost() != null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Nor is it an address then.
    }
    throw new UsageException("--url is no address; write it like http://127.0.0.1:8000");
  }

  /** Enqueues a job and returns its id. */
  String submit(String jobJson) throws IOException, InterruptedException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(url.resolve("/api/pyrunr/jobs"))
                .POST(BodyPublishers.ofString(jobJson)));
    return JSON.readTree(response.body()).path("id").asText();
  }

  /** How a job ended. */
  record Ending(boolean succeeded, String line) {}

  /** Waits until a job has ended for good, however long that takes. */
  Ending waitFor(String id) throws IOException, InterruptedException {
    int pause = FIRST_PAUSE_MILLIS;
    while (true) {
      String body = send(HttpRequest.newBuilder(url.resolve("/api/pyrunr/jobs/" + id))).body();
      JsonNode job = JSON.readTree(body);
      switch (job.path("state").asText()) {
        case "SUCCEEDED" -> {
          return new Ending(true, body.strip());
        }
        case "FAILED", "DELETED" -> {
          return new Ending(false, body.strip());
        }
        default -> {
          Thread.sleep(pause);
          pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
        }
      }
    }
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<String> response;
    try {
      response =
          client.send(
              request
                  .timeout(ANSWER_TIMEOUT)
                  .header("Authorization", "Bearer " + token)
                  .header("Content-Type", "application/json")
                  .build(),
              BodyHandlers.ofString());
    } catch (ConnectException e) {
      throw new IOException("no server answers at " + url + "; start one with 'pyrunr serve'", e);
    } catch (HttpTimeoutException | SSLException e) {
      String hint =
          url.getScheme().equals("https")
              ? "; 'pyrunr serve' itself speaks http, for https it needs a proxy in front"
              : "";
      throw new IOException("no answer from " + url + " (" + e.getMessage() + ")" + hint, e);
    }
    if (response.statusCode() == 401) {
      throw new IOException("the server at " + url + " does not know this token");
    }
    if (response.statusCode() >= 300) {
      throw new IOException(
          "the server at " + url + " refused: " + errorOf(response.body(), response.statusCode()));
    }
    return response;
  }

  private static String errorOf(String body, int status) {
    try {
      return JSON.readTree(body).path("error").asText("status " + status);
    } catch (IOException e) {
      return "status " + status;
    }
  }
}
