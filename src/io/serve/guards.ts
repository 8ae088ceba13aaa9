import type { ServerResponse } from 'node:http';

/** Headers of every answer. Only a header, not a `meta` element, can keep the page out of frames. */
export const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export const FOREIGN_HOST = "The address in your browser isn't one of this machine.";

/** Answers with one line of text. */
export function plain(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...more, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

/** Any port in `Host` is accepted, because a tunnel has a port of its own. */
export function isLoopback(host: string | undefined): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host ?? '');
}
