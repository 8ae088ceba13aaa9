import type { Queue, Worker, WorkerOptions } from 'bullmq';
import type { ServerFacts } from './index.d.ts';

/**
 * What the engine asks of a server: queues of bullmq, and notes, which are small texts under names, some for a time in milliseconds. What is asked
 * while the server is away is answered once it is back, also where it lost all that it knew.
 */
export type Server = {
  readonly name: ServerFacts['server'];
  /** @throws where it can't be used. */
  readonly connect: () => Promise<void>;
  readonly queue: (name: string) => Queue;
  readonly worker: (name: string, options: Omit<WorkerOptions, 'connection'>) => Worker;
  readonly addQueue: (name: string) => Promise<void>;
  readonly queues: () => Promise<readonly string[]>;
  readonly read: (name: string) => Promise<string | null>;
  readonly write: (name: string, text: string, forMs: number | null) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Reads and removes at once. */
  readonly take: (name: string) => Promise<string | null>;
  /** Texts of all whose names begin so. */
  readonly all: (beginning: string) => Promise<readonly string[]>;
  /** Writes it where it is free or says the same, at once; whether it says so now. */
  readonly keep: (name: string, text: string, forMs: number) => Promise<boolean>;
  /** Removes it where it says this. */
  readonly giveUp: (name: string, text: string) => Promise<void>;
  /** Reports to all listeners that a job is over. */
  readonly tellEnded: (id: string) => Promise<void>;
  readonly facts: () => Promise<Omit<ServerFacts, 'server' | 'tookMs'>>;
  readonly close: () => Promise<void>;
};

/**
 * @param options `answerMs`: a connection that is silent for longer after a question is given up. `waits`: what is asked while the
 * server is away waits until it is back, which is what happens without it; else it fails.
 */
export type OpenServer = (options: {
  readonly url: string;
  readonly repository: string;
  readonly answerMs: number;
  readonly waits?: boolean;
  readonly onEnded: (id: string) => void;
  readonly onError: (error: Error) => void;
  readonly onReady: () => void;
}) => Promise<Server>;
