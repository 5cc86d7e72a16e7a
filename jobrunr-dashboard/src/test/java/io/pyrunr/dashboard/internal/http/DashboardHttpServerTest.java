package io.pyrunr.dashboard.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dashboard.HostileInputTest;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.storage.InMemoryStorageProvider;
import org.jobrunr.storage.JobNotFoundException;
import org.jobrunr.utils.mapper.jackson.JacksonJsonMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The door of the server, tried from outside over real sockets. */
class DashboardHttpServerTest {
  @TempDir Path folder;

  private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
  private final StoredJobs jobs = new StoredJobs();
  private AccessToken token;
  private DashboardHttpServer server;
  private RawHttp http;

  @BeforeEach
  void start() throws IOException {
    var mapper = new JacksonJsonMapper();
    storage.setJobMapper(new JobMapper(mapper));
    token = AccessToken.in(folder);
    server = DashboardHttpServer.bind("127.0.0.1", 0, token, storage, mapper, jobs);
    server.start();
    http = new RawHttp(server.url());
  }

  @AfterEach
  void stop() {
    server.close();
    storage.close();
  }

  /** 192.0.2.0/24 and 2001:db8::/32 are for documentation, nobody's (RFC 5737, RFC 3849). */
  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
  void listensOnAddressesOfThisMachineOnly(String host) {
    String refusal =
        assertThrows(
                IOException.class,
                () ->
                    DashboardHttpServer.bind(
                        host, 0, token, storage, new JacksonJsonMapper(), jobs))
            .getMessage();
    assertTrue(refusal.endsWith("give an address of this one"), refusal);
  }

  @Test
  void listensOnLoopbackOnly() throws IOException {
    assertTrue(InetAddress.getByName(server.url().getHost()).isLoopbackAddress());
    // Bound to the wildcard address, the port would be taken here.
    try (var other =
        new ServerSocket(server.url().getPort(), 1, InetAddress.getByName("127.0.0.2"))) {
      assertTrue(other.isBound());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/", "/dashboard", "/dashboard/overview", "/dashboard/static/js/index.js", "/api/jobs",
        "/api/version", "/api/servers", "/sse/jobstats", "/api/pyrunr/jobs/x", "/nothing"
      })
  void withoutTheTokenThereIsNothing(String path) throws IOException {
    assertEquals(401, http.get(path).status());
    assertEquals(401, http.get(path, "Authorization: Bearer " + "x".repeat(43)).status());
    assertEquals(401, http.get(path, "Authorization: Basic " + token.text()).status());
    assertEquals(401, http.get(path, "Cookie: " + cookieName() + "=" + token.text()).status());
    assertEquals(401, http.get(path, "Cookie: " + cookieName() + "=9999999999.abc").status());
    assertEquals(401, http.get(path, "Cookie: " + cookieName() + "=.").status());
  }

  @Test
  void withTheTokenThereIsTheDashboard() throws IOException {
    assertEquals(302, http.get("/", bearer()).status());
    var page = http.get("/dashboard/overview", bearer());
    assertEquals(200, page.status());
    assertTrue(page.body().contains("JobRunr"));
    assertEquals(200, http.get("/api/version", bearer()).status());
  }

  @Test
  void theTokenIsTradedForACookieThatScriptsAndOtherSitesCannotUse() throws IOException {
    var page = http.get("/login?token=" + token.text());
    assertEquals(200, page.status());
    String cookie = page.header("Set-Cookie").get(0);
    assertTrue(cookie.contains("HttpOnly"), cookie);
    assertTrue(cookie.contains("SameSite=Strict"), cookie);
    assertFalse(cookie.contains(token.text()), "the token itself must not be stored");
    assertEquals(
        200,
        http.get("/api/version", "Cookie: " + cookie.substring(0, cookie.indexOf(';'))).status());
    assertEquals(
        200,
        http.get("/api/version", "Cookie: a=b; " + cookie.substring(0, cookie.indexOf(';')))
            .status());
  }

  @Test
  void aFormTakesTheTokenToo() throws IOException {
    assertTrue(http.get("/login").body().contains("<form"));
    var page = http.send("POST", "/login", http.host(), "token=" + token.text(), origin());
    assertEquals(1, page.header("Set-Cookie").size());
    var wrong = http.send("POST", "/login", http.host(), "token=nonsense", origin());
    assertEquals(403, wrong.status());
    assertEquals(List.of(), wrong.header("Set-Cookie"));
    assertEquals(403, http.send("POST", "/login", http.host(), "token=%zz", origin()).status());
  }

  /** A page of evil.example whose name has been pointed at 127.0.0.1. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "a b",
        "",
        "@127.0.0.1"
      })
  void answersToNoOtherName(String host) throws IOException {
    assertEquals(403, http.send("GET", "/dashboard", host, "", bearer()).status());
    assertEquals(403, http.send("GET", "/login?token=" + token.text(), host, "").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST:80", "[::1]:8000", "127.0.0.1:9"})
  void answersToItsOwnNames(String host) throws IOException {
    assertEquals(200, http.send("GET", "/api/version", host, "", bearer()).status());
  }

  @Test
  void aHostMustBeNamedOnce() throws IOException {
    assertTrue(http.send("GET", "/api/version", null, "", bearer()).status() >= 400);
    assertTrue(http.get("/api/version", bearer(), "Host: evil.example").status() >= 400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://evil.example", "null", "http://127.0.0.1:1", "https://evil.example:8000"})
  void otherSitesCanDoNothingWithAVisitorsLogin(String origin) throws IOException {
    UUID id = jobs.submit(PythonJobRequest.of("1"));
    for (String credentials : List.of(cookie(), bearer())) {
      for (String method : List.of("GET", "POST", "DELETE")) {
        var answer =
            http.send(method, "/api/jobs/" + id, http.host(), "", credentials, "Origin: " + origin);
        assertEquals(403, answer.status(), method);
      }
      assertEquals(
          403,
          http.send(
                  "POST",
                  "/api/pyrunr/jobs",
                  http.host(),
                  "{\"code\":\"1\"}",
                  credentials,
                  "Origin: " + origin)
              .status());
    }
    assertEquals(StateName.ENQUEUED, storage.getJobById(id).getState());
    assertEquals(
        List.of(), http.get("/api/version", cookie()).header("Access-Control-Allow-Origin"));
  }

  @Test
  void aChangeFromABrowserMustSayItsOrigin() throws Exception {
    UUID id = jobs.submit(PythonJobRequest.of("1"));
    String path = "/api/jobs/" + id;
    assertEquals(403, http.send("DELETE", path, http.host(), "", cookie()).status());
    assertEquals(204, http.send("DELETE", path, http.host(), "", cookie(), origin()).status());
    assertEquals(StateName.DELETED, storage.getJobById(id).getState());
    assertEquals(id, jobs.stopped.get(10, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dashboard/../../../../../../etc/passwd",
        "/dashboard/static/../../../../../../logback.xml",
        "/dashboard/%2e%2e/%2e%2e/logback.xml",
        "/dashboard/..%2f..%2flogback.xml",
        "/dashboard/..\\..\\logback.xml",
        "/dashboard/%5c..%5clogback.xml",
        "/dashboard//etc/passwd",
        "/dashboard/static/.hidden",
        "//evil.example/dashboard",
        "/dashboard/%00.js",
        "/dashboard/static/;/../x.js"
      })
  void pathsStayInside(String path) throws IOException {
    assertEquals(400, http.get(path, bearer()).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"OPTIONS", "PUT", "TRACE", "PATCH", "CONNECT"})
  void otherMethodsAreRefused(String method) throws IOException {
    assertTrue(http.send(method, "/api/version", http.host(), "", bearer()).status() >= 400);
  }

  @Test
  void pagesMayTalkToThisServerOnly() throws IOException {
    for (String path : List.of("/dashboard/overview", "/login", "/nothing")) {
      var answer = http.get(path, bearer());
      String policy = String.join("\n", answer.header("Content-Security-Policy"));
      assertTrue(policy.contains("connect-src 'self'"), policy);
      assertTrue(policy.contains("frame-ancestors 'none'"), policy);
      assertEquals(List.of("nosniff"), answer.header("X-Content-Type-Options"));
    }
    assertTrue(
        http.get("/api/version", bearer()).body().contains("\"allowAnonymousDataUsage\":false"));
  }

  @Test
  void takesAJobAndTellsAboutIt() throws IOException {
    var created =
        http.send(
            "POST",
            "/api/pyrunr/jobs",
            http.host(),
            "{\"name\":\"n\",\"code\":\"1\",\"params\":{\"x\":-0.0},\"timeoutMs\":99,"
                + "\"requires\":[\"numpy>=2\"]}",
            bearer());
    assertEquals(201, created.status());
    assertEquals(
        PythonJobRequest.of("1")
            .withName("n")
            .withParamsJson("{\"x\":-0.0}")
            .withWallTime(java.time.Duration.ofMillis(99))
            .withRequires(java.util.List.of("numpy>=2")),
        jobs.submitted);
    String location = created.header("Location").get(0);
    var told = http.get(location, bearer());
    assertEquals(200, told.status());
    assertTrue(told.body().contains("\"state\":\"ENQUEUED\",\"result\":null"), told.body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|not valid JSON",
        "[]|a job is a JSON object",
        "{}|no \\\"code\\\"",
        "{\"code\":1}|must be a string",
        "{\"code\":\"1\",\"x\":1}|unknown field",
        "{\"code\":\"1\",\"id\":\"mine\"}|unknown field",
        "{\"code\":\"1\",\"requires\":\"numpy\"}|array of strings",
        "{\"code\":\"1\",\"timeoutMs\":0}|whole number from 1"
      })
  void refusesWhatIsNoJob(String body, String reason) throws IOException {
    var answer =
        http.send("POST", "/api/pyrunr/jobs", http.host(), body == null ? "{" : body, bearer());
    assertEquals(400, answer.status());
    assertTrue(answer.body().contains(reason), answer.body());
    assertEquals(404, http.get("/api/pyrunr/jobs/nonsense", bearer()).status());
    assertEquals(404, http.get("/api/pyrunr/jobs/" + new UUID(0, 1), bearer()).status());
  }

  /** Ours and JobRunr's, which answer what they do not understand with an exception's text. */
  @Test
  void whatIsWrongIsSaidInPlainWords() throws IOException {
    for (String json : HostileInputTest.badJson().toList()) {
      for (String body : List.of(json, "{\"code\":\"1\",\"params\":" + json + "}")) {
        var answer = http.send("POST", "/api/pyrunr/jobs", http.host(), body, bearer());
        assertEquals(400, answer.status(), body);
        HostileInputTest.assertPlain(answer.body());
      }
    }
    for (String path :
        List.of(
            "/api/jobs?state=NOPE",
            "/api/jobs?state=FAILED&offset=x",
            "/api/jobs?state=FAILED&limit=-1",
            "/api/jobs?state=FAILED&limit=99999999999",
            "/api/jobs?state=FAILED&order=;drop",
            "/api/jobs?state=FAILED&updatedAt=x",
            "/api/jobs/x",
            "/api/jobs/" + new UUID(0, 1),
            "/api/jobs",
            "/api/recurring-jobs?limit=x",
            "/api/servers/x",
            "/api/problems/x",
            "/api/nonsense",
            "/sse/nonsense",
            "/login?token=%zz",
            "/api/pyrunr/jobs/%zz",
            "/api/pyrunr/jobs/x/y")) {
      for (String method : List.of("GET", "POST", "DELETE", "PUT")) {
        var answer = http.send(method, path, http.host(), "{", bearer(), origin());
        HostileInputTest.assertPlain(answer.body());
      }
    }
  }

  private String bearer() {
    return "Authorization: Bearer " + token.text();
  }

  private String cookie() {
    return "Cookie: " + cookieName() + "=" + token.newLogin();
  }

  private String origin() {
    return "Origin: http://" + http.host();
  }

  private String cookieName() {
    return "pyrunr_" + server.url().getPort();
  }

  /** Jobs that are stored but not run: here the door is tested, not the house. */
  private final class StoredJobs implements JobControl {
    private PythonJobRequest submitted;

    /** A running job is stopped after the answer, so whoever waits for the answer is too early. */
    private final CompletableFuture<UUID> stopped = new CompletableFuture<>();

    @Override
    public UUID submit(PythonJobRequest request) {
      submitted = request;
      return new JobRequestScheduler(storage).enqueue(request).asUUID();
    }

    @Override
    public Optional<Job> find(UUID id) {
      try {
        return Optional.of(storage.getJobById(id));
      } catch (JobNotFoundException e) {
        return Optional.empty();
      }
    }

    @Override
    public Optional<PythonResult> result(UUID id) {
      return Optional.empty();
    }

    @Override
    public void nudge() {}

    @Override
    public void stopRunning(UUID id) {
      stopped.complete(id);
    }
  }
}
