package io.pyrunr.dashboard.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jobrunr.dashboard.JobRunrApiHandler;
import org.jobrunr.dashboard.JobRunrSseHandler;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.ThreadSafeStorageProvider;
import org.jobrunr.utils.mapper.JsonMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * JobRunr's dashboard and our job interface behind one door. JobRunr's own web server listens on
 * every interface and trusts whoever comes; its handlers are public, so they are mounted here
 * instead, behind {@link RequestGate} and {@link Login}. Every request passes both, whatever its
 * path.
 */
public final class DashboardHttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DashboardHttpServer.class);
  private static final Pattern JOB = Pattern.compile("/api/jobs/([0-9a-fA-F-]{36})");
  private static final int BACKLOG = 64;

  static {
    // Seconds a client may take to send a request; the JDK's default is for ever.
    if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
      System.setProperty("sun.net.httpserver.maxReqTime", "60");
    }
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final URI url;
  private final RequestGate gate;
  private final Login login;
  private final JobsApi jobsApi;
  private final JobControl jobs;
  private final DashboardPages pages;
  private final JobRunrApiHandler api;
  private final JobRunrSseHandler events;

  private DashboardHttpServer(
      HttpServer server,
      String host,
      AccessToken token,
      StorageProvider storage,
      JsonMapper jsonMapper,
      JobControl jobs) {
    this.server = server;
    int port = server.getAddress().getPort();
    url = URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    gate = new RequestGate(host);
    login = new Login(token, port);
    jobsApi = new JobsApi(jobs);
    this.jobs = jobs;
    StorageProvider threadSafe = new ThreadSafeStorageProvider(storage);
    pages = new DashboardPages();
    api = new JobRunrApiHandler(threadSafe, jsonMapper, false);
    events = new JobRunrSseHandler(threadSafe, jsonMapper);
    threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "pyrunr-http");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(threads);
    server.createContext("/", this::handle);
  }

  /**
   * Takes the address but does not answer yet.
   *
   * @param port 0 takes a free one
   * @throws IOException if the address is not this machine's or the port is taken
   */
  public static DashboardHttpServer bind(
      String host,
      int port,
      AccessToken token,
      StorageProvider storage,
      JsonMapper jsonMapper,
      JobControl jobs)
      throws IOException {
    InetAddress address = ownAddress(host);
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
    } catch (BindException e) {
      throw new IOException(
          "cannot listen on "
              + host
              + " port "
              + port
              + ": "
              + e.getMessage()
              + "; choose another with --port (0 takes a free one)",
          e);
    }
    return new DashboardHttpServer(server, host, token, storage, jsonMapper, jobs);
  }

  private static InetAddress ownAddress(String host) throws IOException {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("there is no host " + host + "; give an address of this machine", e);
    }
    if (!address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && NetworkInterface.getByInetAddress(address) == null) {
      throw new IOException(host + " is another machine; give an address of this one");
    }
    return address;
  }

  public void start() {
    server.start();
  }

  /** Where the server listens. */
  public URI url() {
    return url;
  }

  @Override
  public void close() {
    events.close();
    api.close();
    pages.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    Responses.secure(exchange);
    try {
      Optional<RequestGate.Refusal> refusal = gate.check(exchange);
      String path = exchange.getRequestURI().getPath();
      if (refusal.isPresent()) {
        Responses.text(exchange, refusal.get().status(), refusal.get().reason());
      } else if (path.equals(Login.PATH)) {
        login.handle(exchange);
      } else if (!login.isAuthenticated(exchange)) {
        login.askToLogIn(exchange);
      } else {
        route(exchange, path);
      }
    } catch (RuntimeException | Error e) {
      // The JDK's server would leave the client waiting for ever.
      if (exchange.getResponseCode() == -1) {
        LOG.warn("{} failed: {}", exchange.getRequestMethod(), e.toString());
        LOG.debug("the failed request was {}", exchange.getRequestURI(), e);
        Responses.text(exchange, 500, "the server failed; see its log");
      } else { // most often a client that is gone
        LOG.debug("{} was cut off", exchange.getRequestURI(), e);
        exchange.close();
      }
    }
  }

  private void route(HttpExchange exchange, String path) throws IOException {
    if (path.equals(JobsApi.PATH) || path.startsWith(JobsApi.PATH + "/")) {
      jobsApi.handle(exchange);
    } else if (path.startsWith("/api/")) {
      jobRunrApi(exchange, path);
    } else if (path.startsWith("/sse/")) {
      events.handle(new WithoutTraces(exchange));
    } else if (path.equals(DashboardPages.PATH) || path.startsWith(DashboardPages.PATH + "/")) {
      pages.handle(exchange);
    } else if (path.equals("/")) {
      Responses.redirect(exchange, "/dashboard/overview");
    } else {
      Responses.text(exchange, 404, "not found");
    }
  }

  /** JobRunr carries out a deletion or a new run at its next poll; both are wanted at once. */
  private void jobRunrApi(HttpExchange exchange, String path) throws IOException {
    api.handle(new WithoutTraces(exchange));
    Matcher job = JOB.matcher(path);
    if (exchange.getRequestMethod().equals("DELETE") && job.matches()) {
      jobs.stopRunning(UUID.fromString(job.group(1)));
    } else if (exchange.getRequestMethod().equals("POST")) {
      jobs.nudge();
    }
  }
}
