package io.pyrunr.executor.internal.packaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions and their order, with the examples of PEP 440 and of the library "packaging". */
class PackageVersionTest {
  private static final List<String> ASCENDING =
      List.of(
          "1.0.dev456",
          "1.0a1",
          "1.0a2.dev456",
          "1.0a12.dev456",
          "1.0a12",
          "1.0b1.dev456",
          "1.0b2",
          "1.0b2.post345.dev456",
          "1.0b2.post345",
          "1.0b2-346",
          "1.0c1.dev456",
          "1.0c1",
          "1.0rc2",
          "1.0c3",
          "1.0",
          "1.0.post456.dev34",
          "1.0.post456",
          "1.1.dev1",
          "1.2+123abc",
          "1.2+123abc456",
          "1.2+abc",
          "1.2+abc123",
          "1.2+abc123def",
          "1.2+1234.abc",
          "1.2+123456",
          "1.2.r32+123456",
          "1.2.rev33+123456",
          "1.10",
          "2013.10",
          "1!1.0.dev456",
          "1!1.0a1",
          "1!1.0",
          "1!1.2+123456",
          "1!2013.10");

  private static PackageVersion version(String text) throws BadPackagingException {
    return PackageVersion.parse(text);
  }

  @Test
  void orderOfTheStandard() throws Exception {
    List<PackageVersion> versions = new ArrayList<>();
    for (String text : ASCENDING) {
      versions.add(version(text));
    }
    Collections.shuffle(versions, new Random(1));
    Collections.sort(versions);
    assertEquals(ASCENDING, versions.stream().map(PackageVersion::toString).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "1.0, 1.0.0",
    "1.0, v1.0",
    "1.0a1, 1.0-alpha.1",
    "1.0rc1, 1.0_preview_1",
    "1.0rc1, 1.0c1",
    "1.0.post1, 1.0-1",
    "1.0.post0, 1.0-r",
    "1.0.dev0, 1.0dev",
    "1.0+abc.1, 1.0+ABC-1",
    "0!1.0, 1",
    "1.0a0, 1.0A",
    "01.02, 1.2"
  })
  void spellingsOfTheSame(String a, String b) throws Exception {
    assertEquals(version(a), version(b));
    assertEquals(version(a).hashCode(), version(b).hashCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "french toast",
        "1.0+a+",
        "1.0++",
        "1.0+_foobar",
        "1.0+foo&asd",
        "1.0.",
        "1..0",
        "1.0-",
        "１.0",
        "1.0a1a1",
        "1.99999999999999999999"
      })
  void noVersions(String text) {
    assertThrows(BadPackagingException.class, () -> version(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "==1.0 | 1.0 | true",
        "==1.0 | 1.0+local | true",
        "==1.0+local | 1.0 | false",
        "==1.0+local | 1.0+local | true",
        "==1.1.* | 1.1.5 | true",
        "==1.1.* | 1.1a1 | true",
        "==1.1.* | 1.1.post1 | true",
        "==1.1.* | 1.10 | false",
        "==1.* | 1 | true",
        "==1.0.0.* | 1.0 | true",
        "!=1.1.* | 1.1.5 | false",
        "!=1.1 | 1.1.0 | false",
        "~=2.2 | 2.9 | true",
        "~=2.2 | 3.0 | false",
        "~=2.2 | 2.1 | false",
        "~=1.4.5 | 1.4.9 | true",
        "~=1.4.5 | 1.5 | false",
        "~=2.2.post3 | 2.2.post3 | true",
        "~=2.2.post3 | 2.2 | false",
        ">=1.0 | 1.0+x | true",
        "<=1.0 | 1.0+x | true",
        "<1.0 | 1.0rc1 | false",
        "<1.0rc2 | 1.0rc1 | true",
        "<1.0 | 0.9rc1 | true",
        ">1.0 | 1.0.post1 | false",
        ">1.0 | 1.0+local | false",
        ">1.0 | 1.0.1 | true",
        ">1.0.post1 | 1.0.post2 | true",
        "===1.0 | 1.0 | true",
        "===1.0 | 1.0.0 | false",
        ">=1.0,<2,!=1.5 | 1.4 | true",
        ">=1.0,<2,!=1.5 | 1.5 | false",
        "'' | 17 | true",
        ">=1.0, | 2 | true",
        "==1!1.0 | 1.0 | false",
        "==2.0.* | 2!2.0 | false"
      })
  void conditions(String specifiers, String version, boolean expected) throws Exception {
    assertEquals(expected, VersionSpecifiers.parse(specifiers).matches(version(version)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "=>1", "~=1", ">=1.*", "<1+x", "==", ">=1.0 <2", "==1.0+x.*"})
  void noConditions(String text) {
    assertThrows(BadPackagingException.class, () -> VersionSpecifiers.parse(text));
  }

  @Test
  void prereleasesAreAskedForByNaming() throws Exception {
    assertTrue(VersionSpecifiers.parse(">=1.0rc1").mentionsPrerelease());
    assertTrue(!VersionSpecifiers.parse(">=1.0,!=1.0rc1").mentionsPrerelease());
  }
}
