package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.CoreMetadata;
import io.pyrunr.executor.internal.packaging.PackageName;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.packaging.WheelFileName;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.resolve.ClosureResolver;
import io.pyrunr.executor.internal.wheels.resolve.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a job's micropip and failed imports ask of the host, one JSON object each way. Questions
 * come from hostile code: they are read, resolved as long as the job has time, and answered;
 * nothing else happens.
 *
 * <ul>
 *   <li>{@code environment}: all wheels there are.
 *   <li>{@code install}: which wheels some requirements, and wheels of the job's own, lead to.
 *   <li>{@code missing}: what is known of a module that cannot be imported.
 *   <li>{@code view}: what to put on the path so that only the wheels of some folders are seen.
 * </ul>
 */
final class WheelAnswers {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST = 1_000;

  private final WheelSet set;

  WheelAnswers(WheelSet set) {
    this.set = set;
  }

  byte[] answer(byte[] question) {
    ObjectNode answer;
    try {
      JsonNode json = JSON.readTree(question);
      answer =
          switch (json.path("op").asText()) {
            case "environment" -> environment();
            case "install" -> install(json);
            case "missing" -> missing(json);
            case "view" -> view(json);
            default -> failure("no such question");
          };
    } catch (IOException | BadPackagingException e) {
      answer = failure(String.valueOf(e.getMessage()));
    }
    return answer.toString().getBytes(UTF_8);
  }

  private static ObjectNode failure(String message) {
    ObjectNode answer = JSON.createObjectNode();
    answer.putArray("problems").add(message);
    answer.putArray("wheels");
    return answer;
  }

  private ObjectNode environment() {
    ObjectNode answer = JSON.createObjectNode();
    answer.put("site", set.sitePackages());
    answer.put("python", set.platform().pythonVersion().toString());
    ArrayNode wheels = answer.putArray("wheels");
    set.candidates().all().forEach(wheel -> wheels.add(describe(wheel)));
    return answer;
  }

  private ObjectNode describe(Wheel wheel) {
    ObjectNode json = JSON.createObjectNode();
    json.put("name", wheel.name());
    json.put("version", wheel.version().toString());
    json.put("folder", set.folder(wheel));
    json.put("chosen", set.isChosen(wheel));
    json.put("file_name", wheel.fileName().text());
    json.put("sha256", wheel.sha256());
    ArrayNode roots = json.putArray("imports");
    wheel.importRoots().forEach(roots::add);
    ArrayNode depends = json.putArray("depends");
    set.dependencies().of(wheel, Set.of()).forEach(requirement -> depends.add(requirement.name()));
    return json;
  }

  private ObjectNode install(JsonNode question) throws BadPackagingException {
    ClosureResolver closure = set.closure();
    boolean deep = question.path("deps").asBoolean(true);
    for (Map.Entry<String, JsonNode> present : question.path("present").properties()) {
      closure.present(PackageName.normalize(present.getKey()), present.getValue().asText());
    }
    List<Requirement> requirements = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (JsonNode local : question.path("local")) {
      addLocal(local, deep, closure, requirements, problems);
    }
    for (JsonNode text : question.path("requirements")) {
      Requirement requirement = set.requirement(text.asText());
      if (requirement.applies(set.platform().markers(), Set.of())) {
        requirements.add(requirement);
      }
    }
    if (requirements.size() > MOST) {
      return failure("more than " + MOST + " requirements");
    }
    Plan plan = closure.resolve(requirements, "micropip.install", deep);
    problems.addAll(plan.problems());
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode wheels = answer.putArray("wheels");
    plan.wheels().forEach(wheel -> wheels.add(describe(wheel)));
    ArrayNode texts = answer.putArray("problems");
    problems.forEach(texts::add);
    return answer;
  }

  /** A wheel in the job's own files: its tags must fit, and what it needs must be found. */
  private void addLocal(
      JsonNode local,
      boolean deep,
      ClosureResolver closure,
      List<Requirement> requirements,
      List<String> problems)
      throws BadPackagingException {
    WheelFileName name = WheelFileName.parse(local.path("file_name").asText());
    if (set.platform().tags().rank(name.tags()).isEmpty()) {
      problems.add(name.text() + ": " + set.platform().tags().reason(name.tags()));
    }
    CoreMetadata metadata =
        CoreMetadata.parse(local.path("metadata").asText(), set.platform().markers());
    if (!metadata.requiresPython().matches(set.platform().pythonVersion())) {
      problems.add(name.text() + ": it needs Python " + metadata.requiresPython());
    }
    closure.present(metadata.normalName(), metadata.version().toString());
    if (deep) {
      metadata.requirements().stream()
          .filter(requirement -> requirement.applies(set.platform().markers(), Set.of()))
          .forEach(requirements::add);
    }
  }

  private ObjectNode missing(JsonNode question) {
    ObjectNode answer = JSON.createObjectNode();
    answer.put("hint", set.missing().module(question.path("module").asText()).orElse(""));
    return answer;
  }

  private ObjectNode view(JsonNode question) {
    Set<String> folders = new HashSet<>();
    question.path("folders").forEach(folder -> folders.add(folder.asText()));
    return new WheelView(set)
        .json(
            set.candidates().all().stream()
                .filter(wheel -> folders.contains(set.folder(wheel)))
                .toList());
  }
}
