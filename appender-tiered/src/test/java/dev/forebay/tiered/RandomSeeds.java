package dev.forebay.tiered;

import java.util.concurrent.ThreadLocalRandom;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Gives every property another seed in each run, and prints it, where {@code damage.seed} is {@code
 * random}: at night.
 */
public final class RandomSeeds implements AroundPropertyHook {

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext property, PropertyExecutor executor) {
    if ("random".equals(System.getProperty("damage.seed"))) {
      String seed = String.valueOf(ThreadLocalRandom.current().nextLong());
      property.attributes().setSeed(seed);
      System.out.printf("%s: seed = \"%s\"%n", property.extendedLabel(), seed);
    }
    return executor.execute();
  }
}
