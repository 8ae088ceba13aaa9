import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { GatesResult } from '../../app/commands/gates.ts';
import { outcomeText } from '../../domain/gate.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { TRUST } from '../loop-options.ts';

export const examples: Examples = {
  gates: ['gates', 'gates test'],
};

export function define(program: Command): void {
  program
    .command('gates')
    .argument('[names...]', 'gates by their names; all by default')
    .option(...TRUST)
    .description('run the checks now, as a run would, and say what is red and why')
    .action(actionOf(run, true));
}

type GatesOptions = Pick<LoopOptions, 'trust'>;

export async function run(call: Call, names: readonly string[], options: GatesOptions) {
  const { gates } = await import('../../app/commands/gates.ts');
  const { input, dispose } = openLoop(call, { ...options, commit: true, wait: true });
  const result = await gates({ ...input, names });
  dispose();
  await call.print(result, gatesText);
}

type Shown = GatesResult['gates'][number];

export function gatesText({ gates: all, green, hint }: GatesResult, { style, para }: Terminal): string {
  const lines = all.flatMap((gate) => [
    para(
      `${style.bold(gate.name)} ${endText(gate)}`,
      gate.green ? `${style.green('✔')} ` : `${style.red('✖')} `,
      '  ',
    ),
    ...gate.lines.map((line) => style.red(para(line, '    ', '      '))),
  ]);
  const verdict = green ? style.green('All checks pass.') : style.red('Checks fail.');
  return [...lines, verdict, ...(hint === null ? [] : [style.yellow(para(hint, '! '))])].join('\n');
}

function endText({ outcome, duration_ms: ms, tests }: Shown): string {
  const counts = tests === null ? '' : `, ${counted(tests.run, 'test')}`;
  return `${outcomeText(outcome)}${counts}, ${formatDuration(ms)}`;
}
