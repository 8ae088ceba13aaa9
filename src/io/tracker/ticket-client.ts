import type { Answer } from './ask-service.ts';

/** A service with issues, as far as a task list needs it. */
export type TicketClient = {
  /** All of them, oldest first, as the service gives them. */
  readonly list: () => Promise<Answer<readonly unknown[]>>;
  readonly comment: (id: string, text: string) => Promise<Answer<null>>;
  /** Moves it to a status in which it is done. */
  readonly close: (id: string) => Promise<Answer<null>>;
};
