import { type Role, SHADOWS, type ShadowSign } from '../../domain/workflow/roles.ts';
import type { RoleObservation } from './shadows/observation.ts';
import { REVIEW_SIGNS } from './shadows/review.ts';
import { WORK_SIGNS } from './shadows/work.ts';

export const ROLE_SIGNS = { ...WORK_SIGNS, ...REVIEW_SIGNS };

export const CORRECTIONS: Readonly<Record<Role, string>> = {
  explorer: 'Give your top 3 findings and one recommendation, in at most 300 words.',
  creator:
    "Design for today's order of magnitude. Drop abstractions, packages and files that only a hypothetical need would justify.",
  maker:
    'Read the proposal. Write a test for the change and run it. Commit in small steps where commits are allowed. Revert what is outside the proposal.',
  guardian:
    'For each CRITICAL ask: would a senior engineer block a change for it? If not, downgrade it. Each rejection needs a specific fix. Assume that the machine itself is sound.',
  skeptic: 'Rank your challenges by impact, keep the top 3, each with an alternative, and delete the rest.',
  trickster:
    'Delete findings outside the diff. Rank the rest by likelihood × impact and keep the top 3 to 5, each with steps to reproduce it.',
  sage: 'Keep only what hurts maintainers within 6 months. Each finding needs a specific action, and must be in the diff.',
};

/** Returns signs of a role's shadow (overdone strength). Those that don't count have a reason. */
export function roleSigns(role: Role, observed: RoleObservation): readonly ShadowSign[] {
  const shadow = `${role}:${SHADOWS[role]}`;
  return Object.entries(ROLE_SIGNS[role]).flatMap(([sign, find]) => {
    const found = find(observed, observed.answer?.findings ?? []);
    return found === null ? [] : [{ shadow, sign, ...found }];
  });
}
