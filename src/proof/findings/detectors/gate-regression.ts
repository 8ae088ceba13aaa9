import { quotedNames } from '../../../lib/text.ts';
import type { Attempt } from '../attempt.ts';
import type { Found } from '../detector.ts';

export function gateRegression(attempt: Attempt): Found | null {
  const gates = attempt.gateReport.judgements
    .filter((judgement) => judgement.standing === 'regression')
    .map((judgement) => judgement.name);
  if (gates.length === 0) return null;
  return {
    severity: 'medium',
    summary: `${gates.length === 1 ? 'A gate' : 'Gates'} that passed before the attempt failed after it: ${quotedNames(gates)}.`,
    details: { gates },
  };
}
