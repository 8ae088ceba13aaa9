import { counted } from '../../../lib/counted.ts';
import { checkTrust, trustedByEnvironment } from '../../setup/check-trust.ts';
import { check, error, info, ok, some } from '../check.ts';

export const trustCheck = check({
  gather: ({ root, stateHome, config, configFiles: { problems, entries } }) => {
    if (stateHome === null || problems.length > 0) return null;
    const { kind, items } = checkTrust({ root, stateHome, config, entries });
    return { kind, items, byEnvironment: trustedByEnvironment() };
  },
  judge: (trust) => {
    const id = 'trust.state';
    if (trust === null) return [];
    if (trust.kind === 'nothing_runs') {
      return [ok(id, 'nothing to accept', 'the repository names no command and no template')];
    }
    if (trust.kind === 'trusted') return [ok(id, 'accepted', counted(trust.items.length, 'item'))];
    const detail = some(trust.items.map(({ kind, name }) => `${kind} ${name}`));
    return trust.byEnvironment
      ? [info(id, 'accepted by RALPH_TRUST alone', detail, 'ralph trust remembers it.')]
      : [error(id, "commands you haven't approved", detail, 'ralph trust')];
  },
});
