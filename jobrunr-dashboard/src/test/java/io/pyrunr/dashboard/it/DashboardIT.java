package io.pyrunr.dashboard.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pyrunr.dashboard.internal.server.JobServer;
import io.pyrunr.dashboard.it.Requires.Service;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobrunr.jobs.states.StateName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard as a person sees it, in a real browser. */
@Requires(Service.BROWSER)
class DashboardIT {
  private static final Path SCREENSHOTS =
      Path.of(System.getProperty("pyrunr.screenshots", "target/screenshots"));

  @TempDir Path folder;

  private JobServer server;
  private Browser browser;

  @RegisterExtension
  final AfterTestExecutionCallback screenshotOnFailure =
      context -> {
        if (context.getExecutionException().isPresent() && browser != null) {
          browser.screenshot(
              SCREENSHOTS.resolve(context.getRequiredTestMethod().getName() + ".png"));
        }
      };

  @BeforeEach
  void start() throws IOException, InterruptedException {
    server = Servers.start(folder.resolve("data"));
    browser = Browser.start(folder);
  }

  @AfterEach
  void stop() {
    browser.close();
    server.close();
  }

  @Test
  void theLinkLogsInAndNothingElseDoes() throws Exception {
    browser.go(server.url().resolve("/dashboard/overview"));
    browser.awaitText("Token", "Log in");
    browser.go(server.loginUrl());
    browser.awaitText("DASHBOARD", "RECURRING JOBS");
    assertEquals("/dashboard/overview", browser.address().getPath());
    assertEquals("", browser.run("return document.cookie").asText(), "scripts see no cookie");
  }

  /** JobRunr's pages ask their vendor for news; here they do not even try. */
  @Test
  void everyPageIsQuietAndAsksNobodyElse() throws Exception {
    UUID id = server.submit(PythonJobRequest.of("41 + 1"));
    Servers.await(server, id, StateName.SUCCEEDED);
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("/login", "Log in");
    pages.put(server.loginUrl().toString(), "DASHBOARD");
    pages.put("/dashboard/overview", "JobRunr " + Servers.jobRunrVersion());
    pages.put("/dashboard", "DASHBOARD");
    pages.put("/dashboard/jobs?state=SUCCEEDED", "41 + 1");
    pages.put("/dashboard/jobs/" + id, "Job Processing");
    pages.put("/dashboard/recurring-jobs", "RECURRING JOBS");
    pages.put("/dashboard/servers", "pyrunr");
    pages.put("/dashboard/lost", "DASHBOARD");
    for (Map.Entry<String, String> page : pages.entrySet()) {
      browser.go(server.url().resolve(page.getKey()));
      browser.awaitText(page.getValue());
      Thread.sleep(500); // for what comes after the page is shown
      assertEquals(List.of(), browser.console(), page.getKey());
      List<URI> requests = browser.requests();
      assertTrue(requests.contains(server.url().resolve(page.getKey())), requests::toString);
      assertEquals(
          List.of(),
          requests.stream()
              .filter(request -> !request.toString().startsWith(server.url() + "/"))
              .filter(request -> !List.of("data", "chrome").contains(request.getScheme()))
              .toList(),
          page.getKey());
    }
  }

  @Test
  void aSucceededJobShowsItsNameProgressLogAndValue() throws Exception {
    UUID id =
        server.submit(
            PythonJobRequest.of(
                    """
                    import pyrunr, time
                    for n in range(1, 5):
                        print("round", n)
                        pyrunr.progress(n / 4)
                    {"answer": 42}
                    """)
                .withName("Zähle bis vier"));
    Servers.await(server, id, StateName.SUCCEEDED);
    browser.go(server.loginUrl());
    browser.awaitText("DASHBOARD");
    browser.go(server.url().resolve("/dashboard/jobs?state=SUCCEEDED"));
    browser.awaitText("Zähle bis vier", "python");
    openJob(id, "Zähle bis vier");
    browser.awaitText("round 1", "round 4", "Result: {\"answer\":42}");
    assertTrue(
        browser.run("return document.querySelectorAll('[role=progressbar]').length").asInt() > 0,
        "no progress bar");
  }

  @Test
  void aFailedJobShowsThePythonTraceback() throws Exception {
    UUID id =
        server.submit(
            PythonJobRequest.of("def price(text):\n    return float(text)\n\nprice('n/a')"));
    Servers.await(server, id, StateName.FAILED);
    browser.go(server.loginUrl());
    browser.awaitText("DASHBOARD");
    openJob(id, "def price(text):");
    String page =
        browser.awaitText(
            "Traceback (most recent call last):",
            "in price",
            "ValueError: could not convert string to float: 'n/a'");
    assertFalse(page.contains("\tat org.jobrunr"), page);
    assertFalse(page.contains("reflect"), page);
  }

  @Test
  void theDashboardsButtonsPassTheOriginCheck() throws Exception {
    UUID id =
        server.submit(PythonJobRequest.of("while True: pass").withWallTime(Duration.ofMinutes(10)));
    Servers.await(server, id, StateName.PROCESSING);
    browser.go(server.loginUrl());
    browser.awaitText("DASHBOARD");
    browser.go(server.url().resolve("/dashboard/jobs/" + id));
    browser.awaitText("while True");
    browser.run(
        "[...document.querySelectorAll('button')].find(b => /delete/i.test(b.innerText)).click()");
    Servers.await(server, id, StateName.DELETED);
  }

  @Test
  void anotherSiteCannotUseTheLogin() throws Exception {
    UUID id = server.submit(PythonJobRequest.of("1"));
    browser.go(server.loginUrl());
    browser.awaitText("DASHBOARD");
    // Same machine, other port: another origin. Its page tries what a hostile page would.
    try (var other = new OtherSite()) {
      browser.go(other.url());
      URI target = server.url().resolve("/api/jobs/" + id);
      String outcome =
          browser
              .run(
                  "return fetch('"
                      + target
                      + "', {method: 'DELETE', credentials: 'include'})"
                      + ".then(r => 'status ' + r.status, e => 'blocked')")
              .asText();
      assertTrue(outcome.equals("blocked") || outcome.equals("status 403"), outcome);
    }
    Servers.await(server, id, StateName.SUCCEEDED);
  }

  /** Shows a job with the details of its states, which JobRunr folds away. */
  private void openJob(UUID id, String name) throws IOException, InterruptedException {
    browser.go(server.url().resolve("/dashboard/jobs/" + id));
    browser.awaitText(name, "Job Processing");
    browser.run(
        "document.querySelectorAll('[aria-expanded=false]').forEach(e => e.click()); return 0");
  }
}
