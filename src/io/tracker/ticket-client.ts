import type { Answer } from './ask-service.ts';

export type TicketClient = {
  /** Returns all issues in the service's form, oldest first. */
  readonly list: () => Promise<Answer<readonly unknown[]>>;
  /** Returns the account's id; `null` when unknown or stated in each issue. */
  readonly account: () => Promise<string | null>;
  readonly comment: (id: string, text: string) => Promise<Answer<null>>;
  /** Moves an issue to a completed status. */
  readonly close: (id: string) => Promise<Answer<null>>;
};
