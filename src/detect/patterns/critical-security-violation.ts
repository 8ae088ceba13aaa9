import type { Attempt } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED } from '../numbers.ts';

/**
 * Credentials in lines that the attempt added to files that git does not ignore (`findCredentials`). Actions that a
 * step reviewer rules critical belong here too, as soon as rulings carry a severity.
 */
export function criticalSecurityViolation({ credentials }: Attempt): Found | null {
  const [first] = credentials;
  if (first === undefined) return null;
  const more = credentials.length > 1 ? ` (and ${credentials.length - 1} more)` : '';
  return {
    severity: 'critical',
    summary: `A credential was written into ${first.path}:${first.line} (${first.kind})${more}.`,
    details: { credentials: credentials.slice(0, NAMED), count: credentials.length },
  };
}
