import { AVOIDANCE } from 'ralph-diff-review';
import { didYouMean } from 'ralph-kit/nearest';
import { snakeKeys } from 'ralph-kit/snake-keys';
import type { WhitelistEntry } from '../../../domain/human/gate.ts';
import type { Whitelisted } from '../../../domain/human/state.ts';
import { openPorcelain } from '../../../git/index.ts';
import { systemClock } from '../../../io/clock.ts';
import { expired, expiryAfter, plainEntry } from '../../../respond/human/index.ts';
import { auditRecords } from '../../human/decide-gate.ts';
import { type DataOf, failure, success } from '../../result.ts';
import { inWorkspace, type ProjectInput, type Workspace } from '../../setup/workspace.ts';

export type WhitelistInput = ProjectInput & {
  readonly action: 'list' | 'add' | 'remove';
  /** Kind of finding to add; to remove an entry, its id `W-3` or number `3`. */
  readonly what: string | null;
  /** Only file for which the entry counts; `null`: all files. */
  readonly path: string | null;
  readonly reason: string | null;
};

export type WhitelistResult = DataOf<typeof whitelist>;

export function whitelist(input: WhitelistInput) {
  return inWorkspace(input, async (workspace) => {
    if (input.action === 'list') return listed(workspace);
    const { what, reason } = input;
    if (what === null)
      return failure(
        input.action === 'add' ? 'Which kind of finding? Name it, such as test_skip.' : 'Which entry?',
        'ralph whitelist',
      );
    if (reason === null || reason.trim() === '')
      return failure('--reason is required.', 'ralph whitelist --help');
    if (input.action === 'add' && !Object.hasOwn(AVOIDANCE, what)) {
      const kinds = Object.keys(AVOIDANCE);
      return failure(
        `"${what}" isn't a kind of finding.${didYouMean(what, kinds)} Kinds: ${kinds.join(', ')}.`,
        'ralph whitelist --help',
      );
    }
    return input.action === 'add'
      ? add(workspace, what, input.path, reason)
      : remove(workspace, what, reason);
  });
}

function listed({ store }: Workspace) {
  const now = systemClock().now();
  const entries = store.state.human.whitelist.filter(({ removedAt }) => removedAt === null);
  const over = new Set(expired(entries, now).map(({ id }) => id));
  const rows = entries.map((entry) => ({ ...snakeKeys(entry), expired: over.has(entry.id) }));
  return success({ action: 'list' as const, entries: rows });
}

async function add(workspace: Workspace, pattern: string, path: string | null, justification: string) {
  const at = systemClock().now();
  const by = (await (await openPorcelain(workspace.root)).email()) ?? 'you';
  const expiresAt = expiryAfter(at);
  let entry: WhitelistEntry | null = null;
  record(workspace, at, by, justification, (counters) => {
    const id = `W-${counters.whitelist + 1}`;
    entry = { id, pattern, path, justification, by, at, expiresAt };
    return { decision: `add ${pattern} ${path ?? 'everywhere'}`, entry: { ...entry, removedAt: null } };
  });
  return success({ action: 'add' as const, pattern, path, expires_at: expiresAt });
}

async function remove(workspace: Workspace, wanted: string, reason: string) {
  const id = /^\d+$/.test(wanted) ? `W-${wanted}` : wanted.toUpperCase();
  const entry = workspace.store.state.human.whitelist.find((one) => one.id === id && one.removedAt === null);
  if (entry === undefined) return failure(`There is no whitelist entry ${wanted}.`, 'ralph whitelist');
  const at = systemClock().now();
  const by = (await (await openPorcelain(workspace.root)).email()) ?? 'you';
  record(workspace, at, by, reason, () => ({
    decision: `remove ${entry.pattern} ${entry.path ?? 'everywhere'}`,
    entry: { ...entry, removedAt: at },
  }));
  return success({ action: 'remove' as const, id, pattern: entry.pattern, path: entry.path });
}

function record(
  { store }: Workspace,
  at: string,
  user: string,
  feedback: string,
  change: (counters: { readonly whitelist: number }) => {
    readonly decision: string;
    readonly entry: Whitelisted;
  },
): void {
  store.commit((state) => {
    const { decision, entry } = change(state.human.counters);
    const logged = { kind: 'whitelist', timestamp: at, decision, user, human_feedback: feedback } as const;
    return [{ type: 'whitelist_changed', entry }, ...auditRecords(state, [plainEntry(logged)], at)];
  });
  store.writeViews();
}
