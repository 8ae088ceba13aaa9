import { systemClock } from '../../io/clock.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import {
  acceptTrust,
  checkTrust,
  notWritten,
  type TrustCheck,
  type TrustSubject,
} from '../setup/check-trust.ts';
import { formatProblems, loadConfigFiles } from '../setup/load-config.ts';
import { ralphFolder } from '../setup/ralph-folder.ts';
import { stateHomeOf } from '../setup/state-home.ts';
import { withFoundGates } from '../setup/trust/found-gates.ts';
import { acceptTasks } from '../setup/trust/task-trust.ts';
import { clearAccepted, readAccepted } from '../setup/trust/trust-file.ts';
import { trustLines } from '../setup/trust/trust-text.ts';
import { workTreeAt } from '../setup/work-tree.ts';
import { inWorkspace } from '../setup/workspace.ts';

export type TrustInput = { readonly cwd: string; readonly action: 'accept' | 'list' | 'revoke' };

export type TrustResult = DataOf<typeof trust>;

/**
 * Shows what this repository would run, and records your approval. `list` only shows it, `revoke` removes the approval.
 */
export async function trust(input: TrustInput) {
  const subject = await openSubject(input.cwd);
  if (!('root' in subject)) return subject;
  const { stateHome } = subject;
  const before = await trustNow(subject);
  try {
    if (input.action === 'accept') {
      if (before.check.kind === 'untrusted') acceptTrust(stateHome, before.check);
      acceptTasks(stateHome, before.tasks.pending, systemClock().now());
    }
    if (input.action === 'revoke') clearAccepted(stateHome);
  } catch (error) {
    return notWritten(error);
  }
  const { check, kind, tasks } = await trustNow(subject);
  const items = [...check.items, ...tasks.items];
  return success({
    action: input.action,
    state: kind,
    was: before.kind,
    isForged: check.isForged,
    sha256: check.sha256,
    lines: trustLines(items),
    items,
    accepted: readAccepted(stateHome).accepted.map(({ sha256, at, items }) => ({ sha256, at, items })),
  });
}

/** Returns commands that would run, and attributes of tasks that loosen limits. An unreadable task list has none. */
async function trustNow(subject: TrustSubject) {
  const check = checkTrust(subject);
  const read = await inWorkspace({ cwd: subject.root }, (workspace) => workspace.taskTrust());
  const tasks = 'items' in read ? read : { items: [], pending: [] };
  const commands = check.kind === 'nothing_runs' && tasks.items.length > 0 ? 'trusted' : check.kind;
  const kind: TrustCheck['kind'] = tasks.pending.length > 0 ? 'untrusted' : commands;
  return { check, tasks, kind };
}

async function openSubject(cwd: string): Promise<TrustSubject | Failure> {
  const found = await workTreeAt(cwd);
  if (!found.ok) return found;
  const loaded = await loadConfigFiles({ root: found.top, env: process.env, flags: {} });
  if (!loaded.ok) return failure(formatProblems(loaded.problems), 'ralph doctor');
  const subject = {
    root: found.top,
    stateHome: stateHomeOf(found.commonDir),
    config: loaded.config,
    entries: loaded.entries(),
  };
  // Without configured gates, `ralph do`, `ralph verify` and hooks run those that they detect.
  const isFound = ralphFolder(found).owner === 'do' || checkTrust(subject).kind === 'nothing_runs';
  return isFound ? { ...subject, ...withFoundGates(subject) } : subject;
}

export type TrustJournalResult = DataOf<typeof trustJournal>;

/** Accepts the records of a journal whose key isn't on this machine. Returns `null` if all journals are verified. */
export function trustJournal(input: { readonly cwd: string }) {
  return inWorkspace(input, ({ store }) => success({ accepted: store.acceptJournal() }));
}
