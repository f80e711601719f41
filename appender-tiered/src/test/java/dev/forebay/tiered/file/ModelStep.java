package dev.forebay.tiered.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.Transformer;

/** What a model does to its world, with a number from 1 on. */
interface ModelStep<W> {

  void run(W world, int number) throws IOException;

  static <W> Action.Independent<W> step(String name, int max, ModelStep<W> step) {
    return new Action.Independent<>() {
      @Override
      public Arbitrary<Transformer<W>> transformer() {
        return Arbitraries.integers()
            .between(1, max)
            .map(number -> Transformer.mutate(name + " " + number, world -> run(world, number)));
      }

      private void run(W world, int number) {
        try {
          step.run(world, number);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }
}
