import { stripControl } from 'ralph-kit/text';
import type { AnswerChat, AnswerResult } from '../../../domain/notification.ts';
import type { Clock } from '../../../domain/ports.ts';
import { clockTime } from '../../../tell/index.ts';
import { type Channel, type Chat, type ChatName, type Incoming, thrown } from '../channel.ts';
import type { SentFile } from '../sent.ts';

/** The longest wait, in milliseconds, before a service that is out of reach is asked again. */
const LONGEST_WAIT_MS = 60_000;
/** The least time between two requests, in milliseconds: a service may end each one at once. */
const SHORTEST_MS = 1000;

type Listening = {
  readonly sent: SentFile;
  readonly health: Health;
  readonly clock: Clock;
  readonly answer: AnswerChat;
  readonly signal: AbortSignal;
  /** Called when a service that could be read can't be read any more. */
  readonly onAway: (channel: ChatName, error: string) => void;
};

/** Reads a service's messages until `signal` fires, or an answer has to wait for the next run. Never throws. */
export async function listenTo(chat: Chat, listening: Listening): Promise<void> {
  const { health, clock, signal, onAway } = listening;
  const reader = readerOf(chat, listening);
  for (let failures = 0; !signal.aborted && !reader.isOver(); ) {
    const beganMs = clock.monotonicMs();
    // A request that stays open would show only late that the service can be reached again.
    const result = await reader.read(!health.isAway(chat.name));
    if (signal.aborted || reader.isOver()) return;
    if (result.ok) {
      failures = 0;
      await clock.sleep(Math.max(0, SHORTEST_MS - (clock.monotonicMs() - beganMs)), signal);
      continue;
    }
    if (health.failed(chat.name)) onAway(chat.name, result.error);
    await clock.sleep(result.afterMs ?? Math.min(LONGEST_WAIT_MS, SHORTEST_MS * 2 ** failures), signal);
    failures += 1;
  }
}

/** Reads the messages that have arrived, without waiting for more. */
export async function readOnce(chat: Chat, listening: Listening): Promise<void> {
  await readerOf(chat, listening).read(false);
}

function readerOf(chat: Chat, { sent, health, clock, answer, signal }: Listening) {
  let isOver = false;
  return {
    isOver: () => isOver,
    read: (wait: boolean) =>
      chat
        .read({
          cursor: sent.cursor(chat.name),
          wait,
          signal,
          find: sent.find,
          on: async (incoming, cursor) => {
            health.worked(chat.name);
            if (signal.aborted) return false;
            if (incoming !== null && !(await settle(incoming, { sent, clock, answer }))) {
              isOver = true;
              return false;
            }
            if (cursor !== null) sent.moveCursor(chat.name, cursor);
            return true;
          },
        })
        // A full disk must not end the run: the message is read again later.
        .catch(thrown),
  };
}

/** False: the answer stays in the service for the next run. */
async function settle(
  { nonce, answer: given, by, reply }: Incoming,
  { sent, clock, answer }: Pick<Listening, 'sent' | 'clock' | 'answer'>,
): Promise<boolean> {
  const request = sent.find((one) => one.nonce === nonce);
  if (request === null) return true;
  const text = stripControl(given.text).trim();
  const isOffered = request.offered.includes(text.toLowerCase());
  if (given.kind === 'choice' && !isOffered) return true;
  const { answered } = request;
  if (answered !== null) {
    await reply(
      `Too late: answered at ${clockTime(answered.at, new Date(clock.now()))} by ${answered.by}.`,
      false,
    );
    return true;
  }
  const read = isOffered ? { choice: text.toLowerCase(), words: '' } : { choice: null, words: text };
  const result = await answer({ waits: request.waits, ...read, by }).catch(
    (error: unknown): AnswerResult => ({
      kind: 'refused',
      text: `Nothing was recorded: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
  if (result.kind === 'later') return false;
  if (result.kind === 'counted') sent.answered(nonce, { at: clock.now(), by });
  await reply(result.kind === 'gone' ? `Too late: ${result.text}` : result.text, result.kind === 'counted');
  return true;
}

/** Remembers which chat services are out of reach. */
export type Health = ReturnType<typeof openHealth>;

export function openHealth() {
  const away = new Set<Channel['name']>();
  const listeners = new Set<() => void>();
  return {
    /** Records that a service failed; returns whether it was in reach before. */
    failed: (name: Channel['name']): boolean => {
      const isNews = !away.has(name);
      away.add(name);
      return isNews;
    },
    isAway: (name: Channel['name']): boolean => away.has(name),
    worked: (name: Channel['name']): void => {
      if (!away.delete(name)) return;
      for (const listener of listeners) listener();
    },
    whenBack: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
