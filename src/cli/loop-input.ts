import type { Command } from 'commander';
import type { LoopInput } from '../app/commands/run.ts';
import type { TrustCheck } from '../app/setup/check-trust.ts';
import { BUILT_IN_AGENTS } from '../domain/agents.ts';
import type { Call } from './call.ts';

/** The options of every command that runs the loop. */
export type LoopOptions = {
  readonly agent?: string;
  readonly mode?: string;
  readonly commit: boolean;
  readonly wait: boolean;
  readonly stream?: boolean;
  readonly trust?: boolean;
};

export function loopOptions(command: Command): Command {
  return command
    .option('--agent <name>', `the agent: ${BUILT_IN_AGENTS.join(', ')}, scripted, or one of [runners]`)
    .option('--mode <name>', 'speed, quality, exploration, or one of [modes]')
    .option('--trust', 'accept the commands that this repository would run, and remember that')
    .option('--no-commit', 'never commit in this run')
    .option('--no-wait', 'end with exit 9 instead of waiting for a usage limit or an outage to pass')
    .option('--stream', "print the agent's words as they come");
}

/** What the options ask of the loop, and the printer that shows it; `dispose` ends the live line. */
export async function openLoop(
  call: Call,
  options: LoopOptions,
): Promise<{ readonly input: LoopInput; readonly dispose: () => void }> {
  const { livePrinter } = await import('./live.ts');
  const { emit, onStop, note, dispose } = livePrinter(call, options.stream === true);
  const input: LoopInput = {
    cwd: call.cwd,
    flags: {
      'loop.agent': options.agent,
      'loop.mode': options.mode,
      'git.commit': options.commit ? undefined : 'never',
      'loop.max_wait': options.wait ? undefined : 0,
    },
    trust: options.trust === true ? { kind: 'accept' } : { kind: 'check', ask: await askerFor(call) },
    emit,
    onStop,
    onNotice: note,
  };
  return { input, dispose };
}

/** Loaded only where you sit at the terminal. */
async function askerFor({ format }: Call): Promise<((check: TrustCheck) => Promise<boolean>) | null> {
  if (format === 'json' || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { askTrust } = await import('./ask-trust.ts');
  return (check) => askTrust(check, process.stdin, process.stderr);
}
