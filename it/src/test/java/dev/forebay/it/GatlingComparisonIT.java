package dev.forebay.it;
import static org.assertj.core.api.Assertions.assertThat;
import org.junit.jupiter.api.Test;
class GatlingComparisonIT {
  @Test
  void tryOne() throws Exception {
    for (GatlingApp app : GatlingApp.values()) for (GatlingCondition c : GatlingCondition.values()) for (GatlingAppender a : GatlingAppender.values()) {
      if (!System.getProperty("only", "play healthy forebay").contains(app+" "+c+" "+a)) continue;
      long t = System.nanoTime();
      GatlingLoad load = new GatlingLoad(Integer.getInteger("users", 20), 500);
      GatlingOutcome o = new GatlingRun(app, a, c).run(load);
      System.out.println(app+" "+c+" "+a+" "+(System.nanoTime()-t)/1e9+" s "+o+" lost "+o.lost()+" "+o.faults(load));
    }
  }
}
