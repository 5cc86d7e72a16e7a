package io.pyrunr.dashboard.internal.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Sends requests that no well-behaved client would: any Host, any Origin, any path. */
final class RawHttp {
  private final URI url;

  RawHttp(URI url) {
    this.url = url;
  }

  record Response(int status, String headers, String body) {
    List<String> header(String name) {
      return headers
          .lines()
          .filter(
              line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .toList();
    }
  }

  String host() {
    return url.getHost() + ":" + url.getPort();
  }

  Response get(String path, String... headers) throws IOException {
    return send("GET", path, host(), "", headers);
  }

  Response send(String method, String path, String host, String body, String... headers)
      throws IOException {
    var request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    if (host != null) {
      request.append("Host: ").append(host).append("\r\n");
    }
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    request.append("Content-Length: ").append(bytes.length).append("\r\nConnection: close\r\n\r\n");
    try (var socket = new Socket(InetAddress.getByName(url.getHost()), url.getPort())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      String[] parts = answer.split(Pattern.quote("\r\n\r\n"), 2);
      int status = Integer.parseInt(parts[0].split(" ", 3)[1]);
      return new Response(status, parts[0], parts.length > 1 ? parts[1] : "");
    }
  }
}
