import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Config } from '../../../src/domain/config.ts';
import type { AnswerResult, ChatAnswer, Notification, Waits } from '../../../src/domain/notification.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openNotify } from '../../../src/io/notify/index.ts';
import { ACCESS, type Ntfy, openNtfy, TOPIC } from '../../helpers/chats/ntfy.ts';
import { CHAT, openTelegram, type Telegram, TOKEN } from '../../helpers/chats/telegram.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

const QUESTION: Waits = { kind: 'question', taskId: 'T-3', iteration: 7 };
const GATE: Waits = { kind: 'gate', taskId: 'T-4', request: 'G-1', escalated: false };

const message = (waits: Waits, more: Partial<Notification> = {}): Notification => ({
  ...{ kind: 'awaiting_human', at: '2026-05-01T21:10:00.000Z', run: 'r-1', taskId: 'T-3', incident: null },
  ...{ severity: 'warning', title: 'ralph: the agent asks about T-3', text: 'Which port?', result: null },
  next: ['ralph answer T-3 "…"'],
  waits: {
    ...waits,
    answerable:
      waits.kind === 'gate'
        ? {
            ok: true,
            choices: ['approve', 'reject', 'retry', 'abort'].map((name) => ({ name, label: `Do ${name}` })),
            words: null,
          }
        : { ok: true, choices: [], words: 'Your words go to the agent, which continues.' },
  },
  ...more,
});

/** Time that passes where something waits: at once, and counted. `until` is what happens when it has passed. */
function passingClock() {
  let ms = Date.parse('2026-05-01T21:10:00.000Z');
  const slept: number[] = [];
  const events: { readonly atMs: number; readonly happens: () => void }[] = [];
  return {
    ...systemClock(),
    now: () => new Date(ms).toISOString(),
    monotonicMs: () => ms,
    slept,
    after: (seconds: number, happens: () => void) => events.push({ atMs: ms + seconds * 1000, happens }),
    sleep: async (delay: number) => {
      slept.push(delay);
      ms += delay;
      for (const one of events.splice(0)) {
        if (one.atMs <= ms) one.happens();
        else events.push(one);
      }
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Opened = {
  readonly telegram?: Telegram;
  readonly ntfy?: Ntfy;
  readonly home?: string;
  readonly tryMs?: number;
};

function notifyOf({ telegram, ntfy, home = temporaryFolder(), tryMs = 10_000 }: Opened) {
  const clock = passingClock();
  const notify = openNotify({
    settings: Config.parse({}).notify,
    ...{ ofStops: [], clock, root: '/work/shop', env: {}, box: null, runsRepository: () => false },
    ...{ tryMs, atTerminal: false, sentFile: join(home, 'sent.json') },
    chats: {
      telegram: telegram === undefined ? null : { chat: CHAT, token: TOKEN, server: telegram.url },
      ntfy: ntfy === undefined ? null : { server: ntfy.url, topic: TOPIC, token: ACCESS },
    },
  });
  return { home, clock, notify };
}

/** Listens until the test ends it; answers are written down, and their result is as given. */
function listening(
  notify: ReturnType<typeof notifyOf>['notify'],
  result: (answer: ChatAnswer) => AnswerResult = () => ({ kind: 'counted', text: 'T-3 has your words.' }),
) {
  const [answers, away]: [ChatAnswer[], string[]] = [[], []];
  const over = new AbortController();
  const ended = notify.listen(
    async (answer) => {
      answers.push(answer);
      return result(answer);
    },
    (channel, error) => away.push(`${channel}: ${error}`),
    over.signal,
  );
  const end = () => {
    over.abort();
    return ended;
  };
  return { answers, away, end };
}

const settled = (telegram: Telegram) => eventually(() => expect(telegram.waiting()).toBe(0));

describe('Telegram', () => {
  it('asks, and takes the reply once', async () => {
    const telegram = await openTelegram();
    const { notify } = notifyOf({ telegram });
    expect(await notify.send(message(QUESTION))).toEqual([
      { channel: 'telegram', ok: true, tries: 1, error: null },
    ]);
    const asked = await telegram.says('Which port?');
    expect(asked).toMatchObject({ force_reply: true, buttons: [] });
    expect(asked.text.split('\n\n')).toEqual([
      'ralph: the agent asks about T-3',
      'Which port?',
      expect.stringMatching(/^\(shop, run r-1, task T-3, code [a-z0-9]{10}\)$/),
      'To answer, reply to this message. Your words go to the agent, which continues.',
      'On the machine:\n  ralph answer T-3 "…"',
    ]);
    const { answers, end } = listening(notify);
    telegram.reply(asked, '8080, please');
    expect(await telegram.says('T-3 has your words.')).toMatchObject({ to: expect.any(Number) });
    telegram.reply(asked, 'No, 9090');
    await telegram.says('Too late: answered at');
    await settled(telegram);
    await end();
    expect(answers).toEqual([
      { waits: QUESTION, choice: null, words: '8080, please', by: 'telegram: Ada (@ada)' },
    ]);
  });

  it('takes a button once, and shows in the message what it did', async () => {
    const telegram = await openTelegram();
    const { notify } = notifyOf({ telegram });
    await notify.send(message(GATE));
    const asked = await telegram.says('Tap a choice.');
    expect(asked.buttons.map(({ text }) => text)).toEqual([
      'Do approve',
      'Do reject',
      'Do retry',
      'Do abort',
    ]);
    const { answers, end } = listening(notify, () => ({ kind: 'counted', text: 'G-1 is decided: reject.' }));
    telegram.tap(asked, 'Do reject');
    expect(await telegram.says('✔ G-1 is decided: reject.')).toMatchObject({
      message_id: asked.message_id,
      buttons: [],
    });
    // The tap comes from a phone that still shows the buttons.
    telegram.tap(asked, 'Do approve');
    await eventually(() =>
      expect(telegram.toasts().at(-1)).toMatch(/^Too late: answered at .* by telegram: Ada/),
    );
    await end();
    expect(answers).toEqual([{ waits: GATE, choice: 'reject', words: '', by: 'telegram: Ada (@ada)' }]);
  });

  it('says that it is too late, and that an answer did nothing', async () => {
    const telegram = await openTelegram();
    const { notify } = notifyOf({ telegram });
    await notify.send(message(GATE));
    const asked = await telegram.says('Tap a choice.');
    const results: AnswerResult[] = [
      { kind: 'refused', text: 'It needs a signature. Nothing was changed.' },
      { kind: 'gone', text: 'it is no longer open.' },
    ];
    const { answers, end } = listening(notify, () => results.shift() ?? { kind: 'later' });
    telegram.tap(asked, 'Do reject');
    telegram.tap(asked, 'Do reject');
    await eventually(() =>
      expect(telegram.toasts()).toEqual([
        'It needs a signature. Nothing was changed.',
        'Too late: it is no longer open.',
      ]),
    );
    await end();
    expect([answers.length, telegram.posted().length]).toEqual([2, 1]);
  });

  it('ignores everything else, without a word', async () => {
    const telegram = await openTelegram();
    const { notify } = notifyOf({ telegram });
    await notify.send(message(QUESTION));
    await notify.send(message(GATE));
    const [question, gate] = telegram.posted();
    if (question === undefined || gate === undefined) throw new Error('nothing was sent');
    const { answers, end } = listening(notify);
    const nonce = gate.buttons[0]?.callback_data.split(' ')[0];
    const mallory = { id: 666, first_name: 'Mallory' };
    telegram.reply(question, 'from another chat', { chat: 77 });
    telegram.reply(question, 'by someone else', { from: mallory });
    telegram.reply(question, 'by a bot', { from: { id: CHAT, first_name: 'Bot', is_bot: true } });
    telegram.reply(question, 'forwarded', { extra: { forward_origin: { type: 'user' } } });
    telegram.reply(question, 'by way of a bot', { extra: { via_bot: { id: 1 } } });
    telegram.reply({ message_id: 1, text: 'of yours' }, 'to another message');
    telegram.reply({ message_id: 1, text: question.text }, 'to a copy', {
      extra: { reply_to_message: { message_id: 1, text: question.text, from: mallory } },
    });
    telegram.reply(gate, '   ');
    telegram.tap(gate, 'Do approve', { chat: 77 });
    telegram.tap(gate, 'Do approve', { from: mallory });
    telegram.tap(gate, { data: `${nonce} delegate` });
    telegram.tap(gate, { data: `${nonce}` });
    telegram.tap(gate, { data: 'zzzzzzzzzz approve' });
    telegram.tap(gate, { data: 'toString approve' });
    const own = { chat: { id: CHAT }, from: { id: CHAT, first_name: 'Ada' }, text: 'x', message_id: 5 };
    telegram.push({ message: own });
    telegram.push({ edited_message: { ...own, reply_to_message: { message_id: question.message_id } } });
    telegram.push({ channel_post: own });
    telegram.push({ message: { nothing: 'of it' } });
    telegram.push({ callback_query: { id: '1', from: { id: CHAT }, data: `${nonce} approve` } });
    await settled(telegram);
    await end();
    expect(answers).toEqual([]);
    expect([telegram.posted().length, telegram.toasts()]).toEqual([2, []]);
  });

  it('is read again after a kill: the answer that came meanwhile counts, once', async () => {
    const telegram = await openTelegram();
    const first = notifyOf({ telegram });
    await first.notify.send(message(QUESTION));
    const asked = await telegram.says('Which port?');
    telegram.reply(asked, '8080');
    const again = notifyOf({ telegram, home: first.home });
    // No message is sent twice.
    expect(await again.notify.send(message(QUESTION))).toEqual([]);
    const answers: ChatAnswer[] = [];
    const take = async (answer: ChatAnswer): Promise<AnswerResult> => {
      answers.push(answer);
      return { kind: 'counted', text: 'T-3 has your words.' };
    };
    await again.notify.collect(take);
    await again.notify.collect(take);
    const later = listening(notifyOf({ telegram, home: first.home }).notify);
    await settled(telegram);
    await later.end();
    expect([answers.length, later.answers.length]).toEqual([1, 0]);
  });

  it('keeps an answer for the next run where this one can do nothing with it', async () => {
    const telegram = await openTelegram();
    const { notify, home } = notifyOf({ telegram });
    await notify.send(message(GATE));
    telegram.tap(await telegram.says('Tap a choice.'), 'Do reject');
    const { answers, end } = listening(notify, () => ({ kind: 'later' }));
    await eventually(() => expect(answers).toHaveLength(1));
    await end();
    const next = listening(notifyOf({ telegram, home }).notify);
    await eventually(() => expect(next.answers).toHaveLength(1));
    await next.end();
  });

  it('that is away for ten minutes is reported once, asked seldom, and gets its messages when it is back', async () => {
    const telegram = await openTelegram();
    const { notify, clock } = notifyOf({ telegram });
    telegram.is({ status: 503 });
    const first = { channel: 'telegram', ok: false, tries: 3, error: 'Telegram answered 503' };
    expect(await notify.send(message(QUESTION))).toEqual([first]);
    expect(await notify.send(message(GATE))).toEqual([{ ...first, tries: 1, isKnown: true }]);
    clock.after(600, () => telegram.is('up'));
    const back = new Promise<void>((resolve) => notify.whenBack(resolve));
    const { away, end } = listening(notify);
    await back;
    await end();
    expect(away).toEqual([]);
    expect(telegram.count()).toBeLessThan(30);
    expect(await notify.send(message(QUESTION))).toMatchObject([{ ok: true }]);
  });

  it.each([
    ['no connection', (telegram: Telegram) => telegram.close(), 'could not be reached (ECONNREFUSED)'],
    ['no answer', async (telegram: Telegram) => telegram.is('hangs'), 'gave no answer within 0.2 s'],
    ['a wrong token', async (telegram: Telegram) => telegram.is({ status: 401 }), 'answered 401'],
  ])('%s is one line, and later messages are tried once', async (_what, breaks, error) => {
    const telegram = await openTelegram();
    const { notify } = notifyOf({ telegram, tryMs: 200 });
    await breaks(telegram);
    const first = await notify.send(message(QUESTION));
    const second = await notify.send(message(GATE));
    expect([first[0]?.error, first[0]?.isKnown]).toEqual([expect.stringContaining(error), undefined]);
    expect(second).toMatchObject([{ tries: 1, isKnown: true }]);
    expect(JSON.stringify([first, second])).not.toContain(TOKEN);
  });

  it('is given the time that it asks for', async () => {
    const telegram = await openTelegram();
    const { notify, clock } = notifyOf({ telegram });
    const body = {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests',
      parameters: { retry_after: 17 },
    };
    telegram.is({ status: 429, body });
    clock.after(17, () => telegram.is('up'));
    expect(await notify.send(message(QUESTION))).toMatchObject([{ ok: true, tries: 2 }]);
    expect(clock.slept).toEqual([17_000]);
  });

  it('keeps its token out of what is written, also where the service echoes it', async () => {
    const telegram = await openTelegram();
    const { notify, home } = notifyOf({ telegram });
    telegram.is({ status: 400, body: { ok: false, description: `no bot ${TOKEN}` } });
    const [delivery] = await notify.send(message(QUESTION));
    const { away, end } = listening(notify);
    expect(delivery?.error).toBe('Telegram answered 400: no bot [redacted]');
    await end();
    const written = readdirSync(home).map((name) => readFileSync(join(home, name), 'utf8'));
    expect(`${written}${away}`).not.toContain(TOKEN);
  });
});

describe('ntfy', () => {
  it('asks, and takes words with the code of the message, once', async () => {
    const ntfy = await openNtfy();
    const { notify } = notifyOf({ ntfy });
    await notify.send(message(QUESTION));
    const asked = await ntfy.says('Which port?');
    expect(asked).toMatchObject({ title: 'ralph: the agent asks about T-3', priority: 4, actions: [] });
    const [, nonce] = /answers: ([a-z0-9]{10}) YOUR WORDS/.exec(asked.message) ?? [];
    const { answers, end } = listening(notify);
    await ntfy.publish('without a code');
    await ntfy.publish('zzzzzzzzzz with a wrong one');
    await ntfy.publish(`${nonce} 8080, please`);
    await ntfy.says('T-3 has your words.');
    await ntfy.publish(`${nonce} 9090`);
    await ntfy.says('Too late: answered at');
    await end();
    expect(answers).toEqual([{ waits: QUESTION, choice: null, words: '8080, please', by: 'ntfy' }]);
    expect(ntfy.published()).toHaveLength(3);
  });

  it('has three buttons, and says how the others are typed', async () => {
    const ntfy = await openNtfy();
    const { notify } = notifyOf({ ntfy });
    await notify.send(message(GATE));
    const asked = await ntfy.says('Tap a choice.');
    expect(asked.actions?.map(({ label }) => label)).toEqual(['Do approve', 'Do reject', 'Do retry']);
    expect(asked.message).toMatch(/More choices:\n {2}[a-z0-9]{10} abort: Do abort/);
    // Whoever reads the topic could read the token, so it isn't sent.
    expect(JSON.stringify(asked)).not.toContain(ACCESS);
    const { answers, end } = listening(notify, () => ({ kind: 'counted', text: 'G-1 is decided.' }));
    await ntfy.tap(asked, 'Do retry');
    await ntfy.says('G-1 is decided.');
    await end();
    expect(answers).toEqual([{ waits: GATE, choice: 'retry', words: '', by: 'ntfy' }]);
  });

  it('is read again after a kill: the answer that came meanwhile counts, once', async () => {
    const ntfy = await openNtfy();
    const { notify, home } = notifyOf({ ntfy });
    await notify.send(message(GATE));
    await ntfy.tap(await ntfy.says('Tap a choice.'), 'Do retry');
    const answers: ChatAnswer[] = [];
    const take = async (answer: ChatAnswer): Promise<AnswerResult> => {
      answers.push(answer);
      return { kind: 'counted', text: 'G-1 is decided.' };
    };
    await notifyOf({ ntfy, home }).notify.collect(take);
    await notifyOf({ ntfy, home }).notify.collect(take);
    const { answers: later, end } = listening(notifyOf({ ntfy, home }).notify);
    await ntfy.publish('the end');
    await end();
    expect([answers.length, later.length, ntfy.published().length]).toEqual([1, 0, 2]);
  });

  it('that is away for ten minutes is reported once, and read on from where it was', async () => {
    const ntfy = await openNtfy();
    const { notify, clock } = notifyOf({ ntfy });
    await notify.send(message(GATE));
    const asked = await ntfy.says('Tap a choice.');
    const { answers, away, end } = listening(notify, () => ({ kind: 'counted', text: 'G-1 is decided.' }));
    await ntfy.tap(asked, 'Do retry');
    await ntfy.says('G-1 is decided.');
    ntfy.is({ status: 502 });
    clock.after(600, () => ntfy.is('up'));
    const back = new Promise<void>((resolve) => notify.whenBack(resolve));
    await ntfy.close();
    await ntfy.open();
    await back;
    await end();
    expect([away.length, answers.length]).toEqual([1, 1]);
    expect(ntfy.count()).toBeLessThan(40);
  });
});

it('an answer counts once, whichever service it comes by', async () => {
  const [telegram, ntfy] = [await openTelegram(), await openNtfy()];
  const { notify } = notifyOf({ telegram, ntfy });
  await notify.send(message(GATE));
  const [here, there] = [await telegram.says('Tap a choice.'), await ntfy.says('Tap a choice.')];
  const { answers, end } = listening(notify, () => ({ kind: 'counted', text: 'G-1 is decided.' }));
  telegram.tap(here, 'Do reject');
  await telegram.says('✔ G-1 is decided.');
  await ntfy.tap(there, 'Do approve');
  await ntfy.says('Too late: answered at');
  await end();
  expect(answers).toHaveLength(1);
});

it('`ralph notify test` finds that answers cannot be read', async () => {
  const telegram = await openTelegram();
  const { notify } = notifyOf({ telegram });
  expect(await notify.unreadable()).toEqual([]);
  telegram.is({ status: 409, body: { ok: false, description: 'Conflict' } });
  expect(await notify.unreadable()).toEqual([
    { channel: 'telegram', error: 'Telegram answered 409: Conflict; each run needs a bot of its own' },
  ]);
});
