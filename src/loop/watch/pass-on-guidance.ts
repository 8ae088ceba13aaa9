import type { FeedbackEntry } from '../../domain/feedback.ts';
import type { Clock, Store } from '../../domain/ports.ts';

/** How often the journal is checked for what you add, in milliseconds. */
const POLL_MS = 1000;

export type GuidanceOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly taskId: string;
  /** To the agent that works at the task now. */
  readonly send: (text: string) => boolean;
  readonly onSent: (entry: FeedbackEntry) => void;
  readonly until: AbortSignal;
};

/** Hands over what you add with `ralph feedback add` while the agent works. Resolves when `until` fires. */
export async function passOnGuidance(options: GuidanceOptions): Promise<void> {
  const { store, clock, taskId, send, onSent, until } = options;
  const known = new Set(store.state.feedback.map(keyOf));
  while (!until.aborted) {
    await clock.sleep(POLL_MS, until);
    if (until.aborted) return;
    for (const entry of store.refresh().feedback) {
      const forThis = entry.source === 'person' && (entry.taskId === null || entry.taskId === taskId);
      if (!forThis || known.has(keyOf(entry))) continue;
      known.add(keyOf(entry));
      // Who listens no more finds it in the next prompt.
      if (send(`The person who started this adds while you work:\n\n${entry.text}`)) onSent(entry);
    }
  }
}

function keyOf({ at, taskId, text }: FeedbackEntry): string {
  return JSON.stringify([at, taskId, text]);
}
