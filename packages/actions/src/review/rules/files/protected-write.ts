import { AGENT_SETTINGS } from 'ralph-agents/known';
import { below, fitsPattern } from 'ralph-kit/paths';
import type { PathEffect, Spot } from '../../../effects/index.ts';
import type { ReviewPlace } from '../../../forms/place.ts';
import { denyEffects } from '../../rule.ts';
import { AGENT_FOLDERS, isProtected, LOOP_FOLDER, namesSettings } from '../../settings-places.ts';

export const protectedWrite = denyEffects(
  {
    name: 'protected_write',
    essential: true,
    fixed: true,
    finds: 'Changes the settings of ralph or of an agent.',
    instead: 'Leave them as they are.',
  },
  (effect, { place }) => {
    if (effect.kind !== 'deletes' && effect.kind !== 'writes' && effect.kind !== 'permissions') return null;
    for (const spot of effect.spots()) {
      const reason = reasonAt(spot, effect, place);
      if (reason !== null) return reason;
    }
    return null;
  },
);

function reasonAt(spot: Spot, effect: PathEffect, place: ReviewPlace): string | null {
  const deletes = effect.kind === 'deletes';
  const verb = deletes ? 'deleted' : 'changed';
  const guarded = `"${effect.shown}" belongs to the settings of ralph or of an agent, which are not ${verb} during a run. Leave it as it is.`;
  if (spot.kind === 'path') {
    // The written name counts, too, as a protected folder may be a link.
    return [spot.path, spot.writtenPath].some((path) => isProtected(path, place, deletes)) ? guarded : null;
  }
  if (spot.kind === 'anywhere' || !spot.staysInFolder) return namesSettings(effect.shown) ? guarded : null;
  const { folder, pattern } = spot;
  if (isProtected(below(folder, 'x'), place, deletes)) return guarded;
  const hit = settingsAmong(folder, pattern, place, deletes);
  if (hit !== undefined) {
    return `"${effect.shown}" also stands for "${hit}", settings that are not ${verb} during a run. Name the files one by one, or by a narrower pattern.`;
  }
  // A pattern such as `*/.claude` stands for the folder's parents.
  const [, ...more] = pattern.split('/');
  return more.some((part) => AGENT_FOLDERS.includes(part.toLowerCase())) ? guarded : null;
}

function settingsAmong(
  folder: string,
  pattern: string,
  place: ReviewPlace,
  deletes: boolean,
): string | undefined {
  const [first = '', ...more] = pattern.split('/');
  const files = more.length === 0 ? AGENT_SETTINGS.files : [];
  const names = [...AGENT_FOLDERS, ...(folder === place.root ? [LOOP_FOLDER, ...files] : [])];
  return names.find((name) => fitsPattern(name, first) && isProtected(below(folder, name), place, deletes));
}
