import type { Role, Seat } from '../../domain/workflow/roles.ts';

type Candidate = Omit<Seat, 'role'>;

/**
 * Who takes a role after its agent was replaced so many times: another agent or model where there is one, in turn; else the
 * same one, in a fresh session.
 */
export function replacementFor(
  role: Role,
  first: Candidate,
  others: readonly Candidate[],
  times: number,
): { readonly seat: Seat; readonly isAnother: boolean } {
  const isFirst = (one: Candidate) => one.agent === first.agent && one.model === first.model;
  const rest = others.filter((one) => !isFirst(one));
  const all = [first, ...rest];
  const chosen = all[times % all.length] ?? first;
  return { seat: { role, ...chosen }, isAnother: times > 0 && !isFirst(chosen) };
}
