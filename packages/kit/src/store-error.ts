/** An expected failure of the store. The message has three parts: what happened, the value seen, the next command. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The command that leads on; `null`: the message has it. */
  readonly next: string | null;

  constructor(
    message: string,
    { next = null, ...options }: ErrorOptions & { readonly next?: string | null } = {},
  ) {
    super(message, options);
    this.next = next;
  }
}
