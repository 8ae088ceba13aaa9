/** Braces at which an object is looked for: no answer needs as many. */
const MOST_STARTS = 1000;
/** Characters by which the beginning of an answer is known. */
const BEGIN = 40;

/**
 * The JSON objects of a text that stand on their own: fenced or not. An object within another one counts with that; braces
 * in prose that aren't JSON count for nothing.
 *
 * @param answerStart How an answer begins: what one that breaks off holds within isn't an answer either.
 */
export function jsonBlocks(message: string, answerStart: RegExp): readonly unknown[] {
  const blocks: unknown[] = [];
  let at = message.indexOf('{');
  for (let starts = 0; at >= 0 && starts < MOST_STARTS; starts += 1) {
    const end = endOfObject(message, at);
    const value = end === null ? undefined : parsed(message.slice(at, end));
    if (end === null && answerStart.test(message.slice(at, at + BEGIN)))
      return blocks.length === 0 ? [] : [...blocks, {}];
    if (value === undefined) at = message.indexOf('{', at + 1);
    else {
      blocks.push(value);
      at = message.indexOf('{', end ?? at + 1);
    }
  }
  return blocks;
}

/** Behind the brace that closes the one at `start`, strings skipped; `null`: nothing closes it. */
function endOfObject(message: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < message.length; at += 1) {
    const character = message[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
