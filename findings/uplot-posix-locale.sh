#!/usr/bin/env bash
# In a browser whose language is no language tag, uPlot 1.6.30 throws where it is loaded, and the page has no plot.
#
# A guess would be that every browser's navigator.language is one, or that a library asks for it only where it writes a
# number. Chromium started without LANG, or with LANG=C, as in a container, gives en-US@posix; uPlot hands that to
# Intl.NumberFormat while it is loaded, which ends the script that has it, and each later use of uPlot.
#
# Seen on 2026-11-28 with Node 20.20.2: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund uplot@1.6.30 >/dev/null

cat >main.js <<'END'
Object.assign(globalThis, { // as much of a browser as uPlot needs to be loaded
  window: globalThis, document: {}, devicePixelRatio: 1, CustomEvent: class {},
  addEventListener() {}, dispatchEvent() {}, matchMedia: () => ({ addEventListener() {} }),
});
for (const language of ['en-US', 'en-US@posix']) {
  Object.defineProperty(globalThis, 'navigator', { value: { language }, configurable: true });
  delete require.cache[require.resolve('uplot')];
  let seen;
  try { seen = typeof require('uplot'); } catch (e) { seen = e.name; }
  console.log(`${language}: ${seen}`);
}
END

node main.js | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
en-US: function
en-US@posix: RangeError
END
