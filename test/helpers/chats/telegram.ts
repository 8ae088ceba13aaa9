import type { ServerResponse } from 'node:http';
import { eventually } from '../eventually.ts';
import { json, type Service, serve } from './server.ts';

export const TOKEN = '123456789:AAHnotARealTokenButItsForm_0123456789';
export const CHAT = 4242;

type Button = { readonly text: string; readonly callback_data: string };
export type Posted = {
  readonly message_id: number;
  readonly text: string;
  readonly buttons: readonly Button[];
  readonly force_reply: boolean;
  /** Id of the message that this message answers; `null`: none. */
  readonly to: number | null;
};

type Person = {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
  readonly is_bot?: boolean;
};
const ADA: Person = { id: CHAT, first_name: 'Ada', username: 'ada' };
const BOT: Person = { id: 123456789, first_name: 'Bot', is_bot: true };
type From = { readonly from?: Person; readonly chat?: number };

export type Telegram = Service & {
  /** Returns the bot's messages with their present text. */
  readonly posted: () => readonly Posted[];
  /** Resolves with the bot's message with this text, once there is one. */
  readonly says: (text: string) => Promise<Posted>;
  readonly toasts: () => readonly string[];
  /** Taps a button as a user; `data`: sends made-up data instead of a button's. */
  readonly tap: (message: Posted, choice: string | { readonly data: string }, from?: From) => void;
  readonly reply: (
    message: Pick<Posted, 'message_id' | 'text'>,
    text: string,
    more?: From & { readonly extra?: object },
  ) => void;
  /** Adds an update of any kind. */
  readonly push: (update: object) => void;
  /** Returns the number of updates that the bot has not confirmed. */
  readonly waiting: () => number;
};

/**
 * A Bot API server, as its documentation describes what ralph uses: updates stay until a larger `offset` confirms them, a second
 * `getUpdates` ends the first, and only messages without another keyboard than an inline one can be edited.
 *
 * @see https://core.telegram.org/bots/api
 */
export async function openTelegram(): Promise<Telegram> {
  const posted = new Map<number, Posted>();
  const toasts: string[] = [];
  let updates: { readonly update_id: number }[] = [];
  let [messageId, updateId, tapId] = [100, 9000, 0];
  let poll: { readonly response: ServerResponse; readonly timer: NodeJS.Timeout } | null = null;

  const endPoll = (answer: (response: ServerResponse) => void) => {
    if (poll === null) return;
    clearTimeout(poll.timer);
    answer(poll.response);
    poll = null;
  };
  const push = (update: object) => {
    updates.push({ update_id: updateId, ...update });
    updateId += 1;
    endPoll((response) => json(response, { ok: true, result: updates }));
  };
  const failed = (response: ServerResponse, error_code: number, description: string) =>
    json(response, { ok: false, error_code, description }, error_code);

  const service = await serve((request, response, body) => {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (token !== TOKEN) return failed(response, 401, 'Unauthorized');
    const given = JSON.parse(body);
    const ok = (result: unknown) => json(response, { ok: true, result });
    switch (method) {
      case 'sendMessage': {
        if (given.chat_id !== CHAT) return failed(response, 400, 'Bad Request: chat not found');
        if (given.text.length > 4096) return failed(response, 400, 'Bad Request: message is too long');
        messageId += 1;
        const { inline_keyboard: rows = [], force_reply = false } = given.reply_markup ?? {};
        const buttons: Button[] = rows.flat();
        if (buttons.some(({ callback_data: data }) => Buffer.byteLength(data) > 64))
          return failed(response, 400, 'Bad Request: BUTTON_DATA_INVALID');
        const to = given.reply_parameters?.message_id ?? null;
        posted.set(messageId, { message_id: messageId, text: given.text, buttons, force_reply, to });
        return ok({ message_id: messageId, chat: { id: CHAT }, text: given.text });
      }
      case 'editMessageText': {
        const known = posted.get(given.message_id);
        if (known === undefined || known.force_reply)
          return failed(response, 400, "Bad Request: message can't be edited");
        posted.set(given.message_id, { ...known, text: given.text, buttons: [] });
        return ok(true);
      }
      case 'answerCallbackQuery':
        if (given.text.length > 200) return failed(response, 400, 'Bad Request: MESSAGE_TOO_LONG');
        toasts.push(given.text);
        return ok(true);
      case 'getUpdates': {
        endPoll((first) => failed(first, 409, 'Conflict: terminated by other getUpdates request'));
        if (given.offset !== undefined) updates = updates.filter((one) => one.update_id >= given.offset);
        if (updates.length > 0 || given.timeout === 0) return ok(updates);
        const timer = setTimeout(
          () => endPoll((first) => json(first, { ok: true, result: [] })),
          given.timeout * 1000,
        );
        poll = { response, timer };
        response.once('close', () => {
          if (poll?.response === response) endPoll(() => undefined);
        });
        return;
      }
      default:
        return failed(response, 404, 'Not Found');
    }
  });

  const find = (text: string) => [...posted.values()].findLast((one) => one.text.includes(text));
  return {
    ...service,
    posted: () => [...posted.values()],
    says: (text) =>
      eventually(() => {
        const found = find(text);
        if (found === undefined)
          throw new Error(`the bot didn't say ${text}: ${JSON.stringify([...posted.values()])}`);
        return found;
      }),
    toasts: () => toasts,
    tap: (message, choice, { from = ADA, chat = CHAT } = {}) => {
      tapId += 1;
      const button =
        typeof choice === 'string' ? message.buttons.find(({ text }) => text.includes(choice)) : null;
      const data = typeof choice === 'string' ? button?.callback_data : choice.data;
      if (data === undefined) throw new Error(`there is no button ${choice}`);
      const { message_id, text } = message;
      push({
        callback_query: { id: String(tapId), from, data, message: { message_id, text, chat: { id: chat } } },
      });
    },
    reply: ({ message_id, text: asked }, text, { from = ADA, chat = CHAT, extra = {} } = {}) => {
      messageId += 1;
      const own = { message_id: messageId, chat: { id: chat, type: 'private' }, from, text };
      push({ message: { ...own, reply_to_message: { message_id, from: BOT, text: asked }, ...extra } });
    },
    push,
    waiting: () => updates.length,
  };
}
