package dev.forebay.kafka;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.identity.InstanceId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/** A position in a spool as brokers keep it: an offset, whose metadata has what is not there. */
final class KeptPosition {

  private static final Pattern METADATA = Pattern.compile("lost=(\\d{1,18}) refused=(\\d{1,18})");

  private KeptPosition() {}

  static OffsetAndMetadata of(SpoolPosition position) {
    String metadata = "lost=" + position.lost() + " refused=" + position.refused();
    return new OffsetAndMetadata(position.sequence(), metadata);
  }

  /** Without counts if another version, or an administrator, has set it. */
  static SpoolPosition of(InstanceId spool, OffsetAndMetadata kept) {
    Matcher counts = METADATA.matcher(kept.metadata());
    boolean isOurs = counts.matches();
    long lost = isOurs ? Long.parseLong(counts.group(1)) : 0;
    long refused = isOurs ? Long.parseLong(counts.group(2)) : 0;
    boolean isSound = refused <= lost && lost <= kept.offset();
    return new SpoolPosition(spool, kept.offset(), isSound ? lost : 0, isSound ? refused : 0);
  }
}
