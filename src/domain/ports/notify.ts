import type { RunReport } from '../run-report.ts';

/** What `[notify]` sends to you. Secrets are redacted by the code that makes it. */
export type Notification = {
  readonly kind: 'emergency_stop' | 'awaiting_human' | 'run_finished' | 'false_positives' | 'test';
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly run: string;
  readonly taskId: string | null;
  readonly incident: string | null;
  readonly severity: 'info' | 'warning' | 'critical';
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** Commands that help. */
  readonly next: readonly string[];
  /** How the run ended; `null`: it hasn't. */
  readonly result:
    | (Pick<RunReport, 'ending' | 'tasks' | 'iterations' | 'durationMs'> & { readonly exitCode: number })
    | null;
};

/** What became of a notification on one channel. */
export type Delivery = {
  readonly channel: 'command' | 'webhook' | 'email' | 'desktop';
  readonly ok: boolean;
  readonly tries: number;
  /** Why it did not get through, of the last try; redacted. */
  readonly error: string | null;
};

export interface Notify {
  /** Sends it on every channel that is configured, with a few tries each. Never throws. */
  send(notification: Notification): Promise<readonly Delivery[]>;
}
