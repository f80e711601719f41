package dev.forebay.testkit;

import dev.forebay.observe.DropSummary;
import dev.forebay.observe.FailureListener;
import dev.forebay.observe.OutputProblem;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is told, as text, and by which threads. */
public final class RecordingListener implements FailureListener {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<DropSummary> drops = new CopyOnWriteArrayList<>();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private volatile Runnable before = () -> {};

  public RecordingListener before(Runnable step) {
    before = step;
    return this;
  }

  @Override
  public void onDropped(String appender, List<DropSummary> summaries) {
    note("dropped " + summaries.stream().mapToLong(DropSummary::count).sum());
    drops.addAll(summaries);
  }

  @Override
  public void onDropsEnded(String appender) {
    note("ended");
  }

  @Override
  public void onOutputFailed(String appender, OutputProblem problem) {
    note("failed " + problem.output() + " " + problem.failures() + " " + problem.reason());
  }

  @Override
  public void onOutputRecovered(String appender, OutputProblem problem) {
    note("recovered " + problem.output());
  }

  @Override
  public void onAppenderStarted(String appender) {
    note("started " + appender);
  }

  @Override
  public void onAppenderStopped(String appender) {
    note("stopped " + appender);
  }

  private void note(String call) {
    threads.add(Thread.currentThread());
    before.run();
    calls.add(call);
  }

  public List<String> calls() {
    return calls;
  }

  public List<String> calls(String prefix) {
    return calls.stream().filter(call -> call.startsWith(prefix)).toList();
  }

  public List<DropSummary> drops() {
    return drops;
  }

  public long dropped() {
    return drops.stream().mapToLong(DropSummary::count).sum();
  }

  public Set<Thread> threads() {
    return threads;
  }
}
