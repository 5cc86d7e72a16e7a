package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.resolve.Plan;
import io.pyrunr.executor.internal.wheels.resolve.RequirementException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Some of a set's wheels as the only ones that a job sees. */
final class WheelView {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WheelSet set;

  WheelView(WheelSet set) {
    this.set = set;
  }

  byte[] of(List<String> requirements) throws RequirementException {
    List<Requirement> parsed = new ArrayList<>();
    for (String text : requirements) {
      try {
        parsed.add(set.requirement(text));
      } catch (BadPackagingException e) {
        throw new RequirementException("requires: " + e.getMessage());
      }
    }
    Plan plan = set.closure().resolve(parsed, "the job", true);
    if (!plan.problems().isEmpty()) {
      throw new RequirementException("requires: " + String.join("; ", plan.problems()));
    }
    return json(plan.wheels()).toString().getBytes(UTF_8);
  }

  /** A namespace package that has lost its last part would keep the path it had. */
  private static void addWithNamespaces(String root, Set<String> names) {
    for (int dot = root.indexOf('.'); dot > 0; dot = root.indexOf('.', dot + 1)) {
      names.add(root.substring(0, dot));
    }
    names.add(root);
  }

  /** The view as JSON: what goes in the place of site-packages, and which modules do not exist. */
  ObjectNode json(Collection<Wheel> visible) {
    Set<String> kept = new HashSet<>();
    Set<String> hidden = new TreeSet<>();
    for (Wheel wheel : set.chosen()) {
      Set<String> names = visible.contains(wheel) ? kept : hidden;
      wheel.importRoots().forEach(root -> addWithNamespaces(root, names));
    }
    hidden.removeAll(kept);
    ObjectNode view = JSON.createObjectNode();
    view.put("site", set.sitePackages());
    var path = view.putArray("path");
    visible.stream().map(set::folder).sorted().forEach(path::add);
    var names = view.putArray("hidden");
    hidden.forEach(names::add);
    return view;
  }
}
