#!/usr/bin/env bash
# rsyslog 8.2302 (Debian's package rsyslog): with oversizemsg.input.mode="split" the parts of a long line leave the
# ruleset of their input and go to the default one.
#
# A guess would be that the parts go where the line would have gone. A recipe with a ruleset of its own and nothing else
# loses the whole line, without an error; beside the system's rules, the parts are in /var/log/syslog. "truncate", the
# default, keeps 8,096 bytes of 8k in the ruleset, "accept" all.
#
# Seen on 2026-11-28: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
command -v rsyslogd >/dev/null || { echo "rsyslogd is needed: apt-get install rsyslog" >&2; exit 2; }

lengths() { awk '{ printf " %d", length($0) }' "$1" 2>/dev/null || true; }

for mode in truncate split accept; do
  mkdir $mode
  { echo first; head -c 20000 /dev/zero | tr '\0' x; echo; echo last; } >$mode/app.log
  cat >$mode/conf <<END
global(workDirectory="$work/$mode" oversizemsg.input.mode="$mode")
module(load="imfile" mode="inotify")
template(name="line" type="string" string="%msg%\\n")
ruleset(name="app") { action(type="omfile" file="$work/$mode/app" template="line") }
input(type="imfile" file="$work/$mode/app.log" tag="app" ruleset="app")
action(type="omfile" file="$work/$mode/default" template="line")
END
  rsyslogd -n -f "$work/$mode/conf" -i "$work/$mode/pid" &
  for _ in {1..100}; do
    if grep -qs last $mode/app; then break; fi
    sleep 0.1
  done
  kill $!
  wait $!
  echo "$mode: lengths of lines in the ruleset$(lengths $mode/app), outside$(lengths $mode/default)"
done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
truncate: lengths of lines in the ruleset 5 8096 4, outside
split: lengths of lines in the ruleset 5 4, outside 8096 8096 3808
accept: lengths of lines in the ruleset 5 20000 4, outside
END
