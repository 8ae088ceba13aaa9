import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { temporaryFolder } from '../repository.ts';

type Answer = {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
};

type Sent = {
  readonly requestId: string;
  readonly request: { readonly url: string };
  readonly type: string;
  readonly blockedReason?: string;
};

export type Tab = {
  /** Sends a command of the DevTools protocol. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are what the protocol says
  readonly send: (method: string, params?: object) => Promise<any>;
  /** Goes to an address and waits until it is loaded. */
  readonly open: (url: string) => Promise<void>;
  /** Returns requests that the page made to other servers, and that no policy stopped. */
  readonly requests: () => readonly string[];
  /** Returns the value of an expression, even if the page may run no scripts. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly value: (expression: string) => Promise<any>;
};

/** Returns the path of Chromium; `null`: it isn't installed. */
export function chromium(): string | null {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const paths = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isThere) ?? null;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Opens a tab in a browser of its own, which is controlled through two pipes. */
export async function openTab(
  program: string,
): Promise<{ readonly tab: Tab; readonly close: () => Promise<void> }> {
  const args = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--remote-debugging-pipe',
    `--user-data-dir=${temporaryFolder()}`,
  ];
  const waiting = new Map<number, (answer: Answer) => void>();
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const closed = new Promise<void>((resolve) =>
    child.once('close', () => {
      for (const answer of waiting.values()) answer({ error: { message: 'the browser ended' } });
      resolve();
    }),
  );
  const [, , , output, input] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const listeners = new Set<(event: Answer & { params?: unknown }) => void>();
  let text = '';
  input.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    for (let end = text.indexOf('\0'); end >= 0; end = text.indexOf('\0')) {
      const answer = JSON.parse(text.slice(0, end)) as Answer;
      text = text.slice(end + 1);
      if (answer.id === undefined) for (const listener of listeners) listener(answer);
      else waiting.get(answer.id)?.(answer);
    }
  });
  let sent = 0;
  const call = (method: string, params: object, session: object) => {
    sent += 1;
    const id = sent;
    output.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
    });
  };
  const { targetId } = (await call('Target.createTarget', { url: 'about:blank' }, {})) as {
    targetId: string;
  };
  const { sessionId } = (await call('Target.attachToTarget', { targetId, flatten: true }, {})) as {
    sessionId: string;
  };
  const send: Tab['send'] = (method, params = {}) => call(method, params, { sessionId });
  const requests = new Map<string, string>();
  listeners.add(({ method, params }) => {
    const { requestId, request, type, blockedReason } = (params ?? {}) as Sent;
    if (method === 'Network.requestWillBeSent' && type !== 'Document') requests.set(requestId, request.url);
    // A request that a policy stops is first reported as sent, then as failed.
    if (method === 'Network.loadingFailed' && blockedReason === 'csp') requests.delete(requestId);
  });
  await Promise.all([send('Page.enable'), send('Network.enable')]);
  const tab: Tab = {
    send,
    open: async (url) => {
      requests.clear();
      const loaded = new Promise<void>((resolve) => {
        const listener = ({ method }: Answer) => {
          if (method !== 'Page.loadEventFired') return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
      await send('Page.navigate', { url });
      await loaded;
    },
    requests: () => [...requests.values()],
    value: async (expression) => {
      const { result, exceptionDetails } = await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
      });
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
  };
  const close = async () => {
    child.kill();
    await closed;
  };
  return { tab, close };
}
