import { h } from 'preact';
import { counted } from 'ralph-kit/counted';
import type { EvaluationSummary } from '../../../app/eval/evaluate.ts';
import type { Estimate } from '../../../app/eval/figures.ts';
import { figureTitle, HEADLINES, isShare, shownEstimate } from '../../../app/eval/show.ts';
import { VERSION } from '../../../app/version.ts';
import { printable } from '../../../io/ui/index.ts';
import { bar } from './charts.ts';
import { htmlPage } from './html.ts';
import { name, type Part, section, table } from './parts.ts';

type Arms = EvaluationSummary['arms'];

export function evaluationPage(given: EvaluationSummary): string {
  const { suite, about, seeds, arms } = printable(given);
  const headlines = HEADLINES.filter((figure) =>
    arms.some(({ figures }) => (figures[figure] ?? null) !== null),
  );
  return htmlPage({
    title: `ralph eval ${suite}`,
    head: [
      h('p', { class: 'verdict' }, name(about)),
      h('p', { class: 'faint' }, `${counted(seeds, 'seed')}, mean ± half of the 95 % interval`),
    ],
    sections: [
      ...section('figures', 'Figures', [
        h('div', { class: 'charts' }, ...headlines.map((figure) => barChart(figure, arms))),
      ]),
      ...section('interventions', 'Interventions', [
        table('Interventions', ['arm', 'intervention', 'applied', 'helped'], interventionRows(arms)),
      ]),
      ...section('all', 'All figures', [allFigures(arms)]),
    ],
    foot: `ralph ${VERSION}`,
  });
}

/** Draws a row for each arm. Shares end at 100 %, other figures at the end of the longest interval. */
function barChart(figure: string, arms: Arms): Part {
  const bars = arms.map(({ arm, figures }) => ({ arm, estimate: figures[figure] ?? null }));
  const ends = bars.map(({ estimate }) => (estimate === null ? 0 : estimate.mean + (estimate.half ?? 0)));
  const most = isShare(figure) ? 1 : Math.max(...ends, 0);
  const rows = bars.map(({ arm, estimate }) =>
    h(
      'tr',
      null,
      h('th', { scope: 'row' }, name(arm)),
      h('td', { class: 'bar' }, estimate === null ? null : barOf(estimate, most)),
      h('td', null, shownEstimate(figure, estimate)),
    ),
  );
  return h(
    'figure',
    null,
    h('table', null, h('caption', null, figureTitle(figure)), h('tbody', null, ...rows)),
  );
}

function barOf({ mean, half }: Estimate, most: number): Part {
  return bar(mean, most, 'part', half);
}

function interventionRows(arms: Arms): Part[][] {
  const names = new Set(arms.flatMap(({ figures }) => Object.keys(figures)));
  const kinds = [...names].flatMap((one) =>
    one.startsWith('applied_') ? [one.slice('applied_'.length)] : [],
  );
  return arms.flatMap(({ arm, figures }) =>
    kinds.flatMap((kind) => {
      const [applied, helped] = [`applied_${kind}`, `helped_${kind}`];
      const times = figures[applied] ?? null;
      if (times === null) return [];
      const share = shownEstimate(helped, figures[helped] ?? null);
      return [[name(arm), figureTitle(kind), shownEstimate(applied, times), share]];
    }),
  );
}

function allFigures(arms: Arms): Part {
  const names = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = names.map((figure) => [
    figureTitle(figure),
    ...arms.map(({ figures }) => shownEstimate(figure, figures[figure] ?? null)),
  ]);
  return table('All figures', ['figure', ...arms.map(({ arm }) => arm)], rows);
}
