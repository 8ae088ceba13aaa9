import { type Role, SHADOWS, type ShadowSign } from '../../../domain/workflow/roles.ts';
import { OVER_ARCHITECT } from './creator.ts';
import { RABBIT_HOLE } from './explorer.ts';
import { PARANOID } from './guardian.ts';
import type { RoleLook, SignDetector } from './look.ts';
import { ROGUE } from './maker.ts';
import { BUREAUCRAT } from './sage.ts';
import { PARALYTIC } from './skeptic.ts';
import { FALSE_ALARM } from './trickster.ts';

const DETECTORS: Readonly<Record<Role, readonly SignDetector[]>> = {
  explorer: RABBIT_HOLE,
  creator: OVER_ARCHITECT,
  maker: ROGUE,
  guardian: PARANOID,
  skeptic: PARALYTIC,
  trickster: FALSE_ALARM,
  sage: BUREAUCRAT,
};

/** The corrective action of each role's shadow, for its next prompt. */
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

/** What is looked for in each role. */
export const ROLE_SIGNS: Readonly<Record<Role, readonly string[]>> = {
  explorer: RABBIT_HOLE.map(({ sign }) => sign),
  creator: OVER_ARCHITECT.map(({ sign }) => sign),
  maker: ROGUE.map(({ sign }) => sign),
  guardian: PARANOID.map(({ sign }) => sign),
  skeptic: PARALYTIC.map(({ sign }) => sign),
  trickster: FALSE_ALARM.map(({ sign }) => sign),
  sage: BUREAUCRAT.map(({ sign }) => sign),
};

/** The signs of a role's shadow in what it did, those included that count for nothing, with the reason. */
export function roleSigns(role: Role, look: RoleLook): readonly ShadowSign[] {
  const shadow = `${role}:${SHADOWS[role]}`;
  return DETECTORS[role].flatMap(({ sign, find }) => {
    const found = find(look);
    return found === null ? [] : [{ shadow, sign, ...found }];
  });
}
