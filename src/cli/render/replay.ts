import type { Terminal } from '../../io/ui/index.ts';
import { fitWidth, stripControl } from '../../lib/text.ts';

type Row = Record<string, unknown>;

/** Differences of one iteration that are printed; all are in the JSON. */
const SHOWN = 10;
/** Columns of a value that is shown. */
const VALUE_WIDTH = 100;

const rows = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const said = (value: unknown): string =>
  value === null || value === undefined ? '' : stripControl(String(value));

/** `ralph replay` for people: one line for each iteration, what differs below it, and the sum. */
export function replayText(data: Row, terminal: Terminal, verbose: boolean): string {
  const { style } = terminal;
  const iterations = rows(data.iterations);
  const whole = (data.whole ?? {}) as Row;
  const lines = [`Run ${style.bold(said(data.run))}`];
  for (const one of iterations) {
    const name = `iteration ${said(one.iteration)}`;
    const verdict = one.verdict === null ? '' : ` ${said(one.verdict)}`;
    lines.push(...part(one, `${name}  ${said(one.task_id)}${verdict}`, terminal, verbose));
  }
  lines.push(...part(whole, `end  ${said(whole.ending) || 'none'}`, terminal, verbose));
  const others = rows(data.other_deciders).map(String);
  if (others.length > 0) {
    lines.push(
      style.yellow(
        `Parts were decided by version ${others.join(', ')} of the deciding code, this is version ${said(data.decider)}: differences are changes, not mistakes.`,
      ),
    );
  }
  const count = (number: unknown, name: string) => `${said(number)} ${name}${number === 1 ? '' : 's'}`;
  const sum = `${count(iterations.length, 'iteration')}, ${count(data.decisions, 'decision')} recomputed, ${count(data.differences, 'difference')}`;
  lines.push('', data.outcome === 'different' ? style.red(sum) : style.green(sum));
  return lines.join('\n');
}

function part(one: Row, name: string, { style }: Terminal, verbose: boolean): string[] {
  const differences = rows(one.differences);
  const notRecorded = rows(one.not_recorded).map(String);
  const note = one.note === null ? '' : `  ${style.dim(`(${said(one.note)})`)}`;
  const judged =
    differences.length > 0
      ? style.red(differences.length === 1 ? '1 difference' : `${differences.length} differences`)
      : one.decisions === 0
        ? style.dim('nothing to recompute')
        : style.green('same');
  const lines = [`  ${name}  ${judged}${note}`];
  const shown = verbose ? differences : differences.slice(0, SHOWN);
  for (const { kind, what, recorded, recomputed } of shown) {
    const [one, other] = kind === 'record' ? ['found', 'expected'] : ['recorded', 'recomputed'];
    lines.push(`    ${said(what)}: ${one} ${valueText(recorded)}, ${other} ${valueText(recomputed)}`);
  }
  if (differences.length > shown.length) {
    lines.push(`    … and ${differences.length - shown.length} more: ralph replay --verbose`);
  }
  if (notRecorded.length > 0) lines.push(style.dim(`    not recorded: ${notRecorded.join(', ')}`));
  return lines;
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : fitWidth(stripControl(JSON.stringify(value)), VALUE_WIDTH);
}
