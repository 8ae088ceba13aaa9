import type { Claim } from '../../../domain/claim.ts';

/** What says less than done wins over done. */
export function mostCautious(statuses: readonly Claim['status'][]): Claim['status'] {
  const order = ['blocked', 'in_progress', 'already_done', 'done'] as const;
  return order.find((status) => statuses.includes(status)) ?? 'none';
}
