package io.pyrunr.dashboard.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Matcher;
import org.jobrunr.dashboard.JobRunrStaticFileHandler;

/**
 * JobRunr's pages. They are one HTML document, with which its scripts show all of them, and files;
 * the files come from JobRunr's own handler. In the document a script of ours runs first, so that
 * nothing is asked of JobRunr's vendor, and the manifest is fetched with the login.
 */
final class DashboardPages implements AutoCloseable {
  static final String PATH = "/dashboard";
  private static final String FILES = "/org/jobrunr/dashboard/frontend/build";
  private static final String DOCUMENT = FILES + "/index.html";
  private static final String SCRIPT = "stay-here.js";
  private static final String NONCE = "%CSP_NONCE%";
  private static final int NONCE_BYTES = 16;

  private final JobRunrStaticFileHandler files = new JobRunrStaticFileHandler();
  private final SecureRandom random = new SecureRandom();
  private final String script = resource(SCRIPT);
  private final String document;

  DashboardPages() {
    // Not deferred, as JobRunr's are.
    String first = "<script src=\"" + PATH + "/" + SCRIPT + "\" nonce=\"" + NONCE + "\"></script>";
    document =
        resource(DOCUMENT)
            .replaceFirst("(?=<script)", Matcher.quoteReplacement(first))
            .replace(
                "<link rel=\"manifest\"", "<link rel=\"manifest\" crossorigin=\"use-credentials\"");
  }

  private static String resource(String name) {
    try (InputStream in = DashboardPages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(name + " cannot be read from the jar", e);
    }
  }

  void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(PATH.length());
    if (path.equals("/" + SCRIPT)) {
      Responses.script(exchange, script);
      return;
    }
    if (isFile(path)) {
      files.handle(exchange);
      return;
    }
    byte[] bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    String nonce = HexFormat.of().formatHex(bytes);
    // As JobRunr's handler has it; beside the policy that every response of ours carries.
    exchange
        .getResponseHeaders()
        .add(
            "Content-Security-Policy",
            "script-src 'nonce-"
                + nonce
                + "' 'strict-dynamic'; object-src 'none'; base-uri 'none'");
    Responses.html(exchange, 200, document.replace(NONCE, nonce));
  }

  /** Whether JobRunr has a file of that name which is not the document. */
  private static boolean isFile(String path) {
    return path.indexOf('.', path.lastIndexOf('/') + 1) > 0
        && !path.endsWith(".html")
        && DashboardPages.class.getResource(FILES + path) != null;
  }

  @Override
  public void close() {
    files.close();
  }
}
