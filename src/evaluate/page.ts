import type { ArmSummary, Estimate } from './figures.ts';
import { figureTitle, HEADLINES, isShare, shownEstimate } from './show.ts';

type PageInput = {
  readonly suite: string;
  readonly about: string;
  readonly seeds: number;
  readonly version: string;
  readonly arms: readonly ArmSummary[];
};

/** One file without a script and without anything from elsewhere. */
export function evaluationPage({ suite, about, seeds, version, arms }: PageInput): string {
  const headlines = HEADLINES.filter((name) => arms.some(({ figures }) => (figures[name] ?? null) !== null));
  const charts = headlines.map(
    (name) =>
      `<figure><figcaption>${escaped(figureTitle(name))}</figcaption>${barChart(name, arms)}</figure>`,
  );
  const title = `ralph eval ${suite}`;
  const sub = `${about}. ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, mean ± half of the 95 % interval; ralph ${version}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<h1>${escaped(title)}</h1>
<p>${escaped(sub)}</p>
<div class="charts">
${charts.join('\n')}
</div>
${interventions(arms)}<h2>All figures</h2>
${table(arms)}
</html>
`;
}

const ROW = 26;
const [LEFT, WIDTH, RIGHT] = [170, 300, 130];

/** A row for each arm: its mean, and the interval as a line across the end of the bar. */
function barChart(figure: string, arms: readonly ArmSummary[]): string {
  const bars = arms.map(({ arm, figures }) => ({ label: arm, estimate: figures[figure] ?? null }));
  // Shares end at 100 %, all else where the longest interval does.
  const ends = bars.map(({ estimate }) => (estimate === null ? 0 : estimate.mean + (estimate.half ?? 0)));
  const top = isShare(figure) ? 1 : Math.max(...ends, 0) || 1;
  const x = (value: number) => LEFT + (Math.min(Math.max(value, 0), top) / top) * WIDTH;
  const rows = bars.map(({ label, estimate }, index) => {
    const y = index * ROW;
    const middle = y + ROW / 2;
    const name = `<text x="${LEFT - 8}" y="${middle + 4}" text-anchor="end">${escaped(label)}</text>`;
    const value = `<text x="${LEFT + WIDTH + 12}" y="${middle + 4}">${escaped(shownEstimate(figure, estimate))}</text>`;
    if (estimate === null) return name + value;
    const bar = `<rect class="s${index % COLOURS.length}" x="${LEFT}" y="${y + 5}" width="${round(x(estimate.mean) - LEFT)}" height="${ROW - 10}"/>`;
    return name + bar + interval(estimate, x, middle) + value;
  });
  const axis = `<line class="axis" x1="${LEFT}" y1="0" x2="${LEFT}" y2="${bars.length * ROW}"/>`;
  const [width, height] = [LEFT + WIDTH + RIGHT, bars.length * ROW];
  return `<svg role="img" aria-label="${escaped(figureTitle(figure))}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${rows.join('')}${axis}</svg>`;
}

function interval({ mean, half }: Estimate, x: (value: number) => number, middle: number): string {
  if (half === null || half === 0) return '';
  const [from, to] = [round(x(mean - half)), round(x(mean + half))];
  return `<path class="interval" d="M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** How often each kind was applied, and which share of them helped. */
function interventions(arms: readonly ArmSummary[]): string {
  const kinds = new Set(
    arms.flatMap(({ figures }) =>
      Object.keys(figures).flatMap((name) =>
        name.startsWith('applied_') ? [name.slice('applied_'.length)] : [],
      ),
    ),
  );
  if (kinds.size === 0) return '';
  const rows = arms.flatMap(({ arm, figures }) =>
    [...kinds].flatMap((kind) => {
      const [applied, helped] = [`applied_${kind}`, `helped_${kind}`];
      const times = figures[applied] ?? null;
      if (times === null) return [];
      const cells = [
        arm,
        figureTitle(kind),
        shownEstimate(applied, times),
        shownEstimate(helped, figures[helped] ?? null),
      ];
      return [row('td', cells)];
    }),
  );
  return `<h2>Interventions</h2>\n<table>${row('th', ['arm', 'intervention', 'applied', 'helped'])}${rows.join('')}</table>\n`;
}

function table(arms: readonly ArmSummary[]): string {
  const names = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = names.map((name) =>
    row('td', [figureTitle(name), ...arms.map(({ figures }) => shownEstimate(name, figures[name] ?? null))]),
  );
  return `<div class="wide"><table>${row('th', ['', ...arms.map(({ arm }) => arm)])}${rows.join('')}</table></div>`;
}

function row(kind: 'td' | 'th', cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${kind}>${escaped(cell)}</${kind}>`).join('')}</tr>`;
}

const COLOURS = [
  ['#8a8f98', '#9aa0aa'],
  ['#1f77b4', '#5aa9e6'],
  ['#2a8a4a', '#5fc27e'],
  ['#b5651d', '#e6a15a'],
  ['#7b4fb0', '#b48ee6'],
  ['#b0364f', '#ef7d93'],
] as const;

const STYLE = `
:root { --text: #1b1f24; --faint: #6a737d; --line: #d0d7de; --page: #fff; ${colours(0)} }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --faint: #9aa4af; --line: #3a424c; --page: #0f1419; ${colours(1)} } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 2rem auto; max-width: 1300px; padding: 0 1rem; }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; max-width: 100%; }
figcaption { font-weight: 600; }
svg { max-width: 100%; height: auto; font-size: 13px; fill: var(--text); }
.axis { stroke: var(--faint); fill: none; }
.interval { stroke: var(--text); fill: none; opacity: 0.7; }
p { color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; white-space: nowrap; }
${COLOURS.map((_, index) => `.s${index} { fill: var(--c${index}); }`).join('\n')}
`;

function colours(scheme: 0 | 1): string {
  return COLOURS.map((pair, index) => `--c${index}: ${pair[scheme]};`).join(' ');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML, its attributes included. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
