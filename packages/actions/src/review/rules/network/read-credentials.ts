import { credentialsAt } from '../../../effects/index.ts';
import { judgeEffects } from '../../rule.ts';

export const preventReadingCredentials = judgeEffects(
  {
    name: 'prevent_reading_credentials',
    essential: true,
    ruling: 'deny',
    finds:
      'Reads keys, tokens or passwords: of yours, of the system, from a password store. Those of the project, such as .env, are noticed.',
    instead: 'Use the names of variables, and let programs read their values.',
  },
  (effect, { place }) => {
    if (effect.kind === 'credentials') return remarkOn(effect.whose, effect.shown);
    if (effect.kind !== 'reads') return null;
    const whose = effect.spots().map((spot) => {
      if (spot.kind !== 'path') return null;
      return credentialsAt(spot.path, place) ?? credentialsAt(spot.named, place);
    });
    return remarkOn(
      whose.find((each) => each === 'user') ?? whose.find((each) => each !== null) ?? null,
      effect.shown,
    );
  },
);

function remarkOn(whose: 'user' | 'project' | null, shown: string) {
  if (whose === null) return null;
  if (whose === 'project') return { warn: `"${shown}" may hold keys or passwords. Don't repeat them.` };
  return `"${shown}" holds keys, tokens or passwords that aren't the project's. Work without them: use the names of variables, and let programs read their values.`;
}
