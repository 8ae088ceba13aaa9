import type { Effect } from '../../../effects/index.ts';
import type { OwnFiles } from '../../../forms/place.ts';
import { judgeEffects } from '../../rule.ts';

export const preventSendingData = judgeEffects(
  {
    name: 'prevent_sending_data',
    essential: true,
    ruling: 'deny',
    finds:
      'Sends credentials, or files from outside of the repository, or whole files and archives, to another machine.',
    instead: 'Leave uploads to the user; tests can talk to localhost.',
  },
  (effect, { placeAt }) => {
    if (effect.kind === 'shares') return pushedKeys(effect, placeAt(effect).ownFiles.git);
    if (effect.kind !== 'network') return null;
    const to = effect.host === null ? 'another machine' : `"${effect.host}"`;
    if (effect.sends === 'credentials' && effect.reach !== 'local') {
      return `This sends keys, tokens or private files to ${to}. Leave them where they are.`;
    }
    if (effect.sends === 'credentials' && effect.direction === 'out' && effect.by === 'http.server') {
      return 'This gives a folder outside of the repository to whoever asks. Serve a folder of the repository.';
    }
    return effect.sends === 'file' && effect.reach === 'external'
      ? `This sends a file, or what a command prints, to ${to}. Leave uploads to the user.`
      : null;
  },
);

/** Returns the reason against pushing keys, committed in this attempt, to a repository that the attempt named. */
function pushedKeys(
  { what, name }: Extract<Effect, { kind: 'shares' }>,
  { remotes, keys }: OwnFiles['git'],
): string | null {
  const isForeign = /:|^\//.test(name) || remotes.includes(name);
  return what === 'push' && keys && isForeign
    ? `This pushes commits with keys or passwords to "${name}". Take them out of git with git rm --cached, and leave the push to the user.`
    : null;
}
