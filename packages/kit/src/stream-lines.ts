import { redactor } from './redact.ts';
import { REDACTED } from './secrets/named.ts';
import { stripControl } from './text.ts';

/** Number of characters kept of an unfinished line; further ones are only counted. */
const LONGEST_KEPT = 64 * 1024;
/** Number of characters shown of a line; the agent's log has the whole. */
const LONGEST_SHOWN = 2000;
const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;
const KEY_END = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;

export type StreamLines = {
  /** Returns the lines completed by a text, ready to show. */
  readonly push: (text: string) => string[];
  /** Returns the unfinished line, if any. */
  readonly end: () => string[];
};

/** Removes terminal sequences and secrets, however pieces were cut. Each overwritten state is a separate line. */
export function streamLines(secrets: readonly string[]): StreamLines {
  const redact = redactor(secrets);
  let open = '';
  let left = 0;
  let inKey = false;

  function add(piece: string): void {
    const room = Math.max(0, LONGEST_KEPT - open.length);
    open += piece.slice(0, room);
    left += Math.max(0, piece.length - room);
  }

  function close(): string {
    const line = stripControl(open);
    const within = inKey;
    inKey = KEY_BEGIN.test(line) ? !KEY_END.test(line) : inKey && !KEY_END.test(line);
    const text = within ? REDACTED : redact(line);
    const hidden = left + Math.max(0, text.length - LONGEST_SHOWN);
    open = '';
    left = 0;
    return hidden === 0 ? text : `${text.slice(0, LONGEST_SHOWN)}… (${hidden} more characters)`;
  }

  return {
    push: (text) => {
      const lines: string[] = [];
      const pieces = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) lines.push(close());
        add(piece);
      }
      return lines;
    },
    end: () => (open === '' && left === 0 ? [] : [close()]),
  };
}
