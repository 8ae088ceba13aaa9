import type { Command } from 'commander';
import type { InfoResult } from '../../app/commands/info.ts';
import type { Terminal } from '../../io/ui/index.ts';
import { actionOf, type Call } from '../call.ts';

export function define(program: Command): void {
  program
    .command('info')
    .description('print versions, agents and settings for a bug report, without secrets')
    .action(actionOf(run, false));
}

export async function run(call: Call) {
  const { info } = await import('../../app/commands/info.ts');
  await call.print(await info(call), infoText);
}

export function infoText({ agents, agent: _, settings, ...rest }: InfoResult, { table }: Terminal): string {
  const rows = Object.entries(rest).map(([name, value]) => [name, value ?? 'not found']);
  const programs = agents.map(({ name, version }) => [name, version ?? 'says no version']);
  const set = settings.map(({ key, value }) => [key, JSON.stringify(value)]);
  return table([...rows, ...programs, ...set]);
}
