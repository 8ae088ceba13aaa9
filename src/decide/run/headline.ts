import { PLAIN_REASONS, type RunEnding } from '../../domain/exit.ts';
import type { RunReport, UnfinishedTask } from '../../domain/run-report.ts';
import { counted } from '../../lib/counted.ts';

/** `2 of 5 tasks done, 2 need you, 1 open.`: all tasks of the list, and the results that wait for you. */
export function countsText(
  { done, total }: RunReport['tasks'],
  open: readonly UnfinishedTask[],
  waiting: number,
): string {
  const you = open.filter(({ group }) => group === 'you').length;
  const behind = open.filter(({ group, waitsFor }) => group !== 'you' && waitsFor.length > 0).length;
  const left = [
    [you, you === 1 ? 'needs you' : 'need you'],
    [waiting, `verified ${waiting === 1 ? 'result waits' : 'results wait'} for you`],
    [open.length - you - behind, 'open'],
    [behind, `${behind === 1 ? 'waits' : 'wait'} for another`],
  ] as const;
  const parts = left.flatMap(([count, what]) => (count > 0 ? [`, ${count} ${what}`] : []));
  return `${done} of ${counted(total, 'task')} done${parts.join('')}.`;
}

const PLAIN: ReadonlySet<string> = new Set(Object.values(PLAIN_REASONS));

type Ended = {
  /** `null`: it is running. */
  readonly ending: RunEnding | null;
  readonly reason: string;
  readonly counts: string;
  readonly open: readonly UnfinishedTask[];
  readonly unchecked: RunReport['unchecked'];
  /** The command by which runs continue that a policy stopped; `null`: none is stopped now. */
  readonly resume: string | null;
};

/** The first line of a report: how much is done, or why the run ended before its tasks were. */
export function headlineOf(ended: Ended): string {
  return `${ended.unchecked.length === 0 ? '' : 'Nothing checked this run. '}${endText(ended)}`;
}

function endText({ ending, reason, counts, open, resume }: Ended): string {
  if (ending === null) return `Running: ${counts}`;
  if (open.length === 0 || ending === 'all_done' || PLAIN.has(reason)) return counts;
  if (ending !== 'break' || resume === null) return reason;
  const isOne = open.some(({ status }) => status === 'blocked');
  return `${reason} ${isOne ? 'See one, then' : 'To continue'}: ${resume}`;
}
