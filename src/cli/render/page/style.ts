/**
 * Style of all pages. Light or dark colours follow the reader's preference. On a narrow screen, nothing is side by
 * side.
 */
export const STYLE = `
:root { --page: #fff; --card: #f6f8fa; --text: #1f2328; --faint: #59636e; --line: #d1d9e0; --good: #1a7f37; --bad: #cf222e; --wait: #8a5c00;
  --part: #0969da; --none: #6e7781; --ins: #dafbe1; --del: #ffebe9; --on-part: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --card: #161c24; --text: #e6edf3; --faint: #9da7b1; --line: #3d444d; --good: #3fb950; --bad: #ff7b72; --wait: #d9a52b;
    --part: #58a6ff; --none: #8b949e; --ins: #12301d; --del: #3a1a1c; --on-part: #0d1117; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem clamp(0.75rem, 3vw, 2rem) 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.1rem; margin: 0; color: var(--faint); font-weight: 600; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0; display: inline; }
h4 { font-size: 0.9rem; margin: 1rem 0 0.25rem; color: var(--faint); }
p { margin: 0.4rem 0; }
ul, ol { margin: 0.4rem 0; padding-left: 1.25rem; }
a { color: var(--part); }
:focus-visible { outline: 2px solid var(--part); outline-offset: 2px; }
h2:focus { outline: none; }
code, pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { unicode-bidi: isolate; background: var(--card); border: 1px solid var(--line); border-radius: 4px; padding: 0.05em 0.35em; }
pre { margin: 0.5rem 0; padding: 0.6rem 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap;
  unicode-bidi: plaintext; }
ins, del { display: block; text-decoration: none; }
ins { background: var(--ins); }
del { background: var(--del); }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
.verdict { margin: 0.5rem 0 0.25rem; font-size: clamp(1.3rem, 4.5vw, 1.9rem); line-height: 1.25; font-weight: 650; text-wrap: pretty; }
.tree { font-weight: 600; }
.faint { color: var(--faint); }
.small { font-size: 0.875rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .wait { color: var(--wait); } .part { color: var(--part); } .none { color: var(--faint); }
i { display: inline-block; width: 1.4em; font-style: normal; font-weight: 700; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.4rem; list-style: none; margin: 1rem 0 0; padding: 0; }
nav a { display: inline-block; padding: 0.25rem 0.7rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); text-decoration: none;
  font-size: 0.9rem; }
nav a:hover { border-color: var(--part); }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; margin: 0 0 0.75rem; }
.card.cause { border-left: 4px solid var(--bad); }
.card.needs { border-left: 4px solid var(--wait); }
.commands { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
.commands code { padding: 0.25em 0.5em; }
.pair { display: inline-flex; gap: 0.3rem; align-items: center; max-width: 100%; }
button, summary.button, a.button { display: inline-block; min-height: 2.5rem; padding: 0.4rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card);
  color: var(--text); font: inherit; font-weight: 600; line-height: 1.6; text-decoration: none; cursor: pointer; }
button:hover, summary.button:hover, a.button:hover { border-color: var(--part); }
button.main, a.main { background: var(--part); border-color: var(--part); color: var(--on-part); }
button:disabled { opacity: 0.6; cursor: progress; }
button.copy { min-height: 1.75rem; padding: 0 0.6rem; border-radius: 6px; font-size: 0.8rem; font-weight: 400; color: var(--faint); }
form { margin: 0; }
label { display: block; }
textarea, input:not([type="radio"]) { display: block; width: 100%; max-width: 40rem; margin: 0.3rem 0 0.5rem; padding: 0.5rem 0.6rem; border: 1px solid var(--none);
  border-radius: 8px; background: var(--page); color: var(--text); font: inherit; }
textarea { min-height: 4.5rem; resize: vertical; }
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.6rem 0 0.2rem; align-items: flex-start; }
.choices li { padding: 0.4rem 0; }
.choices li + li { border-top: 1px solid var(--line); }
h3.block { display: block; margin: 1rem 0 0; }
.acts > form.wide { flex-basis: 100%; }
.acts > details[open] { flex-basis: 100%; padding: 0 0 0.4rem; }
summary.button { list-style: none; }
summary.button::-webkit-details-marker { display: none; }
details[open] > summary.button { border-color: var(--part); margin-bottom: 0.5rem; }
#said { position: sticky; top: 0; z-index: 1; margin: 0; background: var(--card); border-radius: 8px; white-space: pre-wrap; }
#said:not(:empty) { margin: 0 0 0.75rem; padding: 0.6rem 0.9rem; border: 1px solid currentColor; }
.filter { display: flex; flex-wrap: wrap; gap: 0.4rem; border: 0; margin: 0 0 0.5rem; padding: 0; }
.filter legend { position: absolute; left: -100rem; }
.filter label { padding: 0.25rem 0.8rem; border: 1px solid var(--line); border-radius: 1rem; cursor: pointer; }
.filter label:has(:checked) { background: var(--part); border-color: var(--part); color: var(--on-part); }
.filter label:has(:focus-visible) { outline: 2px solid var(--part); outline-offset: 2px; }
.filter input { position: absolute; opacity: 0; }
#page:has(#show-you:checked) .task:not(.is-you), #page:has(#show-running:checked) .task:not(.is-running), #page:has(#show-open:checked) .task:not(.is-open),
#page:has(#show-done:checked) .task:not(.is-done) { display: none; }
.repos { list-style: none; padding: 0; }
.repos li { border-bottom: 1px solid var(--line); }
.repos a { display: block; padding: 0.7rem 0; color: inherit; text-decoration: none; }
.repos a:hover strong { text-decoration: underline; }
.repos span { display: block; }
.time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.plain { list-style: none; padding-left: 0; }
.plain li { margin: 0.35rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400;
  overflow-wrap: normal; min-width: 4.5rem; }
thead th { color: var(--faint); font-size: 0.8rem; white-space: nowrap; }
td svg { min-width: 7rem; }
.verdict i { width: auto; margin-right: 0.35em; }
summary { cursor: pointer; padding: 0.35rem 0; }
details.task { border-bottom: 1px solid var(--line); }
details.task > summary { padding: 0.55rem 0; }
details.task > div { padding: 0 0 1rem 1.4rem;  border-left: 2px solid var(--line); margin-left: 0.4rem; }
summary .facts { display: block; padding-left: 1.4em; color: var(--faint); font-size: 0.875rem; }
ol.attempts { list-style: none; padding: 0; }
ol.attempts > li { padding: 0.4rem 0; }
ol.attempts > li + li { border-top: 1px dotted var(--line); }
figure { margin: 0 0 1.25rem; }
figcaption { font-weight: 600; font-size: 0.95rem; }
svg { display: block; width: 100%; overflow: visible; }
svg text { fill: var(--faint); font-size: 12px; }
.axis { stroke: var(--line); stroke-width: 1; fill: none; vector-effect: non-scaling-stroke; }
rect.good { fill: var(--good); } rect.bad { fill: var(--bad); } rect.wait { fill: var(--wait); } rect.part { fill: var(--part); } rect.none { fill: var(--none); }
.area { fill: var(--part); opacity: 0.18; }
.line { fill: none; stroke: var(--part); stroke-width: 2; vector-effect: non-scaling-stroke; }
.interval { stroke: var(--text); stroke-width: 1.5; fill: none; }
.ends { display: flex; justify-content: space-between; gap: 1rem; font-size: 0.8rem; color: var(--faint); }
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; padding: 0; font-size: 0.875rem; }
.key svg { display: inline-block; width: 1rem; height: 1rem; vertical-align: -0.15rem; margin-right: 0.35rem; }
td.bar { min-width: 8rem; width: 40%; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0 2rem; }
footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--faint); font-size: 0.85rem; }
@media (max-width: 40rem) {
  body { padding-top: 0.75rem; }
  details.task > div { padding-left: 0.75rem; }
  .card { padding: 0.6rem 0.75rem; }
}
@media print { nav, .skip, .filter, .acts, button { display: none; } details::details-content { content-visibility: visible; display: block; } .wide { overflow: visible; } }
@media (forced-colors: active) { rect, .area { forced-color-adjust: none; } }
`;
