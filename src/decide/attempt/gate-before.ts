import { judgedAvoidance } from '../../domain/findings/avoidance.ts';
import { type GateDraft, type GateFacts, NO_GATE_FACTS } from '../../domain/human/gate.ts';
import type { HumanSettings } from '../../domain/human/settings.ts';
import type { HumanState } from '../../domain/human/state.ts';
import { goalText, type Task } from '../../domain/task.ts';
import { reviewDiff } from '../../proof/avoidance/index.ts';
import { triggersOf } from '../../respond/human/index.ts';
import { countsOf } from '../human-gate.ts';
import { kindsOf, recordedFindings, signOf } from './review-changes.ts';

/** What an action would make of files, beside what those before it in the attempt made of others. */
export type Asked = {
  readonly task: Task;
  readonly agent: string;
  readonly at: string;
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Those that the action itself changes. */
  readonly own: readonly string[];
};

/**
 * The gate for destructive actions as an action opens it before it happens: tests removed, features removed, assertions
 * weakened, tests skipped, counted net over what the attempt made so far. `null`: it needs nobody.
 *
 * @see spec 5-human-gates, Human gates
 */
export function gateBefore(
  { task, agent, at, files, own }: Asked,
  human: Pick<HumanState, 'whitelist' | 'detections' | 'decided'>,
  gates: HumanSettings['gates'],
): { readonly draft: GateDraft; readonly signs: string[] } | null {
  const { findings } = reviewDiff({ files }, { goal: goalText(task) });
  const found = recordedFindings(
    findings.filter(({ path }) => own.includes(path)),
    { taskId: task.id, at },
    human,
  );
  const judged = judgedAvoidance({ findings: found, detections: kindsOf(found, human.detections) });
  const facts: GateFacts = {
    ...NO_GATE_FACTS,
    ...{ taskId: task.id, title: task.title, agent, detectedAt: at },
    ...countsOf({ acting: judged.acting, unsure: [], warned: [] }),
    featureRemovalApproved: task.owner !== null && task.removalApprovedBy === task.owner,
  };
  const { triggers } = triggersOf('GATE-AP-DESTRUCTIVE', facts, gates);
  if (triggers.length === 0) return null;
  const draft = { gate: 'GATE-AP-DESTRUCTIVE' as const, facts, triggers: [...triggers], action: null };
  return { draft, signs: judged.acting.map(signOf) };
}
