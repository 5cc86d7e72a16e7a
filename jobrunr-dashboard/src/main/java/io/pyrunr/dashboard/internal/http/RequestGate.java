package io.pyrunr.dashboard.internal.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides whether a request may be looked at, before anything else does. JobRunr's own dashboard
 * checks none of this.
 *
 * <ul>
 *   <li>{@code Host} must be an IP address, localhost or the configured name. A web page can point
 *       its own domain at 127.0.0.1 (DNS rebinding), but then the name gives it away.
 *   <li>{@code Origin}, where a browser sends one, must be this server: no other page may act with
 *       the login of its visitor. A change made with a cookie must have one.
 *   <li>The path must be plain: no {@code ..}, no encoded or doubled separators.
 * </ul>
 */
final class RequestGate {
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "DELETE");
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]+\\]|[a-z0-9._-]+)(?::[0-9]{1,5})?");
  private static final Pattern IP_ADDRESS =
      Pattern.compile("\\[[0-9a-f:.]+\\]|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
  private static final Pattern PLAIN_PATH = Pattern.compile("(?:/[A-Za-z0-9._~@:-]*)+");

  private final String configuredHost;

  RequestGate(String configuredHost) {
    this.configuredHost = configuredHost.toLowerCase(Locale.ROOT);
  }

  /** Why a request is turned away. */
  record Refusal(int status, String reason) {}

  Optional<Refusal> check(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    if (!METHODS.contains(exchange.getRequestMethod())) {
      return refuse(405, "method not allowed");
    }
    Optional<String> host = single(headers, "Host").filter(this::isOurs);
    if (host.isEmpty()) {
      return refuse(403, "this server does not answer to that host name");
    }
    if (!isPlain(exchange.getRequestURI())) {
      return refuse(400, "that is no path of this server");
    }
    return checkOrigin(exchange, host.get());
  }

  private static Optional<Refusal> checkOrigin(HttpExchange exchange, String host) {
    Headers headers = exchange.getRequestHeaders();
    List<String> origins = headers.getOrDefault("Origin", List.of());
    boolean same =
        origins.equals(List.of("http://" + host)) || origins.equals(List.of("https://" + host));
    if (!origins.isEmpty() && !same) {
      return refuse(403, "requests from other sites are not allowed");
    }
    boolean change = !SAFE_METHODS.contains(exchange.getRequestMethod());
    if (change && origins.isEmpty() && headers.containsKey("Cookie")) {
      return refuse(403, "a change made from a browser must say its origin");
    }
    return Optional.empty();
  }

  private boolean isOurs(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    var form = HOST.matcher(lower);
    if (!form.matches()) {
      return false;
    }
    String name = form.group(1);
    return name.equals("localhost")
        || name.equals(configuredHost)
        || IP_ADDRESS.matcher(name).matches();
  }

  private static boolean isPlain(URI uri) {
    String path = uri.getRawPath();
    return uri.getScheme() == null
        && uri.getRawAuthority() == null
        && path != null
        && PLAIN_PATH.matcher(path).matches()
        && !path.contains("//")
        && !path.contains("/.");
  }

  private static Optional<String> single(Headers headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }

  private static Optional<Refusal> refuse(int status, String reason) {
    return Optional.of(new Refusal(status, reason));
  }
}
