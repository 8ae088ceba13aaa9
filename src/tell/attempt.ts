import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import type { GateJudgement } from '../domain/gate.ts';
import type { VerdictKind } from '../domain/verdict.ts';
import { withLocalTimes } from './times.ts';
import { VERDICT_WORD, words } from './words.ts';

/** Returns what an attempt is doing or how it ended, in one or two words; '': unknown. */
export function stateWord({
  state,
  verdict,
}: {
  readonly state: 'finished' | 'running' | 'cut_off';
  readonly verdict: VerdictKind | null;
}): string {
  if (state !== 'finished') return words(state);
  return verdict === null ? '' : VERDICT_WORD[verdict];
}

type Ended = { readonly iteration: number; readonly verdict: VerdictKind; readonly cause: string };

export function lastAttemptText({ iteration, verdict, cause }: Ended, now: Date): string {
  return `Last attempt (#${iteration}, ${VERDICT_WORD[verdict]}): ${withLocalTimes(cause, now)}`;
}

export function cutOffText(iteration: number, taskId: string): string {
  return `#${iteration} ${taskId} was cut off. It counts as no failed attempt; the next one continues with what it wrote.`;
}

/** Returns a text such as "2 files changed, +10 -3". */
export function changedText(files: number, added: number, removed: number): string {
  return `${counted(files, 'file')} changed, +${added} -${removed}`;
}

type Claimed = {
  readonly severity: string;
  readonly file: string;
  readonly line: number | null;
  readonly claim: string;
};

/** Returns a review's finding with its place. */
export function findingText({ severity, file, line, claim }: Claimed): string {
  return `${severity} ${file}${line === null ? '' : `:${line}`}: ${claim}`;
}

type GateRun = {
  readonly name: string;
  readonly outcome: string;
  readonly standing: GateJudgement['standing'] | null;
  readonly duration_ms: number;
};

/** Returns why a gate that succeeded doesn't count as passed; `null`: it counts, or it didn't succeed. */
export function refutedBy({ outcome, standing: status }: Pick<GateRun, 'outcome' | 'standing'>) {
  return outcome === 'passed' && status !== 'passed' && status !== 'fixed' ? status : null;
}

/** Returns a text such as "test timed out (2 min)". */
export function gateRunText(gate: GateRun): string {
  return `${gate.name} ${words(refutedBy(gate) ?? gate.outcome)} (${formatDuration(gate.duration_ms)})`;
}

/** Words for what became of a review's finding. */
export const FATE_WORD = {
  fix_now: 'for the maker',
  put_off: 'put off',
  known: 'said by another role, too',
  not_used: 'not used',
} as const;
