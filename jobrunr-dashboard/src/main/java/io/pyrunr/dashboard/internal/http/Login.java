package io.pyrunr.dashboard.internal.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Who may come in: programs with {@code Authorization: Bearer TOKEN}, browsers with a cookie that
 * {@code /login} hands out for the token.
 */
final class Login {
  static final String PATH = "/login";
  private static final String BEARER = "Bearer ";
  private static final int LONGEST_FORM = 4_096;

  private final AccessToken token;
  private final String cookieName;

  /** Cookies do not tell ports apart, so the name does: two servers on a host need two logins. */
  Login(AccessToken token, int port) {
    this.token = token;
    this.cookieName = "pyrunr_" + port;
  }

  boolean isAuthenticated(HttpExchange exchange) {
    List<String> authorization =
        exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
    if (!authorization.isEmpty()) {
      String value = authorization.get(0);
      return authorization.size() == 1
          && value.regionMatches(true, 0, BEARER, 0, BEARER.length())
          && token.matches(value.substring(BEARER.length()).strip());
    }
    return cookie(exchange).filter(token::isLogin).isPresent();
  }

  /** Answers {@code /login}: a form, or with the right token the cookie. */
  void handle(HttpExchange exchange) throws IOException {
    boolean post = exchange.getRequestMethod().equals("POST");
    String form =
        post
            ? new String(
                exchange.getRequestBody().readNBytes(LONGEST_FORM), StandardCharsets.US_ASCII)
            : exchange.getRequestURI().getRawQuery();
    Optional<String> given = parameter(form, "token");
    if (given.isEmpty()) {
      Responses.html(exchange, 200, page("Log in", formFields("")));
    } else if (token.matches(given.get())) {
      letIn(exchange);
    } else {
      Responses.html(exchange, 403, page("Log in", formFields("That is not this server's token.")));
    }
  }

  void askToLogIn(HttpExchange exchange) throws IOException {
    if (exchange
        .getRequestHeaders()
        .getOrDefault("Accept", List.of())
        .toString()
        .contains("text/html")) {
      Responses.html(exchange, 401, page("Log in", formFields("")));
    } else {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      Responses.json(
          exchange,
          401,
          "{\"error\":\"send 'Authorization: Bearer TOKEN' with the token from the data folder\"}");
    }
  }

  /** A page that moves on, not a redirect: after one, a strict cookie would not be sent. */
  private void letIn(HttpExchange exchange) throws IOException {
    exchange
        .getResponseHeaders()
        .add(
            "Set-Cookie",
            cookieName
                + "="
                + token.newLogin()
                + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
                + AccessToken.loginSeconds());
    Responses.html(
        exchange,
        200,
        page(
            "Logged in",
            "<meta http-equiv=\"refresh\" content=\"0;url=/dashboard/overview\">"
                + "<p><a href=\"/dashboard/overview\">Go to the dashboard</a></p>"));
  }

  private Optional<String> cookie(HttpExchange exchange) {
    for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
      for (String pair : header.split(";", -1)) {
        String[] nameAndValue = pair.strip().split("=", 2);
        if (nameAndValue.length == 2 && nameAndValue[0].equals(cookieName)) {
          return Optional.of(nameAndValue[1]);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> parameter(String form, String name) {
    if (form == null) {
      return Optional.empty();
    }
    for (String pair : form.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        try {
          return Optional.of(
              URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8).strip());
        } catch (IllegalArgumentException e) {
          return Optional.of("");
        }
      }
    }
    return Optional.empty();
  }

  private static String formFields(String note) {
    return "<p>"
        + note
        + "</p><form method=\"post\" action=\"/login\">"
        + "<label>Token <input name=\"token\" type=\"password\" autocomplete=\"current-password\" autofocus></label> "
        + "<button>Log in</button></form>"
        + "<p>Open the link that <code>pyrunr serve</code> printed, or paste the token from the"
        + " file <code>token</code> in its data folder.</p>";
  }

  private static String page(String title, String body) {
    return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Pyrunr: "
        + title
        + "</title><link rel=\"icon\" href=\"data:,\"><style>body{font-family:sans-serif;margin:4em auto;max-width:32em}</style></head>"
        + "<body><h1>Pyrunr</h1>"
        + body
        + "</body></html>\n";
  }
}
