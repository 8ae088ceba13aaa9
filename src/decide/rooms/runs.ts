import {
  clashesIn,
  gatesIn,
  gatesPassedElsewhere,
  gatesRedWithoutWork,
  runsRedOnLine,
} from '../../domain/command-runs.ts';
import type { FactsOf } from '../../domain/records/iteration.ts';
import { compareResults } from '../../proof/results/index.ts';
import { gateChanges } from '../gates/compare-sources.ts';
import { room } from './room.ts';

export const runs = room('runs', (facts: FactsOf<'runs'>) => {
  const { baseline, gateSources } = facts;
  const gates = gatesIn(facts);
  return {
    gates,
    passedElsewhere: gatesPassedElsewhere(facts),
    clashes: clashesIn(facts),
    /** Gates that fail even without the work; empty if the commit that broke them is known. */
    down: runsRedOnLine(facts).length === 0 ? gatesRedWithoutWork(facts) : [],
    gateChanges: [...gateChanges(gateSources, baseline?.sources ?? null)],
    testResults: compareResults(gates, baseline),
  };
});
