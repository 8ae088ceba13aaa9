import * as z from 'zod/mini';
import type { RunReport } from './run-report.ts';

/** Something of a task, or of all runs, that waits for you. Each new question is another one. */
export const Waits = z.discriminatedUnion('kind', [
  /** An agent's question. `iteration`: the attempt that asked. */
  z.object({ kind: z.literal('question'), taskId: z.string(), iteration: z.number() }),
  z.object({ kind: z.literal('gate'), taskId: z.string(), request: z.string(), escalated: z.boolean() }),
  z.object({ kind: z.literal('incident'), taskId: z.string(), incident: z.string() }),
  /** A task that waits for another reason. `iteration`: its newest attempt; 0: none. */
  z.object({ kind: z.literal('task'), taskId: z.string(), iteration: z.number() }),
  /** Runs that a policy stopped. `run`: the one that was stopped. */
  z.object({ kind: z.literal('stop'), run: z.string() }),
]);
export type Waits = Readonly<z.infer<typeof Waits>>;

/** What a channel with answers offers; `name` is what the command calls it. */
export type Choice = { readonly name: string; readonly label: string };

/** How something that waits can be answered in a chat. */
export type Answerable =
  | {
      readonly ok: true;
      readonly choices: readonly Choice[];
      /** What an answer in your own words does or takes, as a sentence; `null`: it does nothing. */
      readonly words: string | null;
    }
  /** `why`: a sentence for you, without the command. */
  | { readonly ok: false; readonly why: string };

/** What `[notify]` sends to you. Secrets are redacted by the code that sends it. */
export type Notification = {
  readonly kind: 'emergency_stop' | 'awaiting_human' | 'run_finished' | 'test';
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
  /** `null`: nothing waits for you. */
  readonly waits: (Waits & { readonly answerable: Answerable }) | null;
};

/** Returns the same text for the same question, and another one for each new question. */
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

/** What someone said in a chat about something that waits. */
export type ChatAnswer = {
  readonly waits: Waits;
  /** Name of an offered choice; `null`: `words` say it. */
  readonly choice: string | null;
  readonly words: string;
  /** Who said it where, for the record: `telegram: Ada (@ada)`. */
  readonly by: string;
};

/** `text`: what the answer did, or why it did nothing, in whole sentences. */
export type AnswerResult =
  | { readonly kind: 'counted' | 'gone' | 'refused'; readonly text: string }
  /** The next run has to read it. */
  | { readonly kind: 'later' };

/** Carries out an answer as the command does. */
export type AnswerChat = (answer: ChatAnswer) => Promise<AnswerResult>;
