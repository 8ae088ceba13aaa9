import { parseJson } from 'ralph-kit/parse-json';
import { onOneLine } from 'ralph-kit/text';
import * as z from 'zod/mini';
import type { Choice, Notification } from '../../../domain/notification.ts';
import { httpAddress } from '../../http-address.ts';
import {
  type Chat,
  type ChatPlace,
  type ChatSettings,
  type Incoming,
  type Try,
  unusable,
} from '../channel.ts';
import { call, failureOf, open, refusal, retryAfter, textOf } from '../request.ts';
import type { Request } from '../sent.ts';
import { chatText } from './words.ts';

/** Bytes of a message: the server turns longer ones into attachments. */
const LONGEST_BYTES = 4000;
/** Buttons of a message: ntfy takes no more than this. */
const MOST_BUTTONS = 3;
/**
 * Milliseconds without a line after which a connection counts as dead: a server sends something every 45 s.
 */
const SILENT_MS = 180_000;
/** Characters of one line: a message has 4096 bytes at most. */
const LONGEST_LINE = 64_000;
/** Ids that were read, so that no message is read twice within the second at which reading continues. */
const IDS_KEPT = 50;

const Line = z.looseObject({
  id: z.string(),
  time: z.number(),
  event: z.string(),
  message: z.optional(z.string()),
});
const Refused = z.looseObject({ error: z.optional(z.string()) });
const Cursor = z.object({ time: z.number(), ids: z.array(z.string()) });
type Cursor = z.infer<typeof Cursor>;

const PRIORITY = { info: 3, warning: 4, critical: 5 } as const;

/**
 * A topic of an ntfy server, and a second one (`TOPIC-reply`) for answers: the buttons publish there, and so do you. An answer begins
 * with the nonce of its message; everything else there is ignored.
 *
 * ralph's access token is in no button: whoever reads the topic could read it.
 *
 * @see https://docs.ntfy.sh/publish/#publish-as-json
 * @see https://docs.ntfy.sh/publish/#send-http-request
 * @see https://docs.ntfy.sh/subscribe/api/
 */
export function ntfyChat(
  settings: NonNullable<ChatSettings['ntfy']>,
  { repository, tryMs }: ChatPlace,
): Chat {
  const { server, topic, token } = settings;
  const address = httpAddress(server);
  const problem = ntfyProblem(settings);
  if (problem !== null || address === null) return unusable('ntfy', problem ?? '');
  const base = address.url.href.replace(/\/+$/, '');
  const replies = `${base}/${topic}-reply`;
  const headers = token === '' ? address.headers : { authorization: `Bearer ${token}` };

  const publish = async (body: Readonly<Record<string, unknown>>): Promise<Try> => {
    const request = { service: 'ntfy', url: `${base}/`, method: 'POST', headers, timeoutMs: tryMs } as const;
    const answer = await call({ ...request, body: { topic, ...body } });
    if (!answer.ok) return answer;
    const { status, text } = answer;
    if (status === 200) return { ok: true, id: parseJson(text, Line)?.id ?? '' };
    return refusal('ntfy', { status, why: reasonIn(text), afterSeconds: retryAfter(answer.headers) });
  };

  function incomingOf(message: string): Incoming | null {
    const [, nonce, text] = /^\s*([a-z0-9]{10})\s+(\S[\s\S]*)$/.exec(message) ?? [];
    if (nonce === undefined || text === undefined) return null;
    const reply = async (outcome: string) => {
      await publish({ title: 'ralph: your answer', message: cut(outcome, LONGEST_BYTES) });
    };
    return { nonce, answer: { kind: 'words', text }, by: 'ntfy', reply };
  }

  return {
    name: 'ntfy',
    isUsable: true,
    attempt: (notification, request) => {
      const { buttons, message } = content(notification, request, repository);
      return publish({
        title: onOneLine(notification.title),
        message,
        priority: PRIORITY[notification.severity],
        actions: buttons.map(({ name, label }) => ({
          action: 'http',
          label,
          url: replies,
          method: 'POST',
          clear: true,
          body: `${request?.nonce} ${name}`,
        })),
      });
    },
    read: async ({ cursor, wait, signal, on }): Promise<Try> => {
      let known: Cursor = parseJson(cursor, Cursor) ?? { time: 0, ids: [] };
      const since = known.time === 0 ? 'all' : String(known.time);
      const dead = new AbortController();
      let limitMs = tryMs;
      let timer = setTimeout(() => dead.abort(), limitMs);
      try {
        const response = await open({
          method: 'GET',
          headers,
          url: `${replies}/json?since=${since}${wait ? '' : '&poll=1'}`,
          signal: AbortSignal.any([signal, dead.signal]),
        });
        if (!response.ok) {
          response.body?.cancel().catch(() => undefined);
          return refusal('ntfy', {
            status: response.status,
            why: '',
            afterSeconds: retryAfter(response.headers),
          });
        }
        if (!(await on(null, null))) return { ok: true };
        for await (const text of linesOf(response)) {
          clearTimeout(timer);
          limitMs = SILENT_MS;
          timer = setTimeout(() => dead.abort(), limitMs);
          const line = parseJson(text, Line);
          if (line === null) continue;
          const isNew = line.event === 'message' && line.time >= known.time && !known.ids.includes(line.id);
          if (isNew) known = { time: line.time, ids: [...known.ids, line.id].slice(-IDS_KEPT) };
          const incoming = isNew ? incomingOf(line.message ?? '') : null;
          if (!(await on(incoming, isNew ? JSON.stringify(known) : null))) break;
        }
        return { ok: true };
      } catch (error) {
        return failureOf('ntfy', error, limitMs);
      } finally {
        clearTimeout(timer);
        dead.abort();
      }
    },
  };
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  for await (const part of textOf(response)) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LONGEST_LINE) return;
  }
  if (rest !== '') yield rest;
}

function content(
  notification: Notification,
  request: Request | null,
  repository: string,
): { readonly buttons: readonly Choice[]; readonly message: string } {
  const { waits } = notification;
  const choices = request !== null && waits?.answerable.ok === true ? waits.answerable.choices : [];
  const nonce = request?.nonce ?? '';
  const howTo = {
    typed: choices.slice(MOST_BUTTONS).map(({ name, label }) => ({ type: `${nonce} ${name}`, label })),
    hasButtons: choices.length > 0,
    inWords: `publish to the topic for answers: ${nonce} YOUR WORDS`,
  };
  const buttons = choices.slice(0, MOST_BUTTONS);
  return {
    buttons,
    message: cut(
      chatText(notification, { repository, nonce: null, howTo, maxCharacters: 3000 }),
      LONGEST_BYTES,
    ),
  };
}

/** Returns the beginning of a text in at most so many bytes of UTF-8; no character is cut in two. */
function cut(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return text;
  return new TextDecoder().decode(bytes.slice(0, most)).replace(/\uFFFD+$/, '');
}

function reasonIn(text: string): string {
  return onOneLine(parseJson(text, Refused)?.error ?? '');
}

/** Returns why the topic can't be used, as the end of a sentence; `null`: nothing is wrong with its settings. */
export function ntfyProblem({ server, topic }: NonNullable<ChatSettings['ntfy']>): string | null {
  if (httpAddress(server) === null)
    return "the server isn't an http:// or https:// address: correct [notify] ntfy";
  if (topic === '') return "RALPH_NTFY_TOPIC isn't set: it holds the name of your topic";
  // A topic is a secret: whoever guesses it can answer. A short one would also be hidden wherever it occurs
  // in a text.
  return /^[\w-]{12,58}$/.test(topic) ? null : 'RALPH_NTFY_TOPIC takes 12 to 58 letters, digits, "-" and "_"';
}
