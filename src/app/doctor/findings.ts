import type { DoctorFacts } from './facts.ts';
import type { DoctorFinding, FindingStatus } from './finding.ts';
import { agentFindings } from './findings-agents.ts';
import { gitFindings } from './findings-git.ts';
import { projectFindings } from './findings-project.ts';
import { ralphGoldFindings } from './findings-ralph-gold.ts';
import { stateFindings } from './findings-state.ts';

/** Everything that the doctor has to say, in the order in which it is read. Each that is not ok has a mend. */
export function decideFindings(facts: DoctorFacts): DoctorFinding[] {
  return [
    ...gitFindings(facts),
    ...projectFindings(facts),
    ...agentFindings(facts),
    ...stateFindings(facts),
    ...ralphGoldFindings(facts),
  ];
}

export function countByStatus(findings: readonly DoctorFinding[]): Record<FindingStatus, number> {
  const counts = { ok: 0, info: 0, warning: 0, error: 0 };
  for (const { status } of findings) counts[status] += 1;
  return counts;
}
