package io.pyrunr.executor.internal.wheels;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrunr.executor.internal.fs.BaseLayer;
import io.pyrunr.executor.internal.io.CacheHome;
import io.pyrunr.executor.internal.io.Digests;
import io.pyrunr.executor.internal.packaging.BadPackagingException;
import io.pyrunr.executor.internal.packaging.Requirement;
import io.pyrunr.executor.internal.wheels.archive.BytecodeCompiler;
import io.pyrunr.executor.internal.wheels.archive.NativeCode;
import io.pyrunr.executor.internal.wheels.archive.SharedLibrary;
import io.pyrunr.executor.internal.wheels.archive.Wheel;
import io.pyrunr.executor.internal.wheels.archive.WheelBytecode;
import io.pyrunr.executor.internal.wheels.archive.WheelPlatform;
import io.pyrunr.executor.internal.wheels.resolve.Candidates;
import io.pyrunr.executor.internal.wheels.resolve.ClosureResolver;
import io.pyrunr.executor.internal.wheels.resolve.Dependencies;
import io.pyrunr.executor.internal.wheels.resolve.MissingPackages;
import io.pyrunr.executor.internal.wheels.resolve.Pins;
import io.pyrunr.executor.internal.wheels.resolve.RefusedWheels;
import io.pyrunr.executor.internal.wheels.resolve.RequirementException;
import io.pyrunr.executor.internal.wheels.resolve.UnmetNeed;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The wheels that interpreters of one kind have.
 *
 * <p>One version of each package is chosen; together they are unpacked into {@code site-packages},
 * as an installer would. Besides, every wheel has a folder of its own, {@code
 * /lib/wheels/NAME-VERSION/site-packages}, with the same contents: these go on the path of jobs
 * that name what they require, and of those that install another version.
 *
 * <p>Immutable and thread-safe.
 */
public final class WheelSet {
  private static final String FOLDERS = "/lib/wheels/";

  private final WheelPlatform platform;
  private final CacheHome cache;
  private final Candidates candidates;
  private final Map<String, Wheel> chosen;
  private final List<SharedLibrary> libraries;
  private final List<String> problems;
  private final List<UnmetNeed> unmet;
  private final RefusedWheels refused;
  private final String fingerprint;

  WheelSet(
      WheelPlatform platform,
      CacheHome cache,
      Candidates candidates,
      Map<String, Wheel> chosen,
      List<SharedLibrary> libraries,
      List<String> problems,
      List<UnmetNeed> unmet,
      RefusedWheels refused) {
    this.platform = platform;
    this.cache = cache;
    this.candidates = candidates;
    this.chosen = new LinkedHashMap<>(chosen);
    this.libraries = List.copyOf(libraries);
    this.problems = List.copyOf(problems);
    this.unmet = List.copyOf(unmet);
    this.refused = refused;
    fingerprint = fingerprint(candidates.all(), chosen, libraries);
  }

  /** No wheels at all. */
  public static WheelSet none(WheelPlatform platform) {
    return new WheelSet(
        platform,
        CacheHome.NONE,
        Candidates.of(List.of(), Pins.NONE),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        RefusedWheels.NONE);
  }

  private static String fingerprint(
      List<Wheel> all, Map<String, Wheel> chosen, List<SharedLibrary> libraries) {
    MessageDigest digest = Digests.of("SHA-256");
    for (Wheel wheel : all) {
      digest.update((wheel.folderName() + " " + wheel.sha256()).getBytes(UTF_8));
      digest.update((byte) (chosen.containsValue(wheel) ? 1 : 0));
    }
    libraries.forEach(library -> digest.update(library.sha256().getBytes(UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The chosen packages, for people. */
  @Override
  public String toString() {
    return chosen.isEmpty()
        ? "no packages"
        : String.join(", ", chosen.values().stream().map(Wheel::title).toList());
  }

  public boolean isEmpty() {
    return candidates.all().isEmpty();
  }

  /** Wheels that are there and not used; the same object for all sets of the same folders. */
  public RefusedWheels refused() {
    return refused;
  }

  /** Tells one set from another: a SHA-256 over all wheels, hexadecimal. */
  public String fingerprint() {
    return fingerprint;
  }

  /** What is wrong with files: one line each, with the way out. */
  List<String> problems() {
    return problems;
  }

  /** What the chosen wheels miss. */
  List<UnmetNeed> unmet() {
    return unmet;
  }

  List<Wheel> chosen() {
    return List.copyOf(chosen.values());
  }

  /** The chosen wheel of a package, or null. */
  Wheel chosen(String name) {
    return chosen.get(name);
  }

  boolean isChosen(Wheel wheel) {
    return wheel.equals(chosen.get(wheel.name()));
  }

  Candidates candidates() {
    return candidates;
  }

  String sitePackages() {
    return "/lib/python" + platform.pythonMinor() + "/site-packages";
  }

  String folder(Wheel wheel) {
    return FOLDERS + wheel.folderName() + "/site-packages";
  }

  WheelBytecode bytecode(BytecodeCompiler compiler) {
    return new WheelBytecode(platform.pythonVersion().toString(), sitePackages(), compiler, cache);
  }

  /**
   * Puts all wheels with their bytecode into a layer; bytecode that is not kept from an earlier
   * time is made, which takes a second per 100 KB of source or so.
   *
   * @return messages about files that two wheels have
   */
  public List<String> addTo(BaseLayer.Builder layer, BytecodeCompiler compiler)
      throws InterruptedException {
    WheelBytecode bytecode = bytecode(compiler);
    Map<String, Wheel> owners = new LinkedHashMap<>();
    List<String> conflicts = new ArrayList<>();
    for (SharedLibrary library : libraries) {
      library
          .contents()
          .files()
          .forEach((path, file) -> layer.file(SharedLibrary.FOLDER + "/" + path, file));
    }
    for (Wheel wheel : candidates.all()) {
      Map<String, BaseLayer.Content> files = new LinkedHashMap<>(wheel.files());
      bytecode.of(wheel).forEach((source, code) -> files.put(cached(source), code));
      files.forEach((path, content) -> layer.file(folder(wheel) + "/" + path, content));
      if (isChosen(wheel)) {
        merge(wheel, files, owners, conflicts, layer);
      }
    }
    return conflicts;
  }

  /** Adds a chosen wheel to site-packages. Where two have a file, the first by name keeps it. */
  private void merge(
      Wheel wheel,
      Map<String, BaseLayer.Content> files,
      Map<String, Wheel> owners,
      List<String> conflicts,
      BaseLayer.Builder layer) {
    Set<Wheel> others = new HashSet<>();
    for (Map.Entry<String, BaseLayer.Content> file : files.entrySet()) {
      Wheel owner = owners.putIfAbsent(file.getKey(), wheel);
      if (owner != null) {
        if (others.add(owner)) {
          conflicts.add(
              owner.title()
                  + " and "
                  + wheel.title()
                  + " both have "
                  + file.getKey()
                  + "; that of "
                  + owner.name()
                  + " is used");
        }
        continue;
      }
      try {
        layer.file(sitePackages() + "/" + file.getKey(), file.getValue());
      } catch (IllegalArgumentException e) {
        conflicts.add(wheel.title() + ": " + e.getMessage() + "; the file is left out");
      }
    }
  }

  /** {@code a/b.py} to {@code a/__pycache__/b.cpython-313.pyc}. */
  private String cached(String source) {
    int slash = source.lastIndexOf('/') + 1;
    return source.substring(0, slash)
        + "__pycache__/"
        + source.substring(slash, source.length() - ".py".length())
        + ".cpython-"
        + platform.pythonMinor().replace(".", "")
        + ".pyc";
  }

  /** Where what is made of these wheels is kept: nowhere if there are none. */
  public CacheHome cache() {
    return isEmpty() ? CacheHome.NONE : cache;
  }

  /** The side modules of all libraries and wheels, in a fixed order. */
  public List<SideModuleFile> sideModules() {
    List<SideModuleFile> modules = new ArrayList<>();
    for (SharedLibrary library : libraries) {
      library
          .contents()
          .files()
          .forEach(
              (path, content) -> {
                if (NativeCode.isSideModule(path)) {
                  modules.add(
                      new SideModuleFile(
                          library.path().getFileName().toString(),
                          List.of(SharedLibrary.FOLDER + "/" + path),
                          content));
                }
              });
    }
    for (Wheel wheel : candidates.all()) {
      for (String path : wheel.sideModules()) {
        List<String> paths = new ArrayList<>();
        if (isChosen(wheel)) {
          paths.add(sitePackages() + "/" + path);
        }
        paths.add(folder(wheel) + "/" + path);
        modules.add(new SideModuleFile(wheel.title(), List.copyOf(paths), wheel.files().get(path)));
      }
    }
    return modules;
  }

  ClosureResolver closure() {
    return new ClosureResolver(candidates, dependencies(), chosen, missing());
  }

  MissingPackages missing() {
    return new MissingPackages(platform, candidates, refused);
  }

  Dependencies dependencies() {
    return new Dependencies(platform, candidates);
  }

  /** Reads what somebody asks for here, which is taken from the folders or not at all. */
  Requirement requirement(String text) throws BadPackagingException {
    Requirement requirement = Requirement.parse(text, platform.markers());
    if (requirement.url() != null) {
      throw new BadPackagingException(
          requirement.text() + ": nothing is downloaded here; drop the wheel in the wheel cache");
    }
    return requirement;
  }

  WheelPlatform platform() {
    return platform;
  }

  /**
   * What a job that requires only some packages sees.
   *
   * @param requirements such as {@code numpy} or {@code pandas>=2}; what they need is visible too
   * @return the view as JSON, for {@code _pyrunr.wheels.restrict}
   * @throws RequirementException if a package is not there, or what it needs is not
   */
  public byte[] view(List<String> requirements) throws RequirementException {
    return new WheelView(this).of(requirements);
  }

  /** Answers a question of a job's micropip; both are JSON. Never throws on what a job may ask. */
  public byte[] answer(byte[] question) {
    return new WheelAnswers(this).answer(question);
  }
}
