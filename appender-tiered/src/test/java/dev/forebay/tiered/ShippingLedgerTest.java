package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.observe.Ledger;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShippingLedgerTest {

  private final Voice voice = new Voice();
  private final ShippingLedger account =
      new ShippingLedger(new Ledger(), new FormerSpools(), "app.log", true, () -> 0, voice);

  @Test
  void aSpoolThatCannotBeReadIsNoFailureOfTheLog() {
    account.unreadable(new IOException("cannot read the spool s-1: EIO"));
    account.unreadable(new IOException("cannot read the spool s-1: EIO"));

    assertThat(voice.said).containsExactly("cannot read the spool s-1: EIO; trying again");
    assertThat(account.logHealth().isFailing()).isFalse();
    assertThat(account.readHealth().isFailing()).isTrue();
    account.worked();
    assertThat(account.readHealth().isFailing()).isFalse();
  }

  /** Notes what it says. */
  private static final class Voice implements LogVoice {
    private final List<String> said = new ArrayList<>();

    @Override
    public void info(String text) {
      said.add(text);
    }

    @Override
    public void warn(String text, @Nullable Exception cause) {
      said.add(text);
    }

    @Override
    public void error(String text, Exception cause) {
      said.add(text);
    }

    @Override
    public void lasting(String text) {
      said.add(text);
    }

    @Override
    public void over() {}

    @Override
    public void changedByOthers() {}
  }
}
