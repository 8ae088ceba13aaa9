/** Limit of opening braces tried; no answer needs more. */
const MOST_STARTS = 1000;
/** Number of characters that identify an answer's beginning. */
const BEGIN = 40;

/** Ignores braces in prose. @param answerStart An answer's beginning: a truncated one's inner objects don't count. */
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
