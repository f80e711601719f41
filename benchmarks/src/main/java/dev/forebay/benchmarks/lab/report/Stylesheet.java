package dev.forebay.benchmarks.lab.report;

/** How the page looks, in light and in dark. Colours of the peers: {@link PeerStyle}. */
final class Stylesheet {

  static final String TEXT =
      """
      :root {
        --bg: #ffffff; --fg: #1c2330; --faint: #5b6475; --line: #dfe3ea; --tint: #eef4ff;
        --fault: #f4c9c4; --good: #126b36; --bad: #b3152b; --told: #d99a00; --lost: #c4122f;
        --kept: #3f7f63;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --bg: #14181f; --fg: #e4e8ef; --faint: #9ba5b5; --line: #303846; --tint: #1b2a44;
          --fault: #512b2b; --good: #5fd08d; --bad: #ff7d85; --told: #d9a521; --lost: #ef5562;
          --kept: #4d9c7b;
        }
      }
      * { box-sizing: border-box; }
      body {
        margin: 0; background: var(--bg); color: var(--fg);
        font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
      }
      main { max-width: 1080px; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
      h1 { font-size: 1.7rem; margin: 0; }
      h2 { font-size: 1.3rem; margin: 3rem 0 .4rem; padding-top: .8rem;
        border-top: 2px solid var(--line); }
      h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
      p { margin: .3rem 0 .7rem; max-width: 52rem; }
      .how, .faint, small { color: var(--faint); }
      .load { font-weight: 600; }
      .verdict { font-size: 1.2rem; line-height: 1.4; margin: .8rem 0 1.2rem; max-width: 60rem; }
      nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1.5rem 0 .8rem; }
      a { color: inherit; }
      details { margin: .6rem 0; }
      summary { cursor: pointer; color: var(--faint); }
      .warning { border-left: 4px solid var(--bad); padding: .2rem 1rem; margin: 1rem 0; }
      .wide { overflow-x: auto; margin: .8rem 0 1.2rem; }
      table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
      caption { text-align: left; font-weight: 600; padding: .2rem 0; }
      th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
        vertical-align: top; white-space: nowrap; }
      thead th, thead th:first-child { color: var(--faint); font-weight: 600;
        vertical-align: bottom; }
      thead th { white-space: normal; max-width: 8.5rem; }
      thead th.words, .budgets th:nth-child(4) { text-align: left; }
      th:first-child { text-align: left; padding-left: 0; font-weight: 400;
        position: sticky; left: 0; background: var(--bg); }
      td.words { text-align: left; white-space: normal; min-width: 11rem; max-width: 46rem; }
      td small, th small { display: block; font-size: 11px; line-height: 1.25; }
      th small { white-space: normal; max-width: 25rem; }
      td.doubtful { color: var(--faint); font-style: italic; }
      sup { font-size: 9px; line-height: 0; margin-left: .2em; }
      tr.ours, tr.ours th:first-child { background: var(--tint); }
      tr.ours th:first-child, .ours { font-weight: 700; }
      .ours small { font-weight: 400; }
      .facts td.words { overflow-wrap: anywhere; white-space: pre-line; }
      .facts th { color: var(--faint); padding-right: 1.2rem; }
      td.judged { text-align: left; }
      b.met { color: var(--good); } b.missed { color: var(--bad); }
      b.unknown, b.not-judged { color: var(--faint); font-weight: 400; }
      .budgets td:last-child { white-space: normal; min-width: 8rem; max-width: 14rem; }
      figure { margin: .6rem 0 1rem; }
      figcaption { font-weight: 600; }
      figure details { margin: 0; font-size: 13px; }
      .legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: 13px;
        margin-bottom: .3rem; }
      .legend label, div.legend > span { display: inline-flex; align-items: center; gap: .35rem; }
      .legend label { cursor: pointer; }
      .legend label:has(input:not(:checked)) { color: var(--faint); }
      .legend input { margin: 0; width: 14px; height: 14px; flex: none; accent-color: var(--c); }
      .legend em { color: var(--bad); }
      .swatch { width: 30px; height: 10px; flex: none; }
      .box { display: inline-block; width: 10px; height: 10px; margin-right: .45em; flex: none;
        background: var(--c); }
      """;

  /** Plots and bars, whose labels are HTML beside what is drawn. */
  static final String PLOTS =
      """
      .plot { position: relative; height: 340px; margin: 14px 124px 26px 56px; font-size: 12.5px;
        line-height: 1; }
      .plot > svg { position: absolute; width: 100%; height: 100%; overflow: visible; }
      .plot > span, .scale .x { position: absolute; white-space: nowrap; }
      .plot .y { right: 100%; transform: translate(-8px, -50%); }
      .plot .x, .scale .x { top: 100%; transform: translate(-50%, 7px); }
      .plot .end { left: 100%; transform: translate(9px, -50%); color: var(--c); font-weight: 600; }
      .plot .fault-name { top: 0; padding: 6px; color: var(--faint); }
      p.axis { text-align: center; color: var(--faint); font-size: 12.5px; max-width: none;
        margin: 0 124px 0 56px; }
      .plot path { fill: none; vector-effect: non-scaling-stroke; }
      .grid { stroke: var(--line); }
      .line { fill: none; stroke: var(--c); stroke-width: var(--w); stroke-dasharray: var(--dash);
        stroke-linejoin: round; }
      .line.void { stroke-dasharray: .1 4.5; stroke-linecap: round; }
      .line.gap { stroke-opacity: .35; }
      .leader { stroke: var(--c); stroke-opacity: .45; }
      .dot { stroke: var(--c); stroke-width: 6px; stroke-linecap: round; }
      svg .bar { fill: var(--c); }
      svg .pale { fill-opacity: .45; }
      .fault { fill: var(--fault); opacity: .55; }
      .pair { display: grid; gap: 1rem;
        grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
      .pair .plot { height: 200px; margin-right: 10px; }
      .pair .axis { margin-right: 10px; }
      .bars { font-size: 13px; margin-bottom: 30px; }
      .row { display: grid; grid-template-columns: 15.5rem 1fr 15rem; gap: 0 .8rem;
        align-items: center; padding: 4px 0; }
      .row .name { text-align: right; }
      .row .words { font-weight: 400; }
      .track { position: relative; height: 18px; }
      .track i { position: absolute; top: 0; bottom: 0; }
      .track .bar { background: var(--c); }
      .track .hatched { background: repeating-linear-gradient(135deg, var(--c) 0 4px,
        var(--bg) 4px 7px); }
      .track .whisker { top: 4px; bottom: 4px; border: solid var(--fg); border-width: 0 1.5px; }
      .track .whisker::before { content: ""; position: absolute; left: 0; right: 0; top: 50%;
        border-top: 1.5px solid var(--fg); }
      .scale { padding: 0; color: var(--faint); }
      .scale .track { height: 0; border-top: 1px solid var(--line); }
      .scale .name { line-height: 1; padding-top: 14px; }
      .delivered { background: var(--kept); } .dropped { background: var(--told); }
      .unaccounted, .held-heap { background: var(--lost); } .held-spool { background: var(--kept); }
      """;

  /** A table becomes a card a row, so that nothing is cut. */
  static final String NARROW =
      """
      @media (max-width: 640px) {
        main { padding: 1rem .75rem; }
        .wide { overflow: visible; }
        .plot, p.axis { margin-left: 46px; margin-right: 102px; font-size: 11.5px; }
        .plot .end { transform: translate(5px, -50%); font-size: 11px; }
        .plot .line { stroke-width: calc(var(--w) * .7px); }
        .row { display: flex; flex-wrap: wrap; justify-content: space-between; padding: 5px 0; }
        .row .words { white-space: nowrap; margin-left: auto; }
        .row .track { order: 1; flex: 0 0 100%; }
        .scale .name { order: 2; flex: 0 0 100%; text-align: center; padding-top: 26px; }
        table, caption, tbody, th, td { display: block; }
        thead { display: none; }
        tr { display: block; padding: .35rem 0; border-bottom: 1px solid var(--line); }
        .cards tr { display: grid; gap: .15rem .5rem;
          grid-template-columns: repeat(auto-fill, minmax(5.2rem, 1fr)); }
        tbody th:first-child { grid-column: 1 / -1; position: static; font-weight: 600; }
        th, td { border: 0; padding: 0; text-align: left; white-space: normal; }
        td { overflow-wrap: anywhere; }
        .cards td::before { content: attr(data-head); display: block; color: var(--faint);
          font-size: 11px; font-weight: 400; font-style: normal; line-height: 1.2; }
        td.words { grid-column: 1 / -1; min-width: 0; }
        .budgets tr { grid-template-columns: 4rem 4rem 4.5rem 1fr; }
        .budgets td:last-child { min-width: 0; max-width: none; }
        th small { font-weight: 400; }
        tr.ours { margin: 0 -.4rem; padding-left: .4rem; padding-right: .4rem; }
      }
      @media print { nav, .legend input { display: none; } h2 { break-after: avoid; } }
      """;

  private Stylesheet() {}
}
