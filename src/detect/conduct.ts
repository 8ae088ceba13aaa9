import type { Tampering } from '../domain/iteration.ts';
import type { Attempt } from './attempt.ts';
import type { Found } from './detector.ts';

export function gateRegression(attempt: Attempt): Found | null {
  const gates = attempt.gateReport.judgements
    .filter((judgement) => judgement.standing === 'regression')
    .map((judgement) => judgement.name);
  if (gates.length === 0) return null;
  const names = gates.map((name) => `"${name}"`).join(', ');
  return {
    severity: 'medium',
    summary: `${gates.length === 1 ? 'A gate' : 'Gates'} that passed before the attempt failed after it: ${names}.`,
    details: { gates },
  };
}

export function stateTampering({ tampering }: Attempt): Found | null {
  if (tampering.length === 0) return null;
  const files = tampering.map((entry) => ({
    path: entry.path,
    kind: entry.kind,
    change: entry.change,
    set_aside: entry.setAside,
  }));
  const said = tampering.map((entry) => `${entry.path} (${entry.change})`).join(', ');
  return {
    severity: tampering.some(isCritical) ? 'critical' : 'high',
    summary: `The agent changed what only ralph or a person writes; it was put back: ${said}.`,
    details: { files },
  };
}

/** The configuration holds the commands that ralph runs; `gates` and `whitelists` what people approved. */
const COMMANDS = /(?:^|\/)ralph\.toml$/;
const APPROVALS = /(?:^|\/)\.ralph\/(?:gates|whitelists)(?:\/|$)/;

function isCritical({ path, kind }: Tampering): boolean {
  return (kind === 'config' && COMMANDS.test(path)) || (kind === 'own' && APPROVALS.test(path));
}

/** Something happened that nobody had allowed: the gate does not hold. */
export function unreviewedAction({ review }: Attempt): Found | null {
  const action = review.unreviewed;
  if (action === null) return null;
  return {
    severity: 'high',
    summary: `The agent acted without asking: ${action.action}.`,
    details: action,
  };
}

/** The agent wanted to do what is denied; where there is a gate, it did not happen. */
export function actionDenied({ review }: Attempt): Found | null {
  const first = review.blocked[0];
  if (first === undefined) return null;
  const more = review.denied > 1 ? ` (and ${review.denied - 1} more)` : '';
  return {
    severity: 'medium',
    summary: `The agent was denied: ${first.action}${more}.`,
    details: { mode: review.mode, denied: review.denied, actions: review.blocked },
  };
}
