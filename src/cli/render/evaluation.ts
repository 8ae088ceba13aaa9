import { counted } from 'ralph-kit/counted';
import type { CompareResult, EvaluateResult } from '../../app/eval/evaluate.ts';
import { figureTitle, HEADLINES, shownEstimate } from '../../app/eval/show.ts';
import type { Terminal } from '../../io/ui/index.ts';

/** Number of arms above which each arm is a row with only the most important figures. */
const MOST_COLUMNS = 6;

export function evaluationText(data: EvaluateResult, { table }: Terminal): string {
  const [head, ...rows] = rowsOf(data);
  return [
    `${data.suite}: ${data.about}; ${counted(data.seeds, 'seed')}, mean ± half of the 95 % interval`,
    table(rows, head),
    `Took ${data.seconds} s. Results: ${data.results}${data.html === null ? '' : `\nPage: ${data.html}`}`,
  ].join('\n\n');
}

export function evaluationMarkdown(data: EvaluateResult): string {
  const [head = [], ...rows] = rowsOf(data);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function rowsOf({ arms }: EvaluateResult): string[][] {
  const names = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures)))];
  if (arms.length > MOST_COLUMNS) {
    const shown = HEADLINES.filter((name) => names.includes(name));
    const lines = arms.map(({ arm, figures }) => [
      arm,
      ...shown.map((name) => shownEstimate(name, figures[name] ?? null)),
    ]);
    return [['', ...shown.map(figureTitle)], ...lines];
  }
  const rows = names.map((name) => [
    figureTitle(name),
    ...arms.map(({ figures }) => shownEstimate(name, figures[name] ?? null)),
  ]);
  return [['', ...arms.map(({ arm }) => arm)], ...rows];
}

export function comparisonText(data: CompareResult, { table }: Terminal): string {
  const parts = data.arms.map(({ arm, figures }) => {
    const rows = figures.map(({ figure, a, b, difference }) => [
      figureTitle(figure),
      ...[a, b, difference].map((one) => shownEstimate(figure, one)),
    ]);
    return `${arm}\n${table(rows, ['', 'A', 'B', 'B − A'])}`;
  });
  return [`A: ${data.a}\nB: ${data.b}`, ...parts].join('\n\n');
}
