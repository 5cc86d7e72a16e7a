package io.pyrunr.dashboard.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * An exchange for JobRunr's handlers, which answer what fails, a request they do not understand
 * included, with a stack trace. The status is theirs, the text is ours.
 */
final class WithoutTraces extends HttpExchange {
  private static final int FIRST_FAILURE = 500;
  private static final byte[] TEXT =
      "{\"error\":\"JobRunr cannot answer that; is the request right?\"}\n".getBytes(UTF_8);

  private final HttpExchange exchange;
  private boolean failed;

  WithoutTraces(HttpExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    if (status < FIRST_FAILURE) {
      exchange.sendResponseHeaders(status, length);
      return;
    }
    failed = true;
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : TEXT.length);
    if (!head) {
      exchange.getResponseBody().write(TEXT);
    }
  }

  @Override
  public OutputStream getResponseBody() {
    return failed ? OutputStream.nullOutputStream() : exchange.getResponseBody();
  }

  @Override
  public void close() {
    exchange.close();
  }

  @Override
  public Headers getRequestHeaders() {
    return exchange.getRequestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return exchange.getResponseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return exchange.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return exchange.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return exchange.getHttpContext();
  }

  @Override
  public InputStream getRequestBody() {
    return exchange.getRequestBody();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return exchange.getRemoteAddress();
  }

  @Override
  public int getResponseCode() {
    return exchange.getResponseCode();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return exchange.getLocalAddress();
  }

  @Override
  public String getProtocol() {
    return exchange.getProtocol();
  }

  @Override
  public Object getAttribute(String name) {
    return exchange.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    exchange.setAttribute(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    exchange.setStreams(in, out);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return exchange.getPrincipal();
  }
}
