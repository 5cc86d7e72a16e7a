package io.pyrunr.dashboard.it;

import io.pyrunr.dashboard.it.Requires.Service;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests' browser waits for pages in whatever state it meets them. */
@Requires(Service.BROWSER)
class BrowserIT {
  @TempDir Path folder;

  /**
   * A document that has only begun to arrive has no body. A page that moves on by itself, as the
   * login does, shows a driver such a document now and then; this one does every time.
   */
  @Test
  void waitsForTheTextOfAPageThatHasNoBodyYet() throws Exception {
    try (Browser browser = Browser.start(folder)) {
      browser.go(URI.create("about:blank"));
      browser.run(
          """
          const body = document.createElement('body');
          body.textContent = 'arrived';
          document.body.remove();
          setTimeout(() => document.documentElement.append(body), 1000);
          """);
      browser.awaitText("arrived");
    }
  }
}
