#!/usr/bin/env bash
# After a file has been rolled, npm's tail 2.2.6 with follow reads the new one from the place in the old one, once, and
# then nothing more of it.
#
# A guess would be that a follower by name reads the old file to its end and the new one from its beginning, as `tail
# -F` does, or at least goes on with the new one. This one loses the last line before the roll, cuts the first one after
# it, and lines written later never come.
#
# Seen on 2026-11-28 with Node 20.20.2: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund tail@2.2.6 >/dev/null

cat >main.js <<'END'
const fs = require('fs');
const { Tail } = require('tail');
const seen = [];
fs.writeFileSync('app.log', 'one\n');
const tail = new Tail('app.log', { fromBeginning: true, follow: true });
tail.on('line', line => seen.push(line));
setTimeout(() => { // what a roll does, at once
  fs.appendFileSync('app.log', 'two: the last before the roll\n');
  fs.renameSync('app.log', 'app.1.log');
  fs.writeFileSync('app.log', 'three: the first after the roll\n');
}, 1000);
for (const seconds of [4, 5, 6, 7]) {
  setTimeout(() => fs.appendFileSync('app.log', `four: ${seconds}\n`), seconds * 1000);
}
setTimeout(() => {
  seen.forEach(line => console.log('line: ' + line));
  process.exit(0);
}, 10000);
END
node main.js | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
line: one
line: e: the first after the roll
END
