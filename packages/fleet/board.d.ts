/**
 * Serves the queues of a repository on loopback, read-only, by bull-board, until `stop` is aborted. Its address holds a token of 256 bits; a name
 * other than one of loopback in `Host` is refused, and so is whatever isn't GET.
 *
 * @param options `url`, `repository`: as `openEngine` takes them. `port` 0: one that is free. `onReady` gets the address.
 * @throws the Node error where the port can't be had.
 */
export function serveBoard(options: {
  readonly url: string;
  readonly repository: string;
  readonly port: number;
  readonly stop: AbortSignal;
  readonly onReady: (url: string) => void;
}): Promise<void>;
