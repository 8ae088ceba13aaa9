import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export type Followed = {
  /** Returns the whole newest state, in one line. */
  readonly make: () => Promise<string>;
  /** Milliseconds between two states; by default a quarter of a second. */
  readonly apartMs?: number;
  readonly stop: () => void;
};

/** Milliseconds between two states. */
const APART_MS = 250;
/** Milliseconds after which an idle connection is shown to be alive. */
const ALIVE_MS = 20_000;
/** Milliseconds that a reader has to take a state before its connection is cut off. */
const PATIENCE_MS = 60_000;

/**
 * Sends states as server-sent events until the reader is gone. A state is made only when the reader has taken the one
 * before, so a slow reader skips states, and none waits in memory.
 *
 * @param whenNew Gets the function to call when there is a new state.
 */
export async function sendStates(
  response: ServerResponse,
  { make, apartMs = APART_MS }: Followed,
  whenNew: (renew: () => void) => void,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  let isNew = true;
  let wake: () => void = () => undefined;
  whenNew(() => {
    isNew = true;
    wake();
  });
  let sent = '';
  response.write('retry: 2000\n\n');
  while (!gone.signal.aborted) {
    if (isNew) {
      isNew = false;
      const text = await make();
      const hash = createHash('sha256').update(text).digest('base64');
      if (hash !== sent && !response.write(`data: ${text}\n\n`)) await taken(response, gone.signal);
      sent = hash;
      await sleep(apartMs, undefined, { signal: gone.signal }).catch(() => undefined);
    } else if (
      await stillIdle(gone.signal, (call) => {
        wake = call;
      })
    ) {
      if (!response.write(':\n\n')) await taken(response, gone.signal);
    }
  }
}

/** Resolves to `true` after `ALIVE_MS` without a new state, and to `false` at the next one or when the reader is gone. */
function stillIdle(gone: AbortSignal, whenWoken: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isIdle: boolean) => {
      clearTimeout(timer);
      gone.removeEventListener('abort', onGone);
      resolve(isIdle);
    };
    const onGone = () => end(false);
    const timer = setTimeout(end, ALIVE_MS, true);
    gone.addEventListener('abort', onGone);
    whenWoken(() => end(false));
  });
}

/** Waits until the reader has taken what was written, and cuts off one that doesn't. */
async function taken(response: ServerResponse, gone: AbortSignal): Promise<void> {
  const over = AbortSignal.any([gone, AbortSignal.timeout(PATIENCE_MS)]);
  await once(response, 'drain', { signal: over }).catch(() => response.destroy());
}
