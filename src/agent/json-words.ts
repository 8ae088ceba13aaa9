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
  let begun = '';
  return (line) => {
    if (begun === '' && !/^\s*[[{]/.test(line)) return [];
    begun = begun === '' ? line : `${begun}\n${line}`;
    // Only what closes can be a whole document.
    const value = /[\]}]\s*$/.test(line) ? parsed(begun) : undefined;
    if (value === undefined) {
      if (begun.length > LONGEST) begun = '';
      return [];
    }
    begun = '';
    return textsAt(value, steps).flatMap((text) => textEvents(text));
  };
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
