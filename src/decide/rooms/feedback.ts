import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { feedbackFor } from '../../prompt/index.ts';
import { type Attempt, ignoredPaths } from '../../proof/findings/index.ts';
import { checkpointOf, feedbackOf } from '../../respond/intervene/index.ts';
import { attemptSeconds } from '../attempt/starting-attempt.ts';
import { recoveryFeedback } from '../recovery-after.ts';
import { room } from './room.ts';
import { soloShadow, workflowFeedback } from './workflow.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof' | 'workflow' | 'interventions'>;
type Before = Pick<
  IterationDecisions,
  | 'findings'
  | 'verdict'
  | 'cause'
  | 'testResults'
  | 'interventions'
  | 'taskStatus'
  | 'workflow'
  | 'recovering'
> & { readonly attempt: Attempt };

/** Writes the feedback for the next attempt. Texts about findings come last. */
export const feedback = room('feedback', (facts: Facts, before: Before) => {
  const { attempt, verdict, interventions, workflow, recovering } = before;
  const { settings, fileFacts, timeoutSeconds, limits, task, endedAt } = facts;
  const shadow = soloShadow(facts, verdict);
  const startsOver = checkpointOf(before) !== null;
  const ofAttempt = () => [
    ...feedbackFor({
      ...attempt,
      ...before,
      taskId: task.id,
      at: endedAt,
      ignoredPaths: ignoredPaths(fileFacts),
      workPaths: startsOver ? [] : attempt.series.changes.changes.map(({ path }) => path),
      startsOver,
      timeoutSeconds: attemptSeconds(timeoutSeconds, limits),
      outputLimit: settings.gateOutputLimit,
      heldOut: settings.heldOutGates,
    }),
    ...feedbackOf(facts, interventions, startsOver),
  ];
  return {
    feedback: [
      ...(settings.interventions.enabled ? ofAttempt() : []),
      ...workflowFeedback(facts, workflow),
      ...shadow.feedback,
      ...recoveryFeedback(facts, recovering),
    ],
    shadow,
  };
});
