import { redactor } from './redact.ts';
import { REDACTED } from './secrets/named.ts';
import { stripControl } from './text.ts';

/** Characters of an unfinished line that are kept; what comes beyond is only counted. */
const LONGEST_KEPT = 64 * 1024;
/** Characters of a line that are shown; the agent's log has all of it. */
const LONGEST_SHOWN = 2000;
const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;
const KEY_END = /-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY/;

export type StreamLines = {
  /** The lines that this piece of text ends, ready to be shown. */
  readonly push: (text: string) => string[];
  /** The line that is still open, if any. */
  readonly end: () => string[];
};

/**
 * Text that comes in pieces as lines that can be shown: nothing in them acts on a terminal, and no secret is in them,
 * wherever the pieces were cut. Each state of a line that is written over itself is a line of its own.
 */
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
