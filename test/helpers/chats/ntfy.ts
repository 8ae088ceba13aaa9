import type { ServerResponse } from 'node:http';
import { eventually } from '../eventually.ts';
import { json, type Service, serve } from './server.ts';

export const TOPIC = 'ada-builds-5f0c1e9d27';
export const ACCESS = 'tk_notARealTokenButItsForm0123456';

type Action = {
  readonly action: string;
  readonly label: string;
  readonly url: string;
  readonly method: string;
  readonly body: string;
};
export type Published = {
  readonly id: string;
  readonly time: number;
  readonly topic: string;
  readonly title?: string;
  readonly message: string;
  readonly priority?: number;
  readonly actions?: readonly Action[];
};

export type Ntfy = Service & {
  readonly published: () => readonly Published[];
  readonly says: (text: string) => Promise<Published>;
  /** Taps a button as the app does: sends the request of the button. */
  readonly tap: (message: Published, label: string) => Promise<void>;
  /** Publishes to the topic for answers. */
  readonly publish: (message: string) => Promise<void>;
};

/**
 * An ntfy server, as its documentation describes what ralph uses: publishing as JSON and by POST to a topic, messages that are kept,
 * and subscribing to a stream of JSON lines from a time on. The topic can be read and written with the access token alone; the one for
 * answers can be written by all.
 *
 * @see https://docs.ntfy.sh/publish/ https://docs.ntfy.sh/subscribe/api/
 */
export async function openNtfy(): Promise<Ntfy> {
  const published: Published[] = [];
  const readers = new Map<ServerResponse, string>();
  let number = 0;
  let time = 1_700_000_000;
  const line = (event: string, topic: string, more: object = {}) => {
    number += 1;
    return { id: `m${String(number).padStart(9, '0')}`, time, event, topic, ...more };
  };
  const add = (topic: string, more: { readonly message: string }): Published => {
    time += 1;
    const made = line('message', topic, more) as unknown as Published;
    published.push(made);
    for (const [reader, of] of readers) if (of === topic) reader.write(`${JSON.stringify(made)}\n`);
    return made;
  };

  const service = await serve((request, response, body) => {
    const isAllowed = request.headers.authorization === `Bearer ${ACCESS}`;
    const url = new URL(request.url ?? '/', 'http://ntfy.test');
    const [, topic = '', what] = url.pathname.split('/');
    const forbidden = () => json(response, { code: 40301, http: 403, error: 'forbidden' }, 403);
    if (request.method === 'POST') {
      const given = topic === '' ? JSON.parse(body) : { topic, message: body };
      if (!isAllowed && given.topic !== `${TOPIC}-reply`) return forbidden();
      if (Buffer.byteLength(given.message) > 4096 || (given.actions ?? []).length > 3)
        return json(response, { code: 40018, http: 400, error: 'invalid request' }, 400);
      return json(response, add(given.topic, given));
    }
    if (what !== 'json' || !isAllowed) return forbidden();
    response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    response.write(`${JSON.stringify(line('open', topic))}\n`);
    const since = url.searchParams.get('since') ?? 'all';
    for (const one of published)
      if (one.topic === topic && (since === 'all' || one.time >= Number(since)))
        response.write(`${JSON.stringify(one)}\n`);
    if (url.searchParams.get('poll') === '1') return response.end();
    readers.set(response, topic);
    response.once('close', () => readers.delete(response));
  });

  return {
    ...service,
    published: () => published.filter(({ topic }) => topic === TOPIC),
    says: (text) =>
      eventually(() => {
        const found = published.findLast(
          (one) => one.topic === TOPIC && `${one.title}\n${one.message}`.includes(text),
        );
        if (found === undefined) throw new Error(`ntfy has no message with ${text}`);
        return found;
      }),
    tap: async ({ actions = [] }, label) => {
      const action = actions.find((one) => one.label.includes(label));
      if (action === undefined) throw new Error(`there is no button ${label}`);
      await fetch(action.url, { method: action.method, body: action.body });
    },
    publish: async (message) => {
      await fetch(`${service.url}/${TOPIC}-reply`, { method: 'POST', body: message });
    },
  };
}
