import { SERVICE_KINDS, type ServiceKind } from 'ralph-agents/event';
import { formatDuration } from 'ralph-kit/duration';
import { shareText } from '../domain/policy.ts';
import { CONSEQUENCES } from '../domain/service.ts';
import type { VerdictKind } from '../domain/verdict.ts';

/** Words for each verdict. */
export const VERDICT_WORD: Readonly<Record<VerdictKind, string>> = {
  ...wordsOfService(),
  done: 'done',
  already_done: 'reported as already done',
  progress: 'progress',
  no_files: 'no files written',
  false_completion: 'false completion',
  incomplete: 'incomplete',
  gates_failed: 'gates failed',
  changes_requested: 'changes requested',
  timed_out: 'timed out',
  agent_error: 'agent error',
  review_blocked: 'not accepted',
  agent_blocked: 'agent is blocked',
  spawn_failed: 'agent not started',
  gate_down: 'gate is down',
  interrupted: 'interrupted',
  conflict: 'conflict',
  awaiting_human: 'waiting for you',
};

function wordsOfService(): Record<ServiceKind, string> {
  const words = SERVICE_KINDS.map((kind) => [kind, CONSEQUENCES[kind].words] as const);
  return Object.fromEntries(words) as Record<ServiceKind, string>;
}

/** Returns a text such as `attempt 2 of 3`, or only the number if attempts that don't count led above the limit. */
export function attemptText(attempt: number, maxAttempts: number): string {
  return attempt > maxAttempts ? `attempt ${attempt}` : `attempt ${attempt} of ${maxAttempts}`;
}

/** Returns a name as words: `no files` for `no_files`. */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns a run's ending as words; `null`: `unknown`. A run that ended `all_blocked` may have done tasks before. */
export function endingWord(ending: string | null, unknown: string): string {
  if (ending === null) return unknown;
  return ending === 'all_blocked' ? 'rest blocked' : words(ending);
}

/**
 * Returns a share such as `50 %`.
 * @param unknown Text for a share that isn't known yet.
 */
export function percent(share: number | null, unknown: string): string {
  return share === null ? unknown : shareText(share);
}

export function limitText(seconds: number): string {
  return `limit ${formatDuration(seconds * 1000)}`;
}

/** "812", "41k", "1.2M" */
export function short(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
