import type { AgentEvent } from '../domain/agent.ts';
import { isObject } from '../lib/is-object.ts';
import { textEvents } from './events.ts';

/** A document over many lines is read up to so many characters. */
const LONGEST = 4 * 1024 * 1024;

/**
 * Reads the words of an agent that prints JSON, a document a line or one over many lines: each text at the path is a message. Lines that
 * are no JSON, and documents without such a text, give no event. Never throws.
 *
 * @param path Names of members with a dot between them; `*`: each of a list.
 */
export function openJsonReader(path: string): (line: string) => readonly AgentEvent[] {
  const steps = path.split('.');
  let begun: string[] = [];
  let size = 0;
  let depth = 0;
  return (line) => {
    // Lines of an object before a whole document are none.
    const isNew = begun[0]?.startsWith('{') === true && /^[[{]/.test(line) && parsed(line) !== undefined;
    if (begun.length === 0 || isNew) {
      if (!BEGINS.test(line)) return [];
      [begun, size, depth] = [[], 0, 0];
    }
    begun.push(line.trimStart());
    size += line.length;
    depth += opened(line);
    if (depth > 0 && size <= LONGEST) return [];
    const value = depth > 0 ? undefined : parsed(begun.join('\n'));
    begun = [];
    return value === undefined ? [] : textsAt(value, steps).flatMap((text) => textEvents(text));
  };
}

/** The beginning of a list or an object of JSON, and not of a line of a log such as `[INFO] ready`. */
const BEGINS = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[-\d"[{\]tfn]|$))/;

/** Brackets that a line opens, less those that it closes; brackets in texts don't count, and no text goes over a line. */
function opened(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return [...bare.matchAll(/[[{]/g)].length - [...bare.matchAll(/[\]}]/g)].length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsAt(value: unknown, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return typeof value === 'string' ? [value] : [];
  if (Array.isArray(value)) {
    const items: readonly unknown[] = step === '*' ? value : [value[Number(step)]];
    return items.flatMap((item) => textsAt(item, rest));
  }
  return isObject(value) && Object.hasOwn(value, step) ? textsAt(value[step], rest) : [];
}
