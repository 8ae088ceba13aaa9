import { replaceFile } from 'ralph-kit/files/atomic-file';
import { readJson } from 'ralph-kit/files/plain-file';
import { orStoreError } from 'ralph-kit/files/store-error';
import * as z from 'zod/mini';
import { Waits, waitsKey } from '../../domain/notification.ts';

/** A message about something that waits for you. */
const Request = z.object({
  /** Random, so that an answer counts for this request alone. */
  nonce: z.string(),
  waits: Waits,
  /** Names of the choices that were offered. */
  offered: z.array(z.string()),
  /** The channels that delivered the message, with its id in each; '': it has no id. */
  channels: z.record(z.string(), z.string()),
  /** The answer that counted, and when (ISO 8601 UTC); `null`: none did so far. */
  answered: z.nullable(z.object({ at: z.string(), by: z.string() })),
});
export type Request = z.infer<typeof Request>;

const Sent = z.object({
  /** Messages that were sent, oldest first. */
  requests: z.array(Request),
  /** Where the reading of each service continues. */
  cursors: z.record(z.string(), z.string()),
});
type Sent = z.infer<typeof Sent>;

const REQUESTS_KEPT = 200;

export type SentFile = ReturnType<typeof openSent>;

/**
 * Opens the record of messages about things that wait, which lasts across runs, so that nothing is sent
 * twice and an answer counts once. The file is readable for you alone and lies outside of the repository.
 * @param path Absolute; `null`: nothing is remembered.
 */
export function openSent(path: string | null) {
  let sent: Sent = (path === null ? null : readJson(path, Sent)) ?? { requests: [], cursors: {} };
  const write = (next: Sent) => {
    sent = next;
    if (path === null) return;
    orStoreError(`${path} cannot be written`, () =>
      replaceFile(path, `${JSON.stringify(next)}\n`, { mode: 0o600, folderMode: 0o700 }),
    );
  };
  const change = (nonce: string, changed: (one: Request) => Request) =>
    write({
      ...sent,
      requests: sent.requests.map((one) => (one.nonce === nonce ? changed(one) : one)),
    });
  return {
    /** Returns the request about something that waits; there is one for each. */
    request: (waits: Waits, offered: readonly string[], newNonce: () => string): Request => {
      const key = waitsKey(waits);
      const known = sent.requests.find((one) => waitsKey(one.waits) === key);
      if (known !== undefined) return known;
      const made = { nonce: newNonce(), waits, offered: [...offered], channels: {}, answered: null };
      write({ ...sent, requests: [...sent.requests, made].slice(-REQUESTS_KEPT) });
      return made;
    },
    find: (is: (one: Request) => boolean): Request | null => sent.requests.find(is) ?? null,
    taken: (nonce: string, channel: string, id: string) =>
      change(nonce, (one) => ({ ...one, channels: { ...one.channels, [channel]: id } })),
    answered: (nonce: string, answered: NonNullable<Request['answered']>) =>
      change(nonce, (one) => ({ ...one, answered })),
    cursor: (service: string): string | null => sent.cursors[service] ?? null,
    moveCursor: (service: string, cursor: string) => {
      if (sent.cursors[service] !== cursor)
        write({ ...sent, cursors: { ...sent.cursors, [service]: cursor } });
    },
  };
}
