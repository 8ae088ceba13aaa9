import type { ArmSummary } from '../figures.ts';
import { figureTitle, HEADLINES, shownEstimate } from '../show.ts';
import { barChart, type Line, lineChart } from './charts.ts';
import { escaped } from './escaped.ts';

/** An arm, and where r was varied which arm that is of, and the r. */
export type ArmShown = ArmSummary & { readonly of: string; readonly reacts: number | null };

export type PageInput = {
  readonly suite: string;
  readonly about: string;
  readonly seeds: number;
  readonly version: string;
  readonly arms: readonly ArmShown[];
};

/** One file without a script and without anything from elsewhere. */
export function evaluationPage({ suite, about, seeds, version, arms }: PageInput): string {
  const headlines = HEADLINES.filter((name) => arms.some(({ figures }) => (figures[name] ?? null) !== null));
  const charts = headlines.map(
    (name) => `<figure><figcaption>${escaped(figureTitle(name))}</figcaption>${chart(name, arms)}</figure>`,
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

function chart(name: string, arms: readonly ArmShown[]): string {
  const varied = arms.filter(({ reacts }) => reacts !== null);
  if (varied.length === 0) {
    return barChart(
      name,
      arms.map(({ arm, figures }) => ({ label: arm, estimate: figures[name] ?? null })),
    );
  }
  const lines: Line[] = [...new Set(arms.map(({ of }) => of))].map((label) => ({
    label,
    points: arms
      .filter(({ of }) => of === label)
      .flatMap(({ reacts, figures }) => {
        const estimate = figures[name] ?? null;
        // An arm without feedback is the same at each r.
        return reacts === null ? [0, 1].map((at) => ({ at, estimate })) : [{ at: reacts, estimate }];
      }),
  }));
  return `${lineChart(name, lines)}<p class="below">r, the share of feedback that the agent reacts to</p>`;
}

/** How often each kind was applied, and which share of them helped. */
function interventions(arms: readonly ArmShown[]): string {
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

function table(arms: readonly ArmShown[]): string {
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
.line { fill: none; stroke-width: 2; }
.below, p { color: var(--faint); }
.below { margin: 0; font-size: 13px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; white-space: nowrap; }
${COLOURS.map((_, index) => `.s${index}, .k${index} { fill: var(--c${index}); } .l${index} { stroke: var(--c${index}); }`).join('\n')}
`;

function colours(scheme: 0 | 1): string {
  return COLOURS.map((pair, index) => `--c${index}: ${pair[scheme]};`).join(' ');
}
