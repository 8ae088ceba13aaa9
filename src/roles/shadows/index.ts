import { type Role, SHADOWS, type ShadowSign } from '../../domain/workflow/roles.ts';
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

/** The signs of a role's shadow in what it did, those included that count for nothing, with the reason. */
export function roleSigns(role: Role, look: RoleLook): readonly ShadowSign[] {
  const shadow = `${role}:${SHADOWS[role]}`;
  return DETECTORS[role].flatMap(({ sign, find }) => {
    const found = find(look);
    return found === null ? [] : [{ shadow, sign, ...found }];
  });
}
