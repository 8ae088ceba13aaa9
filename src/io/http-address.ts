import { tryOr } from '../lib/try-or.ts';

/** An address that `fetch` takes, with the header that stands for the name and password in it. */
export type HttpAddress = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** `null` where the text isn't an http:// or https:// address. `fetch` refuses a name and password where they stand. */
export function httpAddress(text: string): HttpAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  url.username = '';
  url.password = '';
  const pair = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`);
  return { url, headers: { authorization: `Basic ${pair.toString('base64')}` } };
}

/** The text itself where it is not well percent-encoded. */
export function percentDecoded(text: string): string {
  return tryOr(text, () => decodeURIComponent(text));
}

/** Of a request that failed the system's code alone: messages name the host. */
export function networkErrorCode(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'no connection';
}
