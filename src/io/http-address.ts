import { tryOr } from 'ralph-kit/try-or';

/** Address for `fetch`, with a header instead of the name and password in it. */
export type HttpAddress = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** Returns `null` unless the text is an http or https address. `fetch` refuses addresses with a password. */
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

/** Returns the text unchanged when its percent-encoding is invalid. */
function percentDecoded(text: string): string {
  return tryOr(text, () => decodeURIComponent(text));
}
