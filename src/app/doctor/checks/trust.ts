import { counted } from 'ralph-kit/counted';
import { firstFew } from 'ralph-kit/text';
import { checkTrust } from '../../setup/check-trust.ts';
import { modulesOf } from '../../setup/modules.ts';
import { trustedByEnvironment } from '../../setup/trust/trust-file.ts';
import { FORGED } from '../../setup/trust/trust-text.ts';
import { check, error, info, ok } from '../check.ts';

const MODULES = 'docs/HANDLERS.md says what a module can import.';

export const trustCheck = check({
  gather: ({ root, stateHome, config, configFiles: { problems, entries } }) => {
    if (stateHome === null || problems.length > 0) return null;
    const modules = modulesOf({ root, config });
    const { kind, items, isForged } = checkTrust({ root, stateHome, config, entries, modules });
    return { kind, items, isForged, problems: modules.problems, byEnvironment: trustedByEnvironment() };
  },
  judge: (trust) => {
    const id = 'trust.state';
    if (trust === null) return [];
    if (trust.problems.length > 0)
      return trust.problems.map((problem) =>
        error('trust.module', 'a module that ralph run refuses', problem, MODULES),
      );
    if (trust.kind === 'nothing_runs') {
      return [ok(id, 'nothing to accept', 'the repository names no command and no template')];
    }
    if (trust.kind === 'trusted') return [ok(id, 'accepted', counted(trust.items.length, 'item'))];
    const named = firstFew(trust.items.map(({ kind, name }) => `${kind} ${name}`));
    const detail = trust.isForged ? `${named}. ${FORGED}` : named;
    return trust.byEnvironment
      ? [info(id, 'accepted by RALPH_TRUST alone', detail, 'ralph trust remembers it.')]
      : [error(id, "commands you haven't approved", detail, 'ralph trust')];
  },
});
