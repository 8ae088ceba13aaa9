import { INTERVENTION_TYPES, type Intervention } from '../../../domain/intervention.ts';
import type { IterationDecisions, IterationFacts } from '../../../domain/records/iteration.ts';
import { answers } from '../history.ts';

/** What made the incident likelier or worse; each a sentence. */
export function contributingFactors(
  facts: IterationFacts,
  decisions: IterationDecisions,
  { record }: Intervention,
): string[] {
  const { task, taskState, attempt, review, end, resumed, settings, tampering } = facts;
  const unhelpful = taskState.interventions.filter(
    (one) => answers(one, record.issue) && one.outcome === 'not_helped',
  );
  const off = INTERVENTION_TYPES.filter((type) => !settings.interventions[type].enabled);
  const regressions = decisions.gateReport.judgements.filter(({ standing }) => standing === 'regression');
  const before = decisions.gateReport.judgements.filter(({ standing }) => standing === 'failed_before');
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(', ');
  const factors: [holds: boolean, text: string][] = [
    [attempt > 1, `It was attempt ${attempt} of the task.`],
    [
      unhelpful.length > 0,
      `What was done about it before did not help: ${unhelpful.map(({ type, iteration }) => `${type} after iteration ${iteration}`).join(', ')}.`,
    ],
    [
      review.mode !== 'hook',
      `The agent's actions could not be stopped (review: ${review.mode}${review.why && `, ${review.why}`}).`,
    ],
    [review.denied > 0, `${review.denied} of its actions were denied in this attempt.`],
    [
      end.kind === 'halted' && end.crossed !== undefined,
      end.kind === 'halted' && end.crossed !== undefined
        ? `It crossed its limit of ${end.crossed.limit.replaceAll('_', ' ')}: ${end.crossed.seen} of ${end.crossed.allowed}.`
        : '',
    ],
    [end.kind === 'timed_out', 'It ran into its time limit.'],
    [taskState.throttle !== null, 'Its limits had been lowered before.'],
    [taskState.restriction !== null, 'You had set stricter limits for the task.'],
    [
      tampering.length > 0,
      `It changed files that it must not write: ${tampering.map(({ path }) => path).join(', ')}.`,
    ],
    [regressions.length > 0, `Gates fail that passed before: ${names(regressions)}.`],
    [before.length > 0, `Gates failed before the attempt already: ${names(before)}.`],
    [facts.gates.length === 0 && settings.requiredGates.length === 0, 'No gate checked the work.'],
    [task.expectedPaths === null, "The task doesn't name the files that it is about."],
    [task.acceptance.length === 0, 'The task has no acceptance criteria.'],
    [resumed !== null, 'The attempt continued an earlier session of the agent.'],
    [off.length > 0, `Other interventions are switched off: ${off.join(', ')}.`],
  ];
  return factors.filter(([holds]) => holds).map(([, text]) => text);
}
