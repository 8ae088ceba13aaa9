import { parseJson } from 'ralph-kit/parse-json';
import { onOneLine, shortened } from 'ralph-kit/text';
import * as z from 'zod/mini';
import type { Notification } from '../../../domain/notification.ts';
import {
  type Chat,
  type ChatPlace,
  type ChatSettings,
  type Incoming,
  type Reading,
  type Try,
  unusable,
} from '../channel.ts';
import { call, refusal, retryAfter } from '../request.ts';
import type { Request } from '../sent.ts';
import { chatText, nonceIn } from './words.ts';

/** Characters of a message: Telegram takes 4096; characters beyond the basic plane count twice. */
const LONGEST_TEXT = 3500;
/** Seconds that one request for updates stays open. */
const POLL_SECONDS = 50;
/** Characters that are shown when a button was tapped: Telegram takes 200. */
const LONGEST_TOAST = 190;

const Person = z.looseObject({
  id: z.number(),
  is_bot: z.optional(z.boolean()),
  first_name: z.optional(z.string()),
  username: z.optional(z.string()),
});
const Message = z.looseObject({
  message_id: z.number(),
  chat: z.looseObject({ id: z.number() }),
  from: z.optional(Person),
  text: z.optional(z.string()),
  forward_origin: z.optional(z.unknown()),
  via_bot: z.optional(z.unknown()),
  reply_to_message: z.optional(
    z.looseObject({
      message_id: z.number(),
      from: z.optional(Person),
      text: z.optional(z.string()),
    }),
  ),
});
const Tap = z.looseObject({
  id: z.string(),
  from: Person,
  message: z.optional(
    z.looseObject({
      message_id: z.number(),
      chat: z.looseObject({ id: z.number() }),
      text: z.optional(z.string()),
    }),
  ),
  data: z.optional(z.string()),
});
const Update = z.looseObject({
  update_id: z.number(),
  message: z.optional(z.unknown()),
  callback_query: z.optional(z.unknown()),
});
const Response = z.looseObject({
  ok: z.boolean(),
  result: z.optional(z.unknown()),
  description: z.optional(z.string()),
  parameters: z.optional(z.looseObject({ retry_after: z.optional(z.number()) })),
});

/**
 * The chat with a bot of yours. Choices are buttons below the message (`callback_data`: nonce and choice), words are replies to it.
 * Only the configured chat counts; everything else in it is ignored, without an answer.
 *
 * @see https://core.telegram.org/bots/api `getUpdates`, `sendMessage`, `editMessageText`, `answerCallbackQuery`
 */
export function telegramChat(
  settings: NonNullable<ChatSettings['telegram']>,
  { repository, tryMs }: ChatPlace,
): Chat {
  const { chat, token, server } = settings;
  const problem = telegramProblem(settings);
  if (problem !== null) return unusable('telegram', problem);
  const base = `${server.replace(/\/+$/, '')}/bot${token}`;

  async function ask(
    method: string,
    body: unknown,
    options: (Pick<Reading, 'signal'> & { timeoutMs: number }) | null,
  ) {
    const answer = await call({
      service: 'Telegram',
      url: `${base}/${method}`,
      method: 'POST',
      body,
      timeoutMs: tryMs,
      ...options,
    });
    if (!answer.ok) return answer;
    const { status, headers, text } = answer;
    const response = parseJson(text, Response);
    if (response?.ok === true) return { ok: true as const, result: response.result };
    const why = onOneLine(response?.description ?? '');
    const conflict = status === 409 ? '; each run needs a bot of its own' : '';
    const afterSeconds = response?.parameters?.retry_after ?? retryAfter(headers);
    return refusal('Telegram', {
      status: status === 200 ? 502 : status,
      why: `${why}${conflict}`,
      afterSeconds,
    });
  }

  const post = async (method: string, body: unknown) => {
    await ask(method, body, null);
  };

  const mayAnswer = ({ id, is_bot }: z.infer<typeof Person>, from: number) =>
    from === chat && is_bot !== true && (chat < 0 || id === chat);

  function tapped(given: unknown): Incoming | null {
    const { success, data: tap } = Tap.safeParse(given);
    if (!success || tap.message === undefined || !mayAnswer(tap.from, tap.message.chat.id)) return null;
    const { message_id, text } = tap.message;
    const [nonce = '', choice = ''] = (tap.data ?? '').split(' ');
    const reply = async (outcome: string, isOver: boolean) => {
      const toast = {
        callback_query_id: tap.id,
        text: shortened(outcome, LONGEST_TOAST),
        show_alert: !isOver,
      };
      await post('answerCallbackQuery', toast);
      if (!isOver) return;
      const below = `\n\n✔ ${outcome}`;
      const whole = `${shortened(text ?? '', LONGEST_TEXT - below.length)}${below}`;
      // An edited message that is sent without a keyboard loses its buttons.
      await post('editMessageText', { chat_id: chat, message_id, text: whole });
    };
    return { nonce, answer: { kind: 'choice', text: choice }, by: nameOf(tap.from), reply };
  }

  function replied(given: unknown, find: Reading['find']): Incoming | null {
    const { success, data: message } = Message.safeParse(given);
    if (!success || message.from === undefined || !mayAnswer(message.from, message.chat.id)) return null;
    const { reply_to_message: to, text = '', message_id } = message;
    if (to === undefined || text.trim() === '') return null;
    if (message.forward_origin !== undefined || message.via_bot !== undefined) return null;
    // A run that is killed right after sending never learns the message's id.
    const isOwn = String(to.from?.id ?? '') === token.split(':')[0];
    const code = isOwn ? nonceIn(to.text ?? '') : null;
    const request =
      find(({ channels }) => channels.telegram === String(to.message_id)) ??
      find(({ nonce }) => nonce === code);
    if (request === null) return null;
    const reply = (outcome: string) =>
      post('sendMessage', {
        chat_id: chat,
        text: shortened(outcome, LONGEST_TEXT),
        reply_parameters: { message_id, allow_sending_without_reply: true },
      });
    return { nonce: request.nonce, answer: { kind: 'words', text }, by: nameOf(message.from), reply };
  }

  return {
    name: 'telegram',
    isUsable: true,
    attempt: async (notification, request): Promise<Try> => {
      const body = { chat_id: chat, ...content(notification, request, repository) };
      const answer = await ask('sendMessage', { ...body, link_preview_options: { is_disabled: true } }, null);
      if (!answer.ok) return answer;
      const { data } = Message.safeParse(answer.result);
      return { ok: true, id: String(data?.message_id ?? '') };
    },
    read: async ({ cursor, wait, signal, find, on }): Promise<Try> => {
      const timeout = wait ? POLL_SECONDS : 0;
      const offset = cursor === null ? {} : { offset: Number(cursor) };
      const answer = await ask(
        'getUpdates',
        { ...offset, timeout, allowed_updates: ['message', 'callback_query'] },
        { signal, timeoutMs: timeout * 1000 + tryMs },
      );
      if (!answer.ok) return answer;
      if (!(await on(null, null))) return { ok: true };
      for (const given of Array.isArray(answer.result) ? answer.result : []) {
        const { data: update } = Update.safeParse(given);
        if (update === undefined) continue;
        const incoming = tapped(update.callback_query) ?? replied(update.message, find);
        if (!(await on(incoming, String(update.update_id + 1)))) break;
      }
      return { ok: true };
    },
  };
}

function content({ title, ...rest }: Notification, request: Request | null, repository: string) {
  const { waits } = rest;
  const answerable = waits?.answerable.ok === true ? waits.answerable : null;
  const choices = request === null ? [] : (answerable?.choices ?? []);
  const howTo = { typed: [], hasButtons: choices.length > 0, inWords: 'reply to this message' };
  const nonce = answerable === null ? null : (request?.nonce ?? null);
  const text = `${title}\n\n${chatText({ title, ...rest }, { repository, nonce, howTo, maxCharacters: LONGEST_TEXT - title.length })}`;
  if (choices.length > 0)
    return {
      text,
      reply_markup: {
        inline_keyboard: choices.map(({ name, label }) => [
          { text: label, callback_data: `${nonce} ${name}` },
        ]),
      },
    };
  const placeholder = 'Your answer';
  return answerable === null || answerable.words === null
    ? { text }
    : { text, reply_markup: { force_reply: true, input_field_placeholder: placeholder } };
}

function nameOf({ id, first_name = '', username }: z.infer<typeof Person>): string {
  const name = shortened(onOneLine(first_name).trim(), 40);
  const account = username === undefined ? String(id) : `@${shortened(onOneLine(username), 40)}`;
  return `telegram: ${name === '' ? account : `${name} (${account})`}`;
}

/** Returns why a service can't be used, as the end of a sentence; `null`: nothing is wrong with its settings. */
export function telegramProblem({ token }: NonNullable<ChatSettings['telegram']>): string | null {
  if (token === '') return "RALPH_TELEGRAM_TOKEN isn't set: it holds the token of your bot";
  return /^\d+:[\w-]+$/.test(token) ? null : "RALPH_TELEGRAM_TOKEN isn't the token of a bot";
}
