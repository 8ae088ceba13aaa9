import type { IncomingMessage, ServerResponse } from 'node:http';

/** The queues of a repository in a Redis by bull-board, read-only. Who serves it guards it: it answers whoever asks. */
export type Board = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** @param options `url`, `repository`: as `openEngine` takes them. `base`: the beginning of its paths, without its last slash. */
export function openBoard(options: {
  readonly url: string;
  readonly repository: string;
  readonly base: string;
}): Promise<Board>;
