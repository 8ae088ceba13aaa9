import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { feedbackFor } from '../../prompt/index.ts';
import { type Attempt, ignoredPaths } from '../../proof/findings/index.ts';
import { feedbackOf } from '../../respond/intervene/index.ts';
import { attemptSeconds } from '../attempt/starting-attempt.ts';
import { recoveryFeedback } from '../recovery-after.ts';
import { room } from './room.ts';
import { soloShadow, workflowFeedback } from './workflow.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof' | 'workflow' | 'interventions'>;
type Before = Pick<
  IterationDecisions,
  'findings' | 'verdict' | 'cause' | 'testResults' | 'interventions' | 'workflow' | 'recovering'
> & { readonly attempt: Attempt };

/** What the next attempt must know; what is done about findings has the last word of an attempt. */
export const feedback = room('feedback', (facts: Facts, before: Before) => {
  const { attempt, verdict, interventions, workflow, recovering } = before;
  const { settings, fileFacts, timeoutSeconds, limits, task, endedAt } = facts;
  const shadow = soloShadow(facts, verdict);
  // Of a task that is blocked now nothing is rolled back: its work is set aside.
  const acting = interventions.filter(
    ({ plan }) =>
      plan.type !== 'checkpoint_rollback' || plan.checkpoint === null || verdict.kind === 'rolled_back',
  );
  const ofAttempt = () => [
    ...feedbackFor({
      ...{ ...attempt, ...before, taskId: task.id, at: endedAt },
      ignoredPaths: ignoredPaths(fileFacts),
      workPaths: attempt.series.changes.changes.map(({ path }) => path),
      timeoutSeconds: attemptSeconds(timeoutSeconds, limits),
      outputLimit: settings.gateOutputLimit,
      heldOut: settings.heldOutGates,
    }),
    ...feedbackOf(facts, acting),
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
