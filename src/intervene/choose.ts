import type { Finding } from '../domain/finding.ts';
import type { InterventionRecord, InterventionType } from '../domain/intervention.ts';
import { recordsOn } from './history.ts';
import type { ControlInput } from './input.ts';
import { isUsable, ladderOf, sternness } from './ladder.ts';
import { isCoolingDown } from './limits.ts';
import { escalationLevel, type Score, scoreOf } from './score.ts';
import { chooseRung } from './strategies.ts';

/** The intervention that one finding calls for. */
export type Choice = {
  readonly finding: Finding;
  readonly score: Score;
  readonly type: InterventionType;
  /** A rung above the one before, as that did not help. */
  readonly escalated: boolean;
  /** Text of a person's module instead of the built-in one. */
  readonly text: string | null;
  /** How the type was come to, as the end of a sentence. */
  readonly why: string;
};

type Chosen = Pick<Choice, 'type' | 'text' | 'why'>;

/**
 * What each finding calls for, critical ones first and then by falling score; findings that nothing is done about are
 * left out.
 */
export function chooseAll(input: ControlInput, records: readonly InterventionRecord[]): readonly Choice[] {
  const moment = { at: input.at, attempts: input.taskState.attempts };
  return input.findings
    .map((finding) => ({
      finding,
      score: scoreOf(finding, input.settings, escalationLevel(records, finding.type, moment)),
    }))
    .toSorted(
      (a, b) =>
        Number(b.finding.severity === 'critical') - Number(a.finding.severity === 'critical') ||
        b.score.combined - a.score.combined,
    )
    .flatMap(({ finding, score }) => {
      const chosen = choose(finding, score, input, records);
      if (chosen === null || !acts(chosen.type, finding, input)) return [];
      const last = recordsOn(records, finding.type).at(-1);
      const escalated = last?.outcome === 'not_helped' && sternness(chosen.type) > sternness(last.type);
      return [{ finding, score, escalated, ...chosen }];
    });
}

/** What still makes sense for a task that is blocked or verified. */
function acts(type: InterventionType, { severity }: Finding, { standing }: ControlInput): boolean {
  if (standing === 'open') return true;
  if (standing === 'done') return severity === 'critical' && type === 'emergency_stop';
  return type === 'checkpoint_rollback' || type === 'emergency_stop';
}

/** Critical findings first, as nothing holds them; then the cooldown, a person's modules, and the ladder. */
function choose(
  finding: Finding,
  score: Score,
  input: ControlInput,
  records: readonly InterventionRecord[],
): Chosen | null {
  const { settings } = input;
  const onIssue = recordsOn(records, finding.type);
  if (finding.severity === 'critical') return critical(finding, input);
  if (isCoolingDown(onIssue, input)) return null;
  const answered = fromModule(finding, input, records);
  if (answered !== undefined) return answered;
  const rungs = ladderOf(finding).filter((type) => isUsable(type, settings, records));
  const { at, agent, effectiveness, taskState } = input;
  const { attempts } = taskState;
  const rung = chooseRung({
    finding,
    score,
    rungs,
    records: onIssue,
    attempts,
    at,
    agent,
    effectiveness,
    settings,
  });
  return rung === null ? null : { ...rung, text: null };
}

/** Straight to the stop; where a person has switched that off, to the sternest that is left. */
function critical(finding: Finding, { settings }: ControlInput): Chosen | null {
  const type = (['emergency_stop', ...ladderOf(finding).toReversed()] as const).find(
    (rung) => settings.types[rung].enabled,
  );
  if (type === undefined) return null;
  const why = 'a critical finding takes the sternest intervention at once';
  return { type, text: null, why };
}

/**
 * What a person's module wants: that of the issue, else that of the strategy `custom`. `undefined` where none has an
 * answer, or where the answer is an intervention that is switched off or used up: then the ladder decides.
 */
function fromModule(
  { type: issue }: Finding,
  { handled, settings }: ControlInput,
  records: readonly InterventionRecord[],
): Chosen | null | undefined {
  const asked = settings.strategy === 'custom' ? [issue, 'strategy'] : [issue];
  for (const name of asked) {
    const found = handled.find(
      (one) => one.call === 'intervene' && one.issue === name && one.answer !== null && one.failure === null,
    );
    const answer = found?.answer ?? null;
    if (answer === null) continue;
    if (answer.intervention === 'none') return null;
    if (!isUsable(answer.intervention, settings, records)) continue;
    const who = name === 'strategy' ? 'the strategy module' : `the handler of ${issue}`;
    return { type: answer.intervention, text: answer.text ?? null, why: `${who} decided so` };
  }
  return undefined;
}
