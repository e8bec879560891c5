const light = `--paper:#ffffff;--card:#f6f8fb;--ink:#1c2330;--muted:#5a6474;--line:#dfe4ec;--gain:#2f6fdf;--loss:#d9691e;--good:#1d7f52;--bad:#b9402a;
--run0:#2f6fdf;--run1:#e08a2e;--run2:#2e9e6b;--run3:#9458c9;--run4:#c2477a;--run5:#5f7387`;
const dark = `--paper:#11151c;--card:#1a202a;--ink:#e7ebf2;--muted:#98a3b4;--line:#2c3543;--gain:#6ea2ff;--loss:#f0985a;--good:#62cf9b;--bad:#f08a74;
--run0:#6ea2ff;--run1:#f2ab62;--run2:#5ecb98;--run3:#bf91ea;--run4:#ee86b2;--run5:#9fb2c6`;

/** Colours by name, for light and dark surroundings. */
export const themeStyle = `:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}`;

/** How the parts of a chart look. */
export const chartStyle = `svg.chart{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.chart text{fill:var(--ink)}.chart .muted{fill:var(--muted)}.chart .strong{font-weight:600}.chart .small{font-size:11px}
.chart .number{font-variant-numeric:tabular-nums}.chart .grid{stroke:var(--line);stroke-width:1}.chart .track{fill:var(--card)}
.chart .whisker{stroke:var(--ink);stroke-width:1.2;fill:none;opacity:.75}.chart .axis{stroke:var(--muted);stroke-width:1}
.chart .gain{fill:var(--gain)}.chart .loss{fill:var(--loss)}.chart .band{fill:var(--ink);opacity:.12}
.chart .mean{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 4}.chart .mark{stroke:var(--ink);stroke-width:1.2}
${[0, 1, 2, 3, 4, 5].map((run) => `.chart .run${run}{fill:var(--run${run})}`).join('')}`;

/** The style of the page; no script, nothing from another address. */
export const pageStyle = `*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1180px;margin:0 auto;padding:40px 24px 80px}h1{font-size:28px;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:20px;margin:44px 0 12px;padding-top:20px;border-top:1px solid var(--line)}h3{font-size:16px;margin:28px 0 8px}
p{margin:8px 0}p.quiet{color:var(--muted)}
p.good,p.bad,p.neutral{background:var(--card);border-left:4px solid var(--muted);padding:10px 14px;border-radius:4px}
p.good{border-color:var(--good)}p.bad{border-color:var(--bad)}
.scroll{overflow-x:auto;margin:12px 0}table{border-collapse:collapse;width:100%;font-size:13.5px}
th{color:var(--muted);font-weight:600;text-align:right;border-bottom:2px solid var(--line);white-space:nowrap}
td{text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
th,td{padding:6px 7px}th.word,td.word{text-align:left}td.word{overflow-wrap:break-word;min-width:92px}tr.total td{font-weight:600;background:var(--card)}
figure{margin:16px 0;padding:16px;border:1px solid var(--line);border-radius:8px}figcaption{color:var(--muted);font-size:13px;margin-top:8px}
details{margin:12px 0}summary{cursor:pointer;font-weight:600}ul{padding-left:20px}li{overflow-wrap:anywhere;margin:3px 0}`;
