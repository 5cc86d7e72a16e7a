package io.pyrunr.dashboard.internal.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes whole responses and the headers that every response carries. */
final class Responses {
  /**
   * Everything from this server only, so the dashboard cannot call out to its vendor. Scripts are
   * held to a nonce by a second policy that JobRunr's own pages carry; both apply.
   */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'self'; connect-src 'self'; img-src 'self' data:; "
          + "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; "
          + "form-action 'self'; frame-ancestors 'none'";

  private Responses() {}

  static void secure(HttpExchange exchange) {
    Headers headers = exchange.getResponseHeaders();
    headers.add("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    headers.add("X-Content-Type-Options", "nosniff");
    headers.add("X-Frame-Options", "DENY");
    headers.add("Referrer-Policy", "same-origin");
    headers.add("Cross-Origin-Opener-Policy", "same-origin");
    headers.add("Cross-Origin-Resource-Policy", "same-origin");
  }

  static void html(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "text/html; charset=utf-8", text);
  }

  static void script(HttpExchange exchange, String text) throws IOException {
    send(exchange, 200, "text/javascript; charset=utf-8", text);
  }

  static void json(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "application/json", text + "\n");
  }

  static void text(HttpExchange exchange, int status, String text) throws IOException {
    send(exchange, status, "text/plain; charset=utf-8", text + "\n");
  }

  static void redirect(HttpExchange exchange, String path) throws IOException {
    exchange.getResponseHeaders().set("Location", path);
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }
}
