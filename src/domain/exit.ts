import * as z from 'zod/mini';

/** Exit codes of `run` and `step` (docs/USING.md). */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  workLeft: 3,
  allBlocked: 4,
  awaitingHuman: 5,
  break: 6,
  budget: 7,
  emergencyStop: 8,
  agentUnavailable: 9,
  locked: 10,
} as const;

/**
 * Numbers on Linux of the signals that end a run in order: those that end Node by default and can be caught. Not SIGPROF,
 * by which Node's profiler samples.
 */
const NUMBERS = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGUSR2: 12,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGXCPU: 24,
  SIGVTALRM: 26,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
} as const;

export const STOP_SIGNALS = Object.keys(NUMBERS) as readonly (keyof typeof NUMBERS)[];
export const StopSignalName = z.enum(STOP_SIGNALS);
export type StopSignalName = z.infer<typeof StopSignalName>;

/** Returns 128 plus the signal's number, as shells do. */
export function exitCodeOf(signal: StopSignalName): number {
  return 128 + NUMBERS[signal];
}

export const RunEnding = z.enum([
  'all_done',
  /** All tasks of `--task` are done, but others aren't. */
  'selected_done',
  'max_iterations',
  'no_progress',
  'stopped',
  'until_reached',
  'all_blocked',
  'awaiting_human',
  'break',
  'budget',
  'emergency_stop',
  'agent_unavailable',
  'gate_down',
  'interrupted',
  'crashed',
  'error',
]);
export type RunEnding = z.infer<typeof RunEnding>;

export const PLAIN_REASONS = {
  needsYou: 'The remaining tasks need you.',
  resultsWait: 'All tasks are done, and verified results wait for you.',
  allBlocked: 'All remaining tasks are blocked.',
} as const;
