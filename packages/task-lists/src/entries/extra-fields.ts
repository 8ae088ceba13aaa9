import { isObject } from 'ralph-kit/is-object';
import type { ReadExtras } from '../task-list.ts';
import { isGivenUp, meaningOf, type Words } from '../words.ts';
import { ALIASES, describedKey, type Field, fieldOf, partsOf } from './read-entry.ts';
import { DONE_FLAGS, readStatus, type TaskEntry } from './status-plan.ts';

const FIELD_OF_KEY: ReadonlyMap<string, Field> = new Map(
  Object.entries(ALIASES).flatMap(([field, keys]) => keys.map((key) => [key, field as Field] as const)),
);
const STATUS_KEYS: ReadonlySet<string> = new Set(['status', 'blocked', ...DONE_FLAGS]);
/** Fields whose text is joined from all of their keys, so no key is lost. */
const JOINED: ReadonlySet<Field> = new Set(['description', 'notes']);

/** Returns whether a value has information: most flags and counts of tools are just false or 0. */
export function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasValue);
  return isObject(value) ? Object.values(value).some(hasValue) : Boolean(value);
}

/**
 * Returns names of keys in entries that no field of a task is read from. Keys of subtasks have the form
 * `subtasks.priority`.
 */
export function extraFields(entries: readonly TaskEntry[], known: Words): ReadExtras {
  const unread = new Map<string, number[]>();
  const words = new Map<number, string>();
  entries.forEach((entry, of) => {
    for (const what of new Set([...extrasOf(entry), ...extrasOfItems(entry, known)]))
      unread.set(what, [...(unread.get(what) ?? []), of]);
    const word = ownWord(entry);
    if (word !== null) words.set(of, word);
  });
  return { unread: [...unread].map(([what, of]) => ({ what, of })), words };
}

function extrasOf(entry: TaskEntry): string[] {
  return Object.keys(entry).filter((key) => {
    const value = entry[key];
    if (STATUS_KEYS.has(key) || key === 'assignee' || !hasValue(value)) return false;
    const field = FIELD_OF_KEY.get(key);
    if (field === undefined) return true;
    return !JOINED.has(field) && JSON.stringify(value) !== JSON.stringify(fieldOf(entry, field));
  });
}

/**
 * Returns what criteria and subtasks have beside their text and status, and whether there are subtasks that aren't
 * criteria.
 */
function extrasOfItems(entry: TaskEntry, known: Words): string[] {
  const isOver = readStatus(entry, known).status === 'done';
  const parts = isOver ? [] : (partsOf(entry, known) ?? []);
  const unused = new Set(parts.flatMap(({ state, at }) => (state === 'open' ? [] : [at])));
  return (['acceptance', 'parts'] as const).flatMap((field) => {
    const value = fieldOf(entry, field);
    const name = ALIASES[field].find((key) => entry[key] === value) ?? field;
    return (Array.isArray(value) ? value : []).flatMap((item: unknown, at) => {
      if (!isObject(item)) return [];
      const text = describedKey(item);
      const isUnused = field === 'parts' && unused.has(at);
      // A criterion is either ticked or not, so these two statuses are kept.
      const isPlain = ['open', 'done'].includes(readStatus(item).status);
      const word = ownWord(item) ?? (isPlain ? null : readStatus(item).status);
      const keys = Object.keys(item).filter(
        (key) =>
          key !== text &&
          !STATUS_KEYS.has(key) &&
          hasValue(item[key]) &&
          item[key] !== item[text ?? ''] &&
          // A number that equals the subtask's position, from 1, says nothing new.
          !(key === 'id' && String(item.id) === String(at + 1)),
      );
      return [
        ...(isUnused ? [`${name} that are done or left alone`] : []),
        ...keys.map(
          (key) => `${name}.${key}${!isUnused && partsInNotes(field, key) ? ' (moved to the notes)' : ''}`,
        ),
        ...(word === null ? [] : [`${name}.status ${word}`]),
      ];
    });
  });
}

function partsInNotes(field: 'acceptance' | 'parts', key: string): boolean {
  const of = FIELD_OF_KEY.get(key);
  return field === 'parts' && of !== undefined && JOINED.has(of);
}

/** Returns a status word that says more than open, in progress, done or blocked; `null`: it doesn't. */
function ownWord(entry: TaskEntry): string | null {
  const { status: word } = entry;
  if (typeof word !== 'string' || word.trim() === '') return null;
  if (isGivenUp(word)) return word;
  const meant = meaningOf(word);
  return meant === null || meant === 'parked' || meant !== readStatus(entry).status ? word : null;
}
