package dev.forebay.it.kafka;

import static dev.forebay.it.kafka.Applications.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import java.util.List;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Brokers that do not let the application in, until its password or its rights are right. */
@Tag("nightly")
class KafkaRightsIT {

  private static final String USER = "app";
  private static final String PASSWORD = "right";

  /** A change that makes the brokers take what was refused. */
  private interface Remedy {
    void apply() throws Exception;
  }

  /** What an application needs. */
  private enum Right {
    WRITE_TOPIC(ResourceType.TOPIC, AclOperation.WRITE),
    READ_TOPIC(ResourceType.TOPIC, AclOperation.READ),
    WRITE_ID(ResourceType.TRANSACTIONAL_ID, AclOperation.WRITE),
    READ_GROUP(ResourceType.GROUP, AclOperation.READ);

    private final ResourceType type;
    private final AclOperation operation;

    Right(ResourceType type, AclOperation operation) {
      this.type = type;
      this.operation = operation;
    }
  }

  @AutoClose private final Places places = Places.create();
  @AutoClose private Broker broker;
  private Topic topic;
  private Applications applications;

  private void start(String password) throws Exception {
    broker = Broker.in(places.directory("broker"));
    topic = new Topic(broker.address(), "guarded");
    String address = broker.withUser(USER, password).alsoListen("SASL_PLAINTEXT");
    broker
        .with("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
        .with("super.users", "User:ANONYMOUS") // who comes without a password: test and brokers
        .start();
    topic.create();
    applications =
        new Applications(
            places,
            address,
            topic.name(),
            config(
                "security.protocol=SASL_PLAINTEXT",
                "sasl.mechanism=SCRAM-SHA-256",
                "sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule"
                    + " required username=\"%s\" password=\"%s\";".formatted(USER, PASSWORD)));
  }

  private void allow(Right allowed) throws Exception {
    ResourceType type = allowed.type;
    boolean isTopic = type == ResourceType.TOPIC;
    ResourcePattern what =
        isTopic
            ? new ResourcePattern(type, topic.name(), PatternType.LITERAL)
            : new ResourcePattern(type, "forebay-" + topic.name() + "-", PatternType.PREFIXED);
    AclBinding right =
        new AclBinding(
            what,
            new AccessControlEntry(
                "User:" + USER, "*", allowed.operation, AclPermissionType.ALLOW));
    topic.ask(admin -> admin.createAcls(List.of(right)).all().get());
  }

  /** Told once in these words, nothing of it is readable; after the remedy each is there once. */
  private void requireWaiting(Remedy remedy, String... words) throws Exception {
    try (Tiered tiered = applications.here()) {
      tiered.log("early", 0, 50);
      tiered.awaitWarning(words);
      tiered.log("between", 0, 50);
      assertThat(topic.readable()).isZero();
      remedy.apply();
      tiered.log("late", 0, 50).flush();
      assertThat(tiered.problems()).as(tiered.problems().toString()).hasSize(1);
      assertThat(tiered.snapshot().dropped()).isZero();
      assertThat(tiered.snapshot().delivered()).isEqualTo(150);
    }
    Oracle oracle =
        new Oracle().producer("early", 50, 50).producer("between", 50, 50).producer("late", 50, 50);
    Committed.of(topic).requireSound(oracle.complete(0));
  }

  @Test
  void aWrongPasswordIsToldAndTheRightOneDeliversAll() throws Exception {
    start("wrong");
    for (Right each : Right.values()) {
      allow(each);
    }
    var right = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
    var change = new UserScramCredentialUpsertion(USER, right, PASSWORD);
    requireWaiting(
        () -> topic.ask(admin -> admin.alterUserScramCredentials(List.of(change)).all().get()),
        "uthentication");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WRITE_TOPIC | Not authorized to access topics: [guarded] | The user needs Write on the topic",
        "READ_TOPIC | cannot write | The user needs Read on it and on the topic",
        "WRITE_ID | transactional id forebay-guarded- | The user needs Write on it",
        "READ_GROUP | group forebay-guarded- | The user needs Read on it"
      })
  void whoLacksARightIsToldAndWaits(Right missing, String cause, String need) throws Exception {
    start(PASSWORD);
    for (Right right : Right.values()) {
      if (right != missing) {
        allow(right);
      }
    }
    requireWaiting(() -> allow(missing), cause, need);
  }
}
