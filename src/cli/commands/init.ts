import { type InitResult, init } from '../../app/commands/init.ts';
import type { Terminal } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';

export async function run(
  call: Call,
  { force = false, agent = null }: { readonly force?: boolean; readonly agent?: string | null },
) {
  await call.print(await init({ ...call, force, agent }), initText);
}

/** `ralph init` */
export function initText(data: InitResult, { style }: Terminal): string {
  const { written, kept, archived, tracker, agents, gates } = data;
  const none = 'none found; set [gates] commands in .ralph/ralph.toml';
  return [
    ...written.map((path) => `${style.green('✔')} wrote ${path}`),
    ...kept.map((path) => `${style.dim('–')} kept ${path} as it is`),
    ...archived.map((path) => `${style.dim('–')} the old version is now ${path}`),
    `  tasks: ${tracker}`,
    `  agents found: ${agents.length === 0 ? 'none on PATH' : agents.join(', ')}`,
    `  gates: ${gates.length === 0 ? none : gates.join(', ')}`,
    '',
    `Next: write your tasks into ${tracker}, then ralph run`,
  ].join('\n');
}
