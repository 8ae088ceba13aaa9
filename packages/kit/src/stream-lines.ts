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

/** A line that has ended, before it is redacted: `left` counts the characters that weren't kept. */
type Closed = { readonly line: string; readonly within: boolean; readonly left: number };

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

  /** Ends the line; its text isn't redacted yet. */
  function close(): Closed {
    const line = stripControl(open);
    const within = inKey;
    inKey = KEY_BEGIN.test(line) ? !KEY_END.test(line) : inKey && !KEY_END.test(line);
    const closed = { line, within, left };
    open = '';
    left = 0;
    return closed;
  }

  /** Redacts lines together, which takes a tenth of the time. A secret over several lines leaves fewer of them. */
  function shown(lines: readonly Closed[]): string[] {
    if (lines.length === 0) return [];
    const together = redact(lines.map(({ line }) => line).join('\n')).split('\n');
    const texts = together.length === lines.length ? together : lines.map(({ line }) => redact(line));
    return lines.map(({ within, left: uncounted }, index) => {
      const text = within ? REDACTED : (texts[index] ?? '');
      const hidden = uncounted + Math.max(0, text.length - LONGEST_SHOWN);
      return hidden === 0 ? text : `${text.slice(0, LONGEST_SHOWN)}… (${hidden} more characters)`;
    });
  }

  return {
    push: (text) => {
      const lines: Closed[] = [];
      const pieces = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
      for (const [index, piece] of pieces.entries()) {
        if (index > 0) lines.push(close());
        add(piece);
      }
      return shown(lines);
    },
    end: () => (open === '' && left === 0 ? [] : shown([close()])),
  };
}
