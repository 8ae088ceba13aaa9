import { type FeedbackEntry, feedbackKey } from '../../domain/feedback.ts';
import type { Clock, Store } from '../../domain/ports.ts';

const POLL_MS = 1000;

export type GuidanceOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly taskId: string;
  /** Sends a text to the running agent. Returns false if it no longer listens. */
  readonly send: (text: string) => boolean;
  readonly onSent: (entry: FeedbackEntry) => void;
  readonly until: AbortSignal;
};

/** Sends your guidance to the running agent as you add it. Resolves when `until` fires. */
export async function passOnGuidance(options: GuidanceOptions): Promise<void> {
  const { store, clock, taskId, send, onSent, until } = options;
  const known = new Set(store.state.feedback.map(feedbackKey));
  while (!until.aborted) {
    await clock.sleep(POLL_MS, until);
    if (until.aborted) return;
    for (const entry of store.refresh().feedback) {
      const forThis = entry.source === 'person' && (entry.taskId === null || entry.taskId === taskId);
      if (!forThis || known.has(feedbackKey(entry))) continue;
      known.add(feedbackKey(entry));
      const [whole = entry] = store.wholeWords([entry]);
      // An agent that no longer listens gets the guidance in its next prompt.
      if (send(`The person who started this adds while you work:\n\n${whole.text}`)) onSent(entry);
    }
  }
}
