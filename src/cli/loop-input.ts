import type { LoopInput } from '../app/commands/run.ts';
import type { Place } from './ask.ts';
import type { Call } from './call.ts';
import { livePrinter } from './live.ts';

/** The options of every command that runs the loop. */
export type LoopOptions = {
  readonly agent?: string;
  readonly mode?: string;
  readonly commit: boolean;
  readonly wait: boolean;
  readonly stream?: boolean;
  readonly trust?: boolean;
};

/** What the options ask of the loop, and the printer that shows it; `dispose` ends the live line. */
export function openLoop(
  call: Call,
  options: LoopOptions,
): { readonly input: LoopInput; readonly dispose: () => void } {
  const { onEntry, onStop, hide, note, dispose } = livePrinter(call, options.stream === true);
  const ask = atTerminal(call);
  const input: LoopInput = {
    cwd: call.cwd,
    flags: {
      'loop.agent': options.agent,
      'loop.mode': options.mode,
      'git.commit': options.commit ? undefined : 'never',
      'loop.max_wait': options.wait ? undefined : 0,
    },
    trust:
      options.trust === true
        ? { kind: 'accept' }
        : {
            kind: 'check',
            ask: ask(async (...asked) => (await import('./ask-trust.ts')).askTrust(...asked)),
          },
    confirmMarks: ask(async (...asked) => (await import('./ask-trust.ts')).askAboutTasks(...asked)),
    confirmFirstCommit: confirmsFirst(
      ask(async (...asked) => (await import('./ask-trust.ts')).askFirstCommit(...asked)),
    ),
    confirmUncommitted: ask(async (...asked) => (await import('./ask-trust.ts')).askUncommitted(...asked)),
    askGate: ask(async (...asked) => (await import('./ask-gate.ts')).askGate(...asked)),
    onEntry,
    onStop,
    hide,
    onNotice: note,
  };
  return { input, dispose };
}

function confirmsFirst<A>(ask: ((about: null) => Promise<A>) | null): (() => Promise<A>) | null {
  return ask === null ? null : () => ask(null);
}

/** You can be asked only where you sit at the terminal. */
export function atTerminal({ format, color }: Pick<Call, 'format' | 'color'>) {
  const there = format !== 'json' && process.stdin.isTTY && process.stderr.isTTY;
  return <T, A>(ask: (about: T, place: Place) => Promise<A>) =>
    there
      ? (about: T, stop?: AbortSignal) =>
          ask(about, {
            ...{ input: process.stdin, output: process.stderr, color },
            ...(stop === undefined ? {} : { stop }),
          })
      : null;
}
