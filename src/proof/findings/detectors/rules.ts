import { gravestOf } from 'ralph-kit/severity';
import { quotedNames } from 'ralph-kit/text';
import { avoidanceLine } from '../../../domain/findings/avoidance.ts';
import type { Tampering } from '../../../domain/records/iteration.ts';
import type { Attempt } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED } from '../numbers.ts';

/** Finds tampering, except with the task list alone: its marks decide nothing. */
export function stateTampering({ tampering }: Attempt): Found | null {
  if (tampering.every(({ kind }) => kind === 'tracker')) return null;
  const files = tampering.map((entry) => ({
    path: entry.path,
    kind: entry.kind,
    change: entry.change,
  }));
  const changed = tampering.map(({ path, change }) => `${path} (${change})`).join(', ');
  return {
    severity: tampering.some(isCritical) ? 'critical' : 'high',
    summary: `The agent changed files that only ralph or you write: ${changed}.`,
    details: { files },
  };
}

/** `COMMANDS` matches the file with the commands that ralph runs, `APPROVALS` those with what you approved. */
const COMMANDS = /(?:^|\/)ralph\.toml$/;
const APPROVALS = /(?:^|\/)\.ralph\/(?:gates|whitelists)(?:\/|$)/;

function isCritical({ path, kind }: Tampering): boolean {
  return (kind === 'config' && COMMANDS.test(path)) || (kind === 'own' && APPROVALS.test(path));
}

/** Finds an action without a review, which means that the review hook doesn't work. */
export function unreviewedAction({ review }: Attempt): Found | null {
  const action = review.unreviewed;
  if (action === null) return null;
  return {
    severity: 'high',
    summary: `The agent acted without having been allowed to: ${action.action}.`,
    details: action,
  };
}

/** Finds denied actions. With a review hook, they didn't happen. */
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

/** Finds credentials in lines that the attempt added to commits or to files that git doesn't ignore (`findCredentials`). */
export function criticalSecurityViolation({ credentials }: Attempt): Found | null {
  const [first] = credentials;
  if (first === undefined) return null;
  const more = credentials.length > 1 ? ` (and ${credentials.length - 1} more)` : '';
  const where = first.commit === null ? '' : ` of commit ${first.commit.slice(0, 10)}`;
  return {
    severity: 'critical',
    summary: `A credential was written into ${first.path}:${first.line}${where} (${first.kind})${more}.`,
    details: { credentials: credentials.slice(0, NAMED), count: credentials.length },
  };
}

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

/** Finds weakened checks. A critical one waits for you at a human gate and stops nothing else, so it counts as high here. */
export function avoidance({ avoidance: { acting } }: Attempt): Found | null {
  const [first] = acting;
  if (first === undefined) return null;
  const gravest = gravestOf(acting.map(({ severity }) => severity));
  const severity = gravest === null || gravest === 'critical' ? 'high' : gravest;
  const more = acting.length > 1 ? ` (and ${acting.length - 1} more)` : '';
  return {
    severity,
    confidence: Math.max(...acting.map(({ confidence }) => confidence)),
    summary: `${avoidanceLine(first)}${more}`,
    details: {
      categories: [...new Set(acting.map(({ category }) => category))],
      files: [...new Set(acting.map(({ path }) => path))].filter((path) => path !== '').slice(0, NAMED),
      findings: acting.slice(0, NAMED).map(({ category, path, line, before, after, evidence }) => ({
        category,
        path,
        line,
        before,
        after,
        evidence,
      })),
      count: acting.length,
    },
  };
}
