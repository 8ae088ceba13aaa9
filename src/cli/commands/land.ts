import type { Command } from 'commander';
import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import type { LandResult } from '../../app/commands/land.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { type LoopOptions, openLoop } from '../loop-input.ts';
import { TRUST } from '../loop-options.ts';

export const examples: Examples = {
  land: ['land', 'land T-3'],
};

export function define(program: Command): void {
  program
    .command('land')
    .argument('[task]', 'one that you took back: land it again')
    .option(...TRUST)
    .action(actionOf(run, true));
}

export async function run(call: Call, task: string | undefined, options: Pick<LoopOptions, 'trust'>) {
  const { land } = await import('../../app/commands/land.ts');
  const { input, dispose } = openLoop(call, { ...options, commit: true, wait: true });
  const result = await land({ ...input, task: task ?? null });
  dispose();
  await call.print(result, landText);
}

export function landText({ landed, waiting, push }: LandResult, { style, para }: Terminal): string {
  const lines = landed.map(({ task, commit, paths }) => {
    const where = commit === null ? 'is in your checkout' : `is committed as ${commit.slice(0, 8)}`;
    return para(`${task} ${where} (${counted(paths.length, 'file')}).`, `${style.green('✔')} `, '  ');
  });
  if (push !== null) lines.push(para(`Not pushed: the next run does, or ${push}`));
  if (waiting !== null) {
    const named = waiting.paths.length === 0 ? '' : `: ${firstFew(waiting.paths)}`;
    return [...lines, style.yellow(para(`It waits: ${waiting.reason}${named}.`))].join('\n');
  }
  return lines.length === 0 ? 'Nothing waits: all that is verified is on your branch.' : lines.join('\n');
}
