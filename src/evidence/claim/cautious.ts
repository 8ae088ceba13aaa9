import type { Claim } from '../../domain/claim.ts';

/** What says less than done wins over done. */
export function mostCautious(statuses: readonly Claim['status'][]): Claim['status'] {
  return (['blocked', 'in_progress', 'done'] as const).find((status) => statuses.includes(status)) ?? 'none';
}
