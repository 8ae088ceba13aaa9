import * as z from 'zod/mini';
import type { RunReport } from './run-report.ts';

/** Something about a task, or about all runs, that waits for you. Two questions are never equal. */
export const Waits = z.discriminatedUnion('kind', [
  /** A question that an agent asked in an attempt. `iteration`: number of that attempt. */
  z.object({ kind: z.literal('question'), taskId: z.string(), iteration: z.number() }),
  z.object({ kind: z.literal('gate'), taskId: z.string(), request: z.string(), escalated: z.boolean() }),
  z.object({ kind: z.literal('incident'), taskId: z.string(), incident: z.string() }),
  /** A task that waits for another reason. `iteration`: its newest attempt; 0: none. */
  z.object({ kind: z.literal('task'), taskId: z.string(), iteration: z.number() }),
  /** Runs that a policy stopped. `run`: id of the stopped run. */
  z.object({ kind: z.literal('stop'), run: z.string() }),
]);
export type Waits = Readonly<z.infer<typeof Waits>>;

/** A choice that a chat offers; `name` is the word that the command takes. */
export type Choice = { readonly name: string; readonly label: string };

/** Whether something that waits can be answered in a chat, and how. */
export type Answerable =
  | {
      readonly ok: true;
      readonly choices: readonly Choice[];
      /** A sentence about the effect of an answer in your own words; `null`: such an answer has none. */
      readonly words: string | null;
    }
  /** `why`: a sentence for you, without the command. */
  | { readonly ok: false; readonly why: string };

/** What `[notify]` sends to you. Secrets are redacted by the code that sends it. */
export type Notification = {
  readonly kind: 'emergency_stop' | 'awaiting_human' | 'run_finished' | 'test';
  /** Time of the notification, ISO 8601 UTC. */
  readonly at: string;
  readonly run: string;
  readonly taskId: string | null;
  readonly incident: string | null;
  readonly severity: 'info' | 'warning' | 'critical';
  /** Title on one line. */
  readonly title: string;
  readonly text: string;
  /** Commands that you may run next. */
  readonly next: readonly string[];
  /** How the run ended; `null`: it is still running. */
  readonly result:
    | (Pick<RunReport, 'ending' | 'tasks' | 'iterations' | 'durationMs'> & { readonly exitCode: number })
    | null;
  /** The waiting thing that the notification is about; `null`: nothing waits for you. */
  readonly waits: (Waits & { readonly answerable: Answerable }) | null;
};

/** Returns a key that is equal for the same question and differs for each new one. */
export function waitsKey(waits: Waits): string {
  switch (waits.kind) {
    case 'gate':
      return `gate ${waits.request}${waits.escalated ? ' escalated' : ''}`;
    case 'incident':
      return `incident ${waits.incident}`;
    case 'stop':
      return `stop ${waits.run}`;
    default:
      return `${waits.kind} ${waits.iteration} ${waits.taskId}`;
  }
}

/** An answer that someone gave in a chat to something that waits. */
export type ChatAnswer = {
  readonly waits: Waits;
  /** Name of the offered choice; `null`: the answer is in `words`. */
  readonly choice: string | null;
  readonly words: string;
  /** Who answered, and in which service, for the record: `telegram: Ada (@ada)`. */
  readonly by: string;
};

/** Result of an answer. `text`: its effect, or the reason why it had none, in whole sentences. */
export type AnswerResult =
  | { readonly kind: 'counted' | 'gone' | 'refused'; readonly text: string }
  /** The answer stays in the service, because only the next run can carry it out. */
  | { readonly kind: 'later' };

/** Carries out an answer from a chat like the command of the same effect. */
export type AnswerChat = (answer: ChatAnswer) => Promise<AnswerResult>;
