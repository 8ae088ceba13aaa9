import type { Call } from './call.ts';

/**
 * Returns the output of a command that serves a page. With JSON it is one line, because the command keeps running.
 */
export function readyText({ format }: Pick<Call, 'format'>, url: string, what: string): string {
  if (format === 'json') return `${JSON.stringify({ url })}\n`;
  return `${url}\nWhoever has this address can ${what}. Ctrl-C ends it.\n`;
}
