package example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts {@code pyrunr.jar serve}, hands it a job and waits for the result. */
public final class Main {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern ID = Pattern.compile("\"id\" *: *\"([^\"]+)\"");
  private static final Pattern VALUE = Pattern.compile("\"value\" *: *6\\b");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;

  private Main(Path data) {
    this.data = data;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("pyrunr-http");
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                args[0],
                "serve",
                "--port",
                "0",
                "--data",
                data.toString(),
                "--workers",
                "1",
                "--no-warm-up")
            .inheritIO()
            .start();
    try {
      new Main(data).runAJob(server);
    } finally {
      server.destroy();
      server.waitFor();
    }
    System.out.println("it/http: all well");
  }

  private void runAJob(Process server) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!Files.exists(data.resolve("url"))) {
      pause(deadline, server);
    }
    URI jobs =
        URI.create(Files.readString(data.resolve("url")).strip()).resolve("/api/pyrunr/jobs");
    String answer =
        send(
            HttpRequest.newBuilder(jobs)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"code\":\"sum(params)\",\"params\":[1,2,3]}")));
    Matcher id = ID.matcher(answer);
    if (!id.find()) {
      throw new IllegalStateException("no id in " + answer);
    }
    URI job = URI.create(jobs + "/" + id.group(1));
    while (!VALUE.matcher(send(HttpRequest.newBuilder(job).GET())).find()) {
      pause(deadline, server);
    }
  }

  private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    String token = Files.readString(data.resolve("token")).strip();
    var response =
        http.send(
            request.header("Authorization", "Bearer " + token).timeout(PATIENCE).build(),
            BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  private static void pause(Instant deadline, Process server) throws InterruptedException {
    if (!server.isAlive() || Instant.now().isAfter(deadline)) {
      throw new IllegalStateException(server.isAlive() ? "nothing yet" : "the server has ended");
    }
    Thread.sleep(100);
  }
}
