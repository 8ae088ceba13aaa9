type RawInput = Readonly<Record<string, unknown>> | string;

/** What the model asks the agent to do. `shell` and `write` become whichever tool the agent offers. */
export type Call =
  /** Exactly this, whatever the agent offers. */
  | {
      readonly kind: 'raw';
      readonly name: string;
      readonly input: RawInput | ((results: readonly string[]) => RawInput);
    }
  | {
      readonly kind: 'shell';
      readonly command: string;
      /** How long the agent's tool is asked to wait for the command, where it can be asked; milliseconds. */
      readonly patienceMs?: number;
    }
  /** `path` is absolute: most agents take no other. */
  | { readonly kind: 'write'; readonly path: string; readonly content: string };

export type Failure = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the body that the format gives to an error. */
  readonly body?: unknown;
};

/** One answer of the model. */
export type Turn =
  | { readonly kind: 'says'; readonly text: string; readonly calls?: readonly Call[] }
  /** The answer begins and never continues. */
  | { readonly kind: 'hangs' }
  /** The connection is cut in the middle of the answer. */
  | { readonly kind: 'cut'; readonly text: string }
  /** The connection is reset before anything is answered. */
  | { readonly kind: 'resets' }
  /** An answer as it stands, in no format of a model: a page of a proxy, half a JSON document, nothing. */
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | ({ readonly kind: 'fails' } & Failure);

/**
 * The turn is the number of tool results in the conversation, so that nothing is remembered between requests and a
 * fresh session begins from the first turn. The last one is given again where an agent asks for more.
 */
export type Scenario = {
  readonly turns: readonly [Turn, ...Turn[]];
  /** In place of `turns`: the answer to a request. @param body all that the agent sent */
  readonly answers?: (asked: { readonly results: readonly string[]; readonly body: string }) => Turn;
  /** The first requests get this answer instead. */
  readonly first?: { readonly requests: number; readonly turn: Turn };
};

/** Tokens that every answer reports; `input` holds what came from the cache. */
export const TOKENS = { input: 1200, cached: 200, output: 34 };
