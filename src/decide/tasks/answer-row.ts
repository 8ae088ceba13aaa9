import type { InterventionSettings } from '../../domain/config.ts';
import { adaptationOf, changesOf } from '../../domain/human/recovery.ts';
import type { State, TaskState } from '../../domain/records/state.ts';
import { isFailed, isOutsideCause, VERDICT_COUNTING } from '../../domain/verdict.ts';
import { isProgress, stepIfAgain } from '../../respond/intervene/index.ts';
import { rank } from '../../respond/table.ts';
import { ANSWER_WORD } from '../../tell/index.ts';

type AnswerRow = {
  /** Type of the finding that was answered, otherwise the verdict. */
  readonly issue: string;
  readonly times: number;
  readonly done: string;
  readonly next: string;
};

type Known = {
  readonly task: TaskState;
  readonly maxAttempts: number;
  readonly settings: InterventionSettings;
  readonly effectiveness: State['interventionStats']['cells'];
  readonly command: string | null;
};

/**
 * Returns the row of the table of answers for a task's newest attempt; `null`: there is no attempt, or it had no
 * problem.
 */
export function answerRow({ task, maxAttempts, settings, effectiveness, command }: Known): AnswerRow | null {
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
  const next = stepIfAgain({
    due,
    records: interventions,
    agent: last.agent,
    effectiveness,
    settings,
    progressed: isProgress(last.verdict, last.filesChanged),
    recovers: VERDICT_COUNTING[last.verdict].failedAttempt,
  });
  if (next === null) return row(done, 'tried again');
  return row(
    done,
    next === 'recovery' ? 'a recovery: another approach in a fresh session' : ANSWER_WORD[next],
  );
}
