import { isObject } from 'ralph-kit/is-object';
import type { AgentEvent } from './event.ts';
import { textEvents } from './events.ts';

const LONGEST = 4 * 1024 * 1024;

/**
 * Reads JSON documents, one per line or over many lines; other text gives no event. Never throws.
 * @param path Member names separated by dots; `*`: every item of a list.
 */
export function openJsonReader(path: string): (line: string) => readonly AgentEvent[] {
  const steps = path.split('.');
  let begun: string[] = [];
  let size = 0;
  let depth = 0;
  return (line) => {
    // Lines of an unfinished object before a whole document are dropped.
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

/** Start of a JSON list or object, unlike log lines such as `[INFO] ready`. */
const BEGINS = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[-\d"[{\]tfn]|$))/;

/** Returns the number of opened minus closed brackets outside strings, which never span lines. */
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
