import type { FactsOf, IterationDecisions } from '../../domain/records/iteration.ts';
import { type Attempt, verdictsOfGates } from '../../proof/findings/index.ts';
import { aggregateGates } from '../../proof/gates/index.ts';
import { deadGates } from '../../proof/shown/index.ts';
import { gatesNotGreen } from '../gates/gate-runs.ts';
import { room } from './room.ts';

type Before = Pick<
  Attempt,
  'claim' | 'series' | 'gates' | 'passedElsewhere' | 'clashes' | 'down' | 'gateChanges' | 'proof'
> &
  Pick<IterationDecisions, 'testResults'>;

export const gates = room(
  'gates',
  (facts: FactsOf<'attempt' | 'agent' | 'changes' | 'runs'>, before: Before) => {
    const { task, settings, baseline } = facts;
    const { gates, down } = before;
    const gateReport = aggregateGates(gates, baseline, {
      required: [...new Set([...task.gates, ...settings.requiredGates])],
      changes: before.gateChanges,
      notGreen: gatesNotGreen(facts, before.testResults),
      dead: deadGates(before.proof),
      down,
    });
    return {
      gateReport,
      gatesNow: {
        down: [...down],
        up: gates.flatMap(({ name, outcome }) => (outcome.kind === 'passed' ? [name] : [])),
      },
      verdicts: verdictsOfGates({ ...facts, ...before, gateReport, completion: settings.completion }),
    };
  },
);
