#!/usr/bin/env bash
# `jcmd PID VM.log rotate` says "Command executed successfully" and does nothing to a file with filecount=0.
#
# A guess would be that it reopens the file, so that logrotate can move it first: filecount=0 is the documented way to
# turn the JVM's own rotation off. The JVM goes on writing into the file that was moved, and the name stays free. With
# filecount=1 it does reopen, after the complaint that it could not rename what is gone.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Main.java <<'END'
public class Main {
  public static void main(String[] args) throws Exception {
    System.gc();
    java.nio.file.Files.createFile(java.nio.file.Path.of("up"));
    while (!new java.io.File("go").exists()) {
      Thread.sleep(20);
    }
    System.gc();
  }
}
END
javac Main.java

await() { until [ -e "$1" ]; do sleep 0.05; done; }

for files in 0 1; do
  rm -f up go gc.log*
  java -Xlog:gc:file=gc.log::filecount=$files Main >out &
  await up
  mv gc.log moved.log
  before=$(wc -l <moved.log)
  jcmd $! VM.log rotate | sed "s/^[0-9]*:$/filecount=$files/"
  touch go
  wait $!
  if [ -e gc.log ]; then echo "gc.log: there, with the collections that follow"; else echo "gc.log: missing"; fi
  if [ "$(wc -l <moved.log)" -gt "$before" ]; then echo "moved file: grew"; else echo "moved file: left alone"; fi
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
filecount=0
Command executed successfully
gc.log: missing
moved file: grew
filecount=1
Command executed successfully
gc.log: there, with the collections that follow
moved file: left alone
END
