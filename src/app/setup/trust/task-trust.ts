import { sha256 } from 'ralph-kit/files/sha256';
import type { Config } from '../../../domain/config.ts';
import type { Tracker } from '../../../domain/ports.ts';
import { type Loosening, looseningsOf, removeUnapproved } from './loosening.ts';
import { addAccepted, readAccepted, trustedByEnvironment } from './trust-file.ts';
import { canonicalItems, type TrustItem } from './trust-items.ts';

type Options = {
  readonly stateHome: string;
  readonly maxTimeoutSeconds: number;
  /** Review settings of the configuration, with which a task's own settings are compared. */
  readonly review: Config['review'];
  /** Receives each attribute that is held back, once. */
  readonly notice: (text: string) => void;
};

/** Returns a tracker in which unapproved attributes of tasks that loosen limits have no effect. Each is reported. */
export function holdBackUntrusted(tracker: Tracker, options: Options): Tracker {
  const shown = new Set<string>();
  return {
    ...tracker,
    load: async () => {
      const loaded = await tracker.load();
      if (!loaded.ok) return loaded;
      const { tasks, removed } = removeUnapproved(loaded.tasks, options, trustedIn(options.stateHome));
      for (const { taskId, text } of removed) {
        const message = `${taskId}: "${text}" has no effect until you accept it: ralph trust`;
        if (!shown.has(message)) options.notice(message);
        shown.add(message);
      }
      return { ...loaded, tasks };
    },
  };
}

/**
 * Returns attributes of tasks that loosen limits, as items to approve; `pending` are those that you haven't approved.
 */
export async function taskTrust(
  tracker: Tracker,
  { stateHome, ...limits }: Omit<Options, 'notice'>,
): Promise<{ readonly items: readonly TrustItem[]; readonly pending: readonly TrustItem[] }> {
  const loaded = await tracker.load();
  if (!loaded.ok) return { items: [], pending: [] };
  const items = looseningsOf(loaded.tasks, limits).map(itemOf);
  const accepted = acceptedIn(stateHome);
  return { items, pending: items.filter((item) => !accepted.has(digestOf(item))) };
}

/** Records your approval of each item separately, so that a new item asks again. @throws The Node error */
export function acceptTasks(stateHome: string, items: readonly TrustItem[], at: string): void {
  for (const item of items) {
    addAccepted(stateHome, { sha256: digestOf(item), at, items: [`task ${item.name}: ${item.text}`] });
  }
}

function trustedIn(stateHome: string): (loosening: Loosening) => boolean {
  if (trustedByEnvironment()) return () => true;
  let accepted: ReadonlySet<string> | null = null;
  return (loosening) => {
    // The file of approvals is only read if a list has such attributes, which is rare.
    accepted ??= acceptedIn(stateHome);
    return accepted.has(digestOf(itemOf(loosening)));
  };
}

function acceptedIn(stateHome: string): ReadonlySet<string> {
  return new Set(readAccepted(stateHome).accepted.map((one) => one.sha256));
}

function itemOf({ taskId, text }: Loosening): TrustItem {
  return { kind: 'task', name: taskId, text };
}

function digestOf(item: TrustItem): string {
  return sha256(canonicalItems([item]));
}
