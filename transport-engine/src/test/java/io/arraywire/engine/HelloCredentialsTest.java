package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.security.Identity;
import io.arraywire.testkit.TestAuthority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of peers that only a certificate names. */
class HelloCredentialsTest {
  private final TestAuthority authority = TestAuthority.named("some authority");

  private String name(String commonName, String... names) {
    return HelloCredentials.name(authority.issue(commonName, names).certificate());
  }

  @Test
  void aSubjectIsAName() {
    assertThat(name("trainer")).isEqualTo("CN=trainer");
    assertThat(name("x".repeat(197))).hasSize(200).startsWith("CN=x");
  }

  /** Each certificate has another serial number, and a renewed one names the same peer. */
  @ParameterizedTest
  @ValueSource(strings = {"long", "a\u202eb"})
  void aSubjectThatFitsNoLineIsHashed(String some) {
    String subject = some.equals("long") ? "x".repeat(198) : some;
    String name = name(subject);
    assertThat(name)
        .matches("certificate [0-9a-f]{64}")
        .isEqualTo(name(subject))
        .isNotEqualTo(name(subject + "y"));
    assertThat(Identity.of(name).name()).isEqualTo(name);
  }

  @Test
  void withoutASubjectItsOtherNamesAndItsIssuerAre() {
    String name = name("", "a.example.org");
    assertThat(name)
        .matches("certificate [0-9a-f]{64}")
        .isEqualTo(name("", "a.example.org"))
        .isNotEqualTo(name("", "b.example.org"));
    TestAuthority other = TestAuthority.named("other authority");
    assertThat(HelloCredentials.name(other.issue("", "a.example.org").certificate()))
        .isNotEqualTo(name);
  }

  /** The JDK reads no such certificate; a provider of the user's may. */
  @Test
  void withoutAnyNameItsKeyIs() {
    NamelessCertificate nobody = new NamelessCertificate(authority.issue("a").certificate());
    String name = HelloCredentials.name(nobody);
    assertThat(name).matches("certificate [0-9a-f]{64}").isEqualTo(HelloCredentials.name(nobody));
    NamelessCertificate other = new NamelessCertificate(authority.issue("a").certificate());
    assertThat(HelloCredentials.name(other)).isNotEqualTo(name);
    assertThat(Identity.of(name).name()).isEqualTo(name);
  }
}
