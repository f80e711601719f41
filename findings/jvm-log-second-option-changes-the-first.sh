#!/usr/bin/env bash
# Two -Xlog options for one file: the decorations of the last hold for both, where it names none the defaults; of what
# follows them (filecount, filesize) the first holds.
#
# A guess would be that each option decorates its own tags, or that an option that names no decorations leaves those of
# the file alone. So an -Xlog that is added (by a script, JAVA_TOOL_OPTIONS comes first) changes every line of a log
# that somebody parses, without a warning; of the file's other options there is one.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

first() { # the decorations of its first line, the time as T
  head -n 1 "$1" | sed 's/ *Using.*//; s/[0-9.]*s\]/T]/'
}

{
  java -Xlog:gc:file=alone.log:uptime -version 2>/dev/null
  echo "-Xlog:gc:file=x:uptime                             $(first alone.log)"
  java -Xlog:gc:file=two.log:uptime -Xlog:safepoint:file=two.log -version 2>/dev/null
  echo "-Xlog:gc:file=x:uptime -Xlog:safepoint:file=x      $(first two.log)"
  java -Xlog:gc:file=tags.log:uptime -Xlog:safepoint:file=tags.log:tags -version 2>/dev/null
  echo "-Xlog:gc:file=x:uptime -Xlog:safepoint:file=x:tags $(first tags.log)"
  java -Xlog:gc:file=files.log:uptime:filecount=2 -Xlog:safepoint:file=files.log:uptime:filecount=9 -version 2>/dev/null |
    sed -n 's/^\[.*\]\[warning\]\[[a-z ,]*\] //p'
} | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
-Xlog:gc:file=x:uptime                             [T]
-Xlog:gc:file=x:uptime -Xlog:safepoint:file=x      [T][info][gc]
-Xlog:gc:file=x:uptime -Xlog:safepoint:file=x:tags [gc]
Output options for existing outputs are ignored.
END
