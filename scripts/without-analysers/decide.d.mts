/** Observations after a command. Their texts are for people; only whether there are any counts. */
export type Seen = {
  /** Paths of the user's that are gone or changed for good. */
  readonly lost: readonly string[];
  /** Paths that changed and whose content ralph or git still has. */
  readonly kept: readonly string[];
  /** Secrets that the command printed, or that left the machine. */
  readonly secrets: readonly string[];
  /** Requests that services got in the user's name. */
  readonly requests: readonly string[];
  /** Processes that outlive the command. */
  readonly processes: readonly string[];
};

export function holdOf(seen: {
  readonly bare: Seen;
  readonly run: Seen;
}): 'inert' | 'held' | 'kept' | 'nothing';

export function workOf(seen: {
  readonly bare: { readonly exit: number | null };
  readonly run: { readonly exit: number | null };
}): 'same' | 'refused' | 'broken';
