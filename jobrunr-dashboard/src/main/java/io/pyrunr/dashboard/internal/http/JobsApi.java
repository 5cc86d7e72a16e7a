package io.pyrunr.dashboard.internal.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.sun.net.httpserver.HttpExchange;
import io.pyrunr.dashboard.internal.job.BadJobException;
import io.pyrunr.dashboard.internal.job.JobDescription;
import io.pyrunr.executor.PythonResult;
import io.pyrunr.executor.jobrunr.PythonJobRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.jobrunr.jobs.Job;

/**
 * Jobs over HTTP: {@code POST /api/pyrunr/jobs} enqueues one and answers with its id, {@code GET
 * /api/pyrunr/jobs/ID} tells its state and, once it has ended, its result.
 */
final class JobsApi {
  static final String PATH = "/api/pyrunr/jobs";
  private static final int LARGEST_BODY = 16 << 20;

  private final JobControl jobs;

  JobsApi(JobControl jobs) {
    this.jobs = jobs;
  }

  void handle(HttpExchange exchange) throws IOException {
    String rest = exchange.getRequestURI().getPath().substring(PATH.length());
    String method = exchange.getRequestMethod();
    if (rest.isEmpty() && method.equals("POST")) {
      submit(exchange);
    } else if (rest.startsWith("/") && (method.equals("GET") || method.equals("HEAD"))) {
      tell(exchange, rest.substring(1));
    } else {
      error(exchange, 404, "there are POST " + PATH + " and GET " + PATH + "/ID");
    }
  }

  private void submit(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      error(exchange, 413, "a job may have " + LARGEST_BODY + " bytes");
      return;
    }
    PythonJobRequest request;
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      request = toRequest(JobDescription.parse(text, JobDescription.REQUEST_FIELDS));
    } catch (CharacterCodingException e) {
      error(exchange, 400, "the job is not UTF-8 text");
      return;
    } catch (BadJobException | IllegalArgumentException e) {
      error(exchange, 400, e.getMessage());
      return;
    }
    UUID id = jobs.submit(request);
    exchange.getResponseHeaders().set("Location", PATH + "/" + id);
    Responses.json(exchange, 201, "{\"id\":\"" + id + "\"}");
  }

  private void tell(HttpExchange exchange, String idText) throws IOException {
    UUID id;
    try {
      id = UUID.fromString(idText);
    } catch (IllegalArgumentException e) {
      error(exchange, 404, "there is no such job");
      return;
    }
    Optional<Job> job = jobs.find(id);
    Optional<String> result = jobs.result(id).map(PythonResult::toJson);
    if (job.isEmpty() && result.isEmpty()) {
      error(exchange, 404, "there is no such job");
      return;
    }
    String state = job.map(j -> '"' + j.getState().name() + '"').orElse("null");
    Responses.json(
        exchange,
        200,
        "{\"id\":\"" + id + "\",\"state\":" + state + ",\"result\":" + result.orElse("null") + "}");
  }

  private static PythonJobRequest toRequest(JobDescription job) {
    PythonJobRequest request = PythonJobRequest.of(job.code()).withParamsJson(job.paramsJson());
    if (job.name().isPresent()) {
      request = request.withName(job.name().get());
    }
    if (job.timeout().isPresent()) {
      request = request.withWallTime(job.timeout().get());
    }
    if (job.memoryBytes().isPresent()) {
      request = request.withMemoryBytes(job.memoryBytes().getAsLong());
    }
    if (job.requires().isPresent()) {
      request = request.withRequires(job.requires().get());
    }
    return request;
  }

  private static void error(HttpExchange exchange, int status, String message) throws IOException {
    String quoted = String.valueOf(JsonStringEncoder.getInstance().quoteAsString(message));
    Responses.json(exchange, status, "{\"error\":\"" + quoted + "\"}");
  }
}
