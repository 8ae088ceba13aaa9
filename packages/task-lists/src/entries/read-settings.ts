import { isObject } from 'ralph-kit/is-object';
import { tryOr } from 'ralph-kit/try-or';
import { parse } from 'yaml';
import { type ConfiguredWords, type Meaning, wordsInOrder } from '../words.ts';

/** Returns the status words in Backlog.md's `config.yml`; `null`: it has none. */
export function backlogWords(text: string): ConfiguredWords | null {
  const config: unknown = tryOr(null, () => parse(text));
  if (!isObject(config)) return null;
  const states = textsOf(config.statuses);
  const first = config.default_status ?? config.defaultStatus;
  return states.length === 0 ? null : wordsInOrder(states, typeof first === 'string' ? first : null);
}

/** Meanings of the categories that beads has for status words. */
const CATEGORIES: Readonly<Record<string, Meaning>> = {
  active: 'open',
  wip: 'in_progress',
  done: 'done',
  frozen: 'parked',
};

/**
 * Returns the words in `status.custom` of beads' `config.yaml`, each by its category. Words without a category are
 * ignored.
 */
export function beadsWords(text: string): ConfiguredWords | null {
  const config: unknown = tryOr(null, () => parse(text));
  if (!isObject(config)) return null;
  const custom = config['status.custom'] ?? (isObject(config.status) ? config.status.custom : undefined);
  const meanings = textsOf(custom).flatMap((entry): [string, Meaning][] => {
    const [name = '', category = ''] = entry.split(':').map((part) => part.trim());
    const meaning = CATEGORIES[category];
    return meaning === undefined ? [] : [[name, meaning]];
  });
  return meanings.length === 0 ? null : { meanings: Object.fromEntries(meanings), written: {} };
}

/** Returns the texts of a list, which may also be one text with commas. */
function textsOf(value: unknown): string[] {
  const all: readonly unknown[] =
    typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return all.flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? [one.trim()] : []));
}
