import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Project, Started } from '../cli.ts';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

type Asking = {
  readonly method?: string;
  /** Headers in addition to those of a browser; `null`: the browser's header isn't sent. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly form?: Readonly<Record<string, string>>;
};

/** A served page, as a browser without scripts sees it. */
export type Site = Started & {
  readonly url: URL;
  readonly token: string;
  /** Sends a request as a browser does: with its cookie, and with the page's own origin for a POST. */
  readonly ask: (path: string, asking?: Asking) => Promise<Answer>;
  /** Exchanges a token for the cookie that later requests send. */
  readonly enter: (token?: string) => Promise<Answer>;
  /** Returns the same page in another browser. */
  readonly other: () => Site;
  /** Returns the same page at another port of this machine. */
  readonly at: (port: number) => Site;
};

/** Starts the built `ralph page`, or another command that serves a page. */
export async function serveSite(project: Project, ...args: string[]): Promise<Site> {
  const started = project.start(...(args.length === 0 ? ['page'] : args));
  const [first] = await Promise.race([
    once(started.child.stdout as NodeJS.ReadableStream, 'data'),
    started.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const [address = ''] = String(first).split('\n');
  return siteAt(started, new URL(address));
}

function siteAt(started: Started, url: URL): Site {
  const token = new URLSearchParams(url.hash.slice(1)).get('token') ?? '';
  let cookie: string | null = null;
  const ask = async (path: string, { method, headers = {}, form }: Asking = {}): Promise<Answer> => {
    const own: Record<string, string | null> = {
      cookie,
      ...(form === undefined && method === undefined ? {} : { origin: url.origin }),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null)) as Record<
      string,
      string
    >;
    const asked = request({
      ...{ host: url.hostname, port: url.port, path, headers: sent, agent: false },
      method: method ?? (form === undefined ? 'GET' : 'POST'),
    });
    asked.end(form === undefined ? undefined : new URLSearchParams(form).toString());
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  };
  const enter = async (given = token) => {
    const answer = await ask('/enter', { form: { token: given } });
    const [set] = answer.headers['set-cookie'] ?? [];
    if (set !== undefined) cookie = set.split(';')[0] ?? null;
    return answer;
  };
  return {
    ...started,
    url,
    token,
    ask,
    enter,
    other: () => siteAt(started, url),
    at: (port) => siteAt(started, new URL(`http://127.0.0.1:${port}/${url.hash}`)),
  };
}

export type Form = {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** Returns the forms of a page. */
export function formsIn(html: string): Form[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, path = '', inner = '']) => ({
      path,
      fields: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?/g)].map(
          ([, name = '', value = '']) => [name, plainText(value)],
        ),
      ),
    }),
  );
}

/** Returns the form of an action. */
export function formFor(html: string, name: string, about = '', choice = ''): Form {
  const found = formsIn(html).find(
    ({ fields }) => fields.do === name && fields.about === about && fields.choice === choice,
  );
  expect(found, `${name} ${about} ${choice} in ${JSON.stringify(formsIn(html))}`).toBeDefined();
  return found as Form;
}

export function plainText(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Returns what the page shows about the last action. */
export function saidIn(html: string): string {
  return plainText(/<p id="said"[^>]*>(.*?)<\/p>/s.exec(html)?.[1] ?? '');
}
