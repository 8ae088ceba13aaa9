import { adaptationOf } from '../../domain/human/recovery.ts';
import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { type InterventionDecision, isStopOfTask } from '../../respond/intervene/index.ts';
import { summarise } from '../attempt/summarise.ts';
import { escalated } from '../recovery-after.ts';
import { blockedAfter } from './block.ts';
import type { human } from './human.ts';
import { room } from './room.ts';

type Facts = FactsOf<'attempt' | 'agent' | 'changes' | 'runs' | 'proof' | 'interventions'>;
type Before = Pick<
  IterationDecisions,
  | 'gateReport'
  | 'proof'
  | 'findings'
  | 'testResults'
  | 'verdict'
  | 'cause'
  | 'interventions'
  | 'leftOut'
  | 'workflow'
> & {
  readonly intervened: InterventionDecision;
  readonly stop: ReturnType<typeof human.decide>['stop'];
};

export const task = room('task', (facts: Facts, before: Before) => {
  const { verdict, findings, testResults, interventions, intervened, stop, workflow } = before;
  const attempted = summarise(facts, before);
  const isHeld = interventions.some(({ plan }) => isStopOfTask(plan));
  const limit = blockedAfter(facts, attempted, verdict, intervened.limitReached);
  const { uncured } = intervened;
  const after = escalated(facts, {
    attempted,
    verdict,
    findings,
    uncured,
    testResults,
    isHeld,
    limit,
    stop,
  });
  const { humanGate, blocked, recovering } = after;
  const byOthers = intervened.parkedBecause ?? workflow?.parked ?? null;
  const parkedBecause = parkedAfter({ verdict, blocked, humanGate }, byOthers);
  return {
    attempted,
    ...after,
    parkedBecause,
    taskStatus: humanGate !== null ? ('parked' as const) : statusOf(verdict, blocked, parkedBecause),
    recovery: parkedBecause === null ? [] : [...intervened.recovery],
    throttle: adaptationOf(recovering)?.liftLimits === true ? null : intervened.throttle,
  };
});

function parkedAfter(
  { verdict, blocked, humanGate }: Pick<IterationDecisions, 'verdict' | 'blocked' | 'humanGate'>,
  byOthers: string | null,
): string | null {
  if (humanGate !== null) return humanGate.triggers.map(({ text }) => text).join('; ');
  if (verdict.kind === 'awaiting_human') return `${verdict.requests.join(', ')}: its actions wait for you`;
  if (verdict.kind === 'already_done') return `the agent says that it was done before`;
  return blocked === null ? byOthers : null;
}

function statusOf(
  { kind }: IterationDecisions['verdict'],
  blocked: IterationDecisions['blocked'],
  parkedBecause: string | null,
): IterationDecisions['taskStatus'] {
  if (kind === 'done') return 'done';
  if (blocked !== null) return 'blocked';
  return parkedBecause === null ? 'open' : 'parked';
}
