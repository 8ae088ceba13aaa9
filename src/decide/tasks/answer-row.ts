import type { InterventionSettings } from '../../domain/config.ts';
import { adaptationOf, changesOf } from '../../domain/human/recovery.ts';
import type { TaskState } from '../../domain/records/state.ts';
import { ANSWER_WORD } from '../../domain/report-items.ts';
import { isOutsideCause } from '../../domain/verdict.ts';
import { isFailed } from '../../respond/blocked/index.ts';
import { AVOIDANCE, ESCALATION_STEP, ladderOf, proposedBy, rank, stepAfter } from '../../respond/table.ts';

/** Where a task stands in the table of answers. */
export type AnswerRow = {
  /** Type of the finding that was answered, else the verdict. */
  readonly issue: string;
  /** How many attempts of the series showed it. */
  readonly times: number;
  /** What was done about it, in words. */
  readonly done: string;
  /** What comes next if it is there again, in words. */
  readonly next: string;
};

type Known = {
  readonly task: TaskState;
  readonly maxAttempts: number;
  readonly settings: InterventionSettings;
  /** What you can do about the task where it is blocked or waits for you. */
  readonly command: string | null;
};

/** The row that a task is in, by its newest attempt; `null`: nothing speaks against that, or none was made. */
export function answerRow({ task, maxAttempts, settings, command }: Known): AnswerRow | null {
  const { interventions, recovering, blocked, parked } = task;
  const attempts = task.attempts.filter(({ verdict }) => !isOutsideCause(verdict));
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const [due] = interventions
    .filter(({ iteration }) => iteration === last.iteration)
    .toSorted((one, other) => rank(other.type) - rank(one.type));
  if (due === undefined && !isFailed(last)) return null;
  const answered = due === undefined || blocked !== null ? last.findings : [due.issue, ...due.also];
  const issue = answered.find((type) => type === last.verdict) ?? answered[0] ?? last.verdict;
  const times = attempts.filter(({ findings, verdict }) => [...findings, verdict].includes(issue)).length;
  const row = (done: string, next: string) => ({ issue, times: Math.max(1, times), done, next });
  const toYou = command === null ? 'you decide' : `you decide: ${command}`;
  if (blocked !== null) return row('blocked', toYou);
  const adaptation = adaptationOf(recovering);
  const step =
    due === undefined
      ? settings.enabled
        ? ANSWER_WORD.soft_correction
        : 'tried again'
      : due.leftOut
        ? 'nothing more, so soon after the last time'
        : ANSWER_WORD[due.type];
  const done =
    adaptation === null
      ? step
      : `recovery, attempt ${adaptation.attempt} of ${recovering?.maxAttempts}: ${changesOf(adaptation)}`;
  if (parked) return row(done, toYou);
  if (attempts.filter(isFailed).length + 1 >= maxAttempts) return row(done, 'blocked');
  if (recovering !== null) {
    const isLast = adaptation?.attempt === recovering.maxAttempts;
    return row(done, isLast ? 'you decide' : 'another approach');
  }
  if (due === undefined) return row(done, ANSWER_WORD.soft_correction);
  const rungs = ladderOf({ type: issue }).filter((type) => settings[type].enabled);
  const combined = due.severityScore + ESCALATION_STEP * (due.escalationLevel + 1);
  const next = stepAfter(rungs, due.type, proposedBy({ combined })) ?? due.type;
  const isSpent = next === due.type && next === rungs.at(-1) && next !== 'emergency_stop';
  const recovers = isSpent || issue === AVOIDANCE;
  return row(done, recovers ? 'a recovery: another approach in a fresh session' : ANSWER_WORD[next]);
}
