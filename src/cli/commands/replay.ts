import type { Command } from 'commander';
import { fitWidth } from 'ralph-kit/columns';
import { counted } from 'ralph-kit/counted';
import type { ReplayResult } from '../../app/commands/replay.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { endingWord, words } from '../../tell/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  replay: ['replay', 'replay r-20300131'],
};

export function define(program: Command): void {
  program
    .command('replay')
    .argument('[run]', 'the run, or the beginning of its name; the newest by default')
    .description('decide a recorded run again, and name any difference')
    .action(actionOf(run, false));
}

export async function run(call: Call, name: string | null = null) {
  const { replay } = await import('../../app/commands/replay.ts');
  const result = await replay({ ...call, run: name });
  await call.print(result, (data, terminal) => replayText(data, terminal, call.verbose));
}

/** Maximum number of differences that are shown. The JSON has all. */
const SHOWN = 10;
const VALUE_WIDTH = 100;

type Part = ReplayResult['whole'] | ReplayResult['iterations'][number];

export function replayText(data: ReplayResult, terminal: Terminal, verbose: boolean): string {
  const { style, para } = terminal;
  const { run, iterations, whole, decider, other_deciders: others } = data;
  const lines = [`Run ${style.bold(run)}`];
  for (const one of iterations) {
    const verdict = one.verdict === null ? '' : `, ${words(one.verdict)}`;
    lines.push(...partLines(one, `#${one.iteration} ${one.task_id ?? ''}${verdict}`, terminal, verbose));
  }
  lines.push(...partLines(whole, `end: ${endingWord(whole.ending, 'none')}`, terminal, verbose));
  if (others.length > 0) {
    const text = `Parts were decided by version ${others.join(', ')} of the deciding code, this is version ${decider}: differences are changes, not mistakes.`;
    lines.push(style.yellow(para(text)));
  }
  const sums = [
    counted(iterations.length, 'iteration'),
    `${counted(data.decisions, 'decision')} recomputed`,
    counted(data.differences, 'difference'),
  ].join(', ');
  return [...lines, '', data.outcome === 'different' ? style.red(sums) : style.green(sums)].join('\n');
}

function partLines(part: Part, name: string, { style }: Terminal, verbose: boolean): string[] {
  const { differences, decisions, not_recorded: missing } = part;
  const note = part.note === null ? '' : `  ${style.dim(`(${part.note})`)}`;
  const judged =
    differences.length > 0
      ? style.red(counted(differences.length, 'difference'))
      : decisions === 0
        ? style.dim('nothing to recompute')
        : style.green('same');
  const shown = verbose ? differences : differences.slice(0, SHOWN);
  const lines = shown.map(({ kind, what, recorded, recomputed }) => {
    const [one, other] = kind === 'record' ? ['found', 'expected'] : ['recorded', 'recomputed'];
    return `    ${what}: ${one} ${valueText(recorded)}, ${other} ${valueText(recomputed)}`;
  });
  const more = differences.length - shown.length;
  if (more > 0) lines.push(`    … and ${more} more: ralph replay --verbose`);
  if (missing.length > 0) lines.push(style.dim(`    not recorded: ${missing.join(', ')}`));
  return [`  ${name}: ${judged}${note}`, ...lines];
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : fitWidth(JSON.stringify(value), VALUE_WIDTH);
}
