package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettersTest {

  /** Of code that is not checked for null. */
  private static final String NONE = none();

  @SuppressWarnings("NullAway") // on purpose
  private static String none() {
    return null;
  }

  @Test
  void nullIsAMistakeThatCostsNoLine() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JsonLinesEncoder encoder =
        Lines.encoder(
            context,
            "ecs",
            each -> {
              each.setFormat(NONE);
              each.addField(NONE);
              each.addIncludeMdcKey(NONE);
              each.addExcludeMdcKey(NONE);
              each.setHost(NONE);
              each.setServiceName(NONE);
            });
    AnyEvent any = new AnyEvent();
    any.message = "hello";
    assertThat(Lines.fields(encoder, any.event())).containsEntry("message", "hello");
    assertThat(Lines.problems(context))
        .isEqualTo(
            List.of(
                "ERROR <field> is \"null\": must be name=value; lines are written without it",
                "ERROR <includeMdcKey> is null: must be a text; lines are written without it",
                "ERROR <excludeMdcKey> is null: must be a text; lines are written without it",
                "ERROR <host> is null: must be a text; lines are written without it",
                "ERROR <serviceName> is null: must be a text; lines are written without it",
                "ERROR <format> is \"null\": must be logstash, ecs, gelf or otlp; lines are written as logstash"));
  }
}
