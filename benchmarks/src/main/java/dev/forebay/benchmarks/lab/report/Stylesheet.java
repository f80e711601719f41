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
      nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .8rem 0; }
      a { color: inherit; }
      .warning { border-left: 4px solid var(--bad); padding: .2rem 1rem; margin: 1rem 0; }
      .wide { overflow-x: auto; margin: .8rem 0 1.2rem; }
      table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
      caption { text-align: left; font-weight: 600; padding: .2rem 0; }
      th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
        vertical-align: top; white-space: nowrap; }
      thead th, thead th:first-child { color: var(--faint); font-weight: 600; vertical-align: bottom; }
      thead th { white-space: normal; max-width: 8.5rem; }
      thead th.words { text-align: left; }
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
      .budgets td.words { min-width: 0; white-space: nowrap; }
      b.met { color: var(--good); } b.missed { color: var(--bad); }
      b.unknown, b.not-judged { color: var(--faint); font-weight: 400; }
      figure { margin: .6rem 0 1rem; }
      figcaption { font-weight: 600; }
      figure > svg { display: block; width: 100%; height: auto; }
      .pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem; }
      .pair svg { max-width: 580px; }
      .legend + p { margin-top: .8rem; }
      .legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: 13px;
        margin-bottom: .3rem; }
      .legend label, .legend span { display: inline-flex; align-items: center; gap: .35rem;
        white-space: nowrap; }
      .legend label { cursor: pointer; }
      .legend input { margin: 0; width: 12px; height: 12px; accent-color: var(--c); }
      .legend em { color: var(--bad); }
      .swatch { width: 36px; height: 10px; flex: none; }
      .box { display: inline-block; width: 10px; height: 10px; margin-right: .45em; flex: none;
        background: var(--c); }
      .hidden { position: absolute; }
      svg text { fill: var(--fg); font-size: 12.5px; }
      svg text.faint { fill: var(--faint); }
      svg text.middle { text-anchor: middle; }
      svg text.end { text-anchor: end; }
      .grid { stroke: var(--line); fill: none; }
      .line { fill: none; stroke: var(--c); stroke-width: var(--w); stroke-dasharray: var(--dash);
        stroke-linejoin: round; }
      .line.void { stroke-dasharray: .1 4.5; stroke-linecap: round; }
      .line.gap { stroke-opacity: .35; }
      .dot, .bar { fill: var(--c); }
      .pale { fill-opacity: .45; }
      .fault { fill: var(--fault); opacity: .55; }
      .hatch { stroke: var(--bg); stroke-width: 3; fill: none; }
      .whisker { stroke: var(--fg); stroke-width: 1.4; fill: none; }
      rect.delivered { fill: var(--kept); } rect.dropped { fill: var(--told); }
      rect.unaccounted { fill: var(--lost); }
      i.delivered { background: var(--kept); } i.dropped { background: var(--told); }
      i.unaccounted { background: var(--lost); }
      .budgets td:last-child { white-space: normal; min-width: 8rem; max-width: 14rem; }
      @media (max-width: 900px) {
        main { padding: 1rem .8rem; }
        table { font-size: 12px; }
        th, td { padding: .2rem .35rem; }
        td small, th small { font-size: 10px; }
        th small { max-width: 17rem; }
        svg text { font-size: 14px; }
      }
      @media print { nav, .legend input { display: none; } h2 { break-after: avoid; } }
      """;

  private Stylesheet() {}
}
