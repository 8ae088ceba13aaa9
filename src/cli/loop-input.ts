import type { LoopInput } from '../app/commands/run.ts';
import type { Place } from './ask.ts';
import type { Call } from './call.ts';
import { livePrinter } from './live.ts';

export type LoopOptions = {
  readonly agent?: string;
  readonly mode?: string;
  readonly commit: boolean;
  readonly wait: boolean;
  readonly stream?: boolean;
  readonly trust?: boolean;
};

/** Returns the input of the loop for these options, with a printer that shows the run. `dispose` ends its live line. */
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

/** Returns whether ralph may ask questions: only if you are at a terminal. */
export function atTerminal({ format, color }: Pick<Call, 'format' | 'color'>) {
  const there = format !== 'json' && process.stdin.isTTY && process.stderr.isTTY;
  return <T, A>(ask: (about: T, place: Place) => Promise<A>) =>
    there
      ? (about: T, stop?: AbortSignal) =>
          ask(about, {
            input: process.stdin,
            output: process.stderr,
            color,
            ...(stop === undefined ? {} : { stop }),
          })
      : null;
}
