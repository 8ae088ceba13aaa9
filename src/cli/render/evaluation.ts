import type { CompareResult, EvaluateResult } from '../../evaluate/evaluate.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { counted } from '../../lib/counted.ts';
import { words } from './words.ts';

type Estimate = EvaluateResult['arms'][number]['figures'][string];

/** Figures that are shares of something. */
const SHARES = /^(?:completion|blocked|wasted|helped_|tree_green)/;
const UNITS: Readonly<Record<string, string>> = { minutes_per_verified: ' min', overhead_ms: ' ms' };

/** A table of all figures, an arm a column. */
export function evaluationText(data: EvaluateResult, { table }: Terminal): string {
  const [head, ...rows] = rowsOf(data);
  return [
    `${data.suite}: ${data.about}; ${counted(data.seeds, 'seed')}, mean ± half of the 95 % interval`,
    table(rows, head),
    `Took ${data.seconds} s. Results: ${data.results}`,
  ].join('\n\n');
}

export function evaluationMarkdown(data: EvaluateResult): string {
  const [head = [], ...rows] = rowsOf(data);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function rowsOf({ arms }: EvaluateResult): string[][] {
  const names = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures)))];
  const rows = names.map((name) => [
    words(name),
    ...arms.map(({ figures }) => cell(name, figures[name] ?? null)),
  ]);
  return [['', ...arms.map(({ arm }) => arm)], ...rows];
}

/** Both results and what B has more. */
export function comparisonText(data: CompareResult, { table }: Terminal): string {
  const parts = data.arms.map(({ arm, figures }) => {
    const rows = figures.map(({ figure, a, b, difference }) => [
      words(figure),
      ...[a, b, difference].map((one) => cell(figure, one)),
    ]);
    return `${arm}\n${table(rows, ['', 'A', 'B', 'B − A'])}`;
  });
  return [`A: ${data.a}\nB: ${data.b}`, ...parts].join('\n\n');
}

function cell(name: string, estimate: Estimate): string {
  if (estimate === null) return '–';
  const isShare = SHARES.test(name);
  const scaled = isShare ? 100 : 1;
  const figure = (value: number) => {
    const shown = value * scaled;
    return Math.abs(shown) >= 100 ? shown.toFixed(0) : shown.toFixed(1);
  };
  const half = estimate.half === null ? '' : ` ± ${figure(estimate.half)}`;
  return `${figure(estimate.mean)}${half}${isShare ? ' %' : (UNITS[name] ?? '')}`;
}
