package io.pyrunr.dashboard.internal.cli;

import io.pyrunr.executor.WheelCache;
import io.pyrunr.executor.WheelReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code pyrunr wheels}: looks after the folders that jobs find their packages in. */
@Command(
    name = "wheels",
    description = "Looks after the wheels that jobs can import.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    synopsisSubcommandLabel = "(list | check | add | lock)",
    subcommands = {
      WheelsCommand.ListCommand.class,
      WheelsCommand.CheckCommand.class,
      WheelsCommand.AddCommand.class,
      WheelsCommand.LockCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  pyrunr wheels add pandas",
      "  pyrunr wheels check --wheel-cache wheel-cache"
    })
public final class WheelsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.OK;
  }

  private static WheelCache cache(WheelFolderOptions folders) {
    WheelCache cache = WheelCache.of(folders.all());
    return folders.cache().map(cache::withCache).orElse(cache);
  }

  /** What a command does with the cache; a folder that is none is the user's mistake. */
  private interface Work<T> {
    T with(WheelCache cache) throws IOException, InterruptedException;
  }

  private static <T> T use(WheelFolderOptions folders, Work<T> work)
      throws IOException, InterruptedException {
    try {
      return work.with(cache(folders));
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage());
    }
  }

  /** Where what was compiled is, and where it was before it had a place of its own. */
  private static List<String> notes(WheelFolderOptions folders) {
    List<String> notes = new ArrayList<>();
    WheelCache cache = cache(folders);
    long megabytes = (cache.cacheBytes() + 999_999) / 1_000_000;
    cache
        .cacheFolder()
        .ifPresent(place -> notes.add("compiled wheels: " + place + ", " + megabytes + " MB"));
    for (Path folder : folders.all()) {
      Path old = folder.resolve(".pyrunr");
      if (Files.isDirectory(old)) {
        notes.add(old + " is not used any more; it may be deleted");
      }
    }
    return notes;
  }

  /** {@code pyrunr wheels list}. */
  @Command(
      name = "list",
      description = "Lists the wheels, and says which version of each package jobs see.",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class ListCommand implements Callable<Integer> {
    @Mixin private WheelFolderOptions folders;
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      WheelReport contents = use(folders, WheelCache::list);
      WheelTables.list(contents, notes(folders), spec.commandLine().getOut());
      return ExitCode.OK;
    }
  }

  /** {@code pyrunr wheels check}. */
  @Command(
      name = "check",
      description = {
        "Checks every wheel: whether it can be used and why not, what it needs and whether that is "
            + "there. Compiles what is not compiled yet, so that no job waits for it."
      },
      mixinStandardHelpOptions = true,
      sortOptions = false,
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:every wheel can be used and has what it needs",
        "1:one cannot, or lacks something",
        "2:the command was not understood"
      })
  static final class CheckCommand implements Callable<Integer> {
    @Mixin private WheelFolderOptions folders;
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      WheelReport contents = use(folders, WheelCache::check);
      WheelTables.check(contents, notes(folders), spec.commandLine().getOut());
      return contents.sound() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
  }

  /** {@code pyrunr wheels add}. */
  @Command(
      name = "add",
      description = {
        "Fetches packages that were built for this Pyodide, with all they need, into the first "
            + "folder. Every file is compared with the SHA-256 in pyodide-lock.json."
      },
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class AddCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Packages, such as numpy.")
    private List<String> names;

    @Option(
        names = "--from",
        paramLabel = "URL|DIR",
        defaultValue = "https://cdn.jsdelivr.net/pyodide/v0.29.3/full/",
        description = "Where the files are: an address or a folder; default ${DEFAULT-VALUE}")
    private String from;

    @Mixin private WheelFolderOptions folders;
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      List<Path> files =
          use(
              folders,
              cache ->
                  cache.add(
                      names,
                      from,
                      line -> {
                        out.println(line);
                        out.flush();
                      }));
      out.println(files.size() + (files.size() == 1 ? " file" : " files"));
      return ExitCode.OK;
    }
  }

  /** {@code pyrunr wheels lock}. */
  @Command(
      name = "lock",
      description = {
        "Writes the chosen version and the SHA-256 of every package to pyrunr.lock in the first "
            + "folder. From then on only these are chosen, whatever else is put there."
      },
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class LockCommand implements Callable<Integer> {
    @Mixin private WheelFolderOptions folders;
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      Path file = use(folders, WheelCache::lock);
      spec.commandLine().getOut().println(file + " written");
      return ExitCode.OK;
    }
  }
}
