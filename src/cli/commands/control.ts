import type { Command } from 'commander';
import type { ControlResult } from '../../app/commands/running/control-run.ts';
import { actionOf, type Call, type Examples } from '../call.ts';

export const examples: Examples = {
  stop: ['stop', 'stop --now'],
};

export function define(program: Command): void {
  program.command('stop').option('--now', 'end the attempt, too, as Ctrl-C does').action(actionOf(run, true));
  for (const name of ['pause', 'continue']) program.command(name).action(actionOf(run, true));
}

export async function run(call: Call, { now = false }: { readonly now?: boolean }) {
  const { controlRun } = await import('../../app/commands/running/control-run.ts');
  const request =
    call.name === 'stop' ? (now ? 'stop_now' : 'stop') : call.name === 'pause' ? 'pause' : 'continue';
  await call.print(await controlRun({ ...call, request }), controlText);
}

export function controlText({ request, run, attempt, others, already }: ControlResult): string {
  const at =
    attempt === null
      ? null
      : others.length > 0
        ? `the attempts at ${[attempt, ...others].map(({ task_id }) => task_id).join(', ')}`
        : `attempt ${attempt.attempt} of ${attempt.task_id} (iteration ${attempt.iteration})`;
  const begin = already ? 'already ' : '';
  switch (request) {
    case 'stop':
      return at === null
        ? `${run} is ${begin}ending: no attempt is running.`
        : `${run} ${already ? 'already ends' : 'ends'} after ${at}. To end that now: ralph stop --now`;
    case 'stop_now':
      return `${run} is asked to end${at === null ? '' : ` ${at}`} now, as with Ctrl-C.`;
    case 'pause':
      return at === null
        ? `${run} is ${begin === '' ? 'paused' : 'already paused'}. To continue: ralph continue`
        : `${run} ${already ? 'already pauses' : 'pauses'} after ${at}. To continue: ralph continue`;
    case 'continue':
      return `${run} continues.`;
  }
}
