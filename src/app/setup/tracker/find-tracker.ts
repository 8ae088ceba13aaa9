import { isUtf8 } from 'node:buffer';
import { isAbsolute, relative, resolve } from 'node:path';
import { DISTINCT_NAMES } from 'ralph-ecosystems';
import { accessCommand } from 'ralph-kit/files/access-command';
import { lstatOrNull, whyUnreadable } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { shellQuote } from 'ralph-kit/shell-quote';
import { firstFew } from 'ralph-kit/text';
import {
  type FileKind,
  parseTracker,
  type ReadSettings,
  type TrackerReader,
  trackerReader,
} from 'ralph-task-lists';
import type { Config } from '../../../domain/config.ts';
import type { State } from '../../../domain/records/state.ts';
import { candidatesIn } from './candidates.ts';
import { fixedPath } from './fixed-path.ts';
import { archivedList, listAt, listBytes, nearbyText } from './list-text.ts';

export type FoundTracker =
  | {
      readonly ok: true;
      readonly path: string;
      /** Path on screen: relative to the repository if the list is in it. */
      readonly name: string;
      readonly text: string;
      readonly sha256: string;
      /** Whether the list is a folder with a file for each task. `text` then has all of them. */
      readonly isFolder: boolean;
      /** Reader for the format of this list. */
      readonly reader: TrackerReader;
      /** Settings for reading another version of the list in the same way. */
      readonly settings: ReadSettings;
    }
  | { readonly ok: false; readonly message: string; readonly next?: string };

export type FileSettings = Config['tracker'] & { readonly kind: FileKind };

/**
 * Returns the task list. Before the first run, it is the first usual path with tasks, otherwise the first that exists;
 * of lists that other tools keep, the first with open tasks. Later it is the fixed path (`fixedPath`).
 */
export async function findTracker(root: string, config: FileSettings, state: State): Promise<FoundTracker> {
  const fixed = fixedPath(config, state.tracker);
  if (fixed !== null) {
    const path = resolve(root, fixed);
    if (listAt(path) !== null) return readTracker(root, path, config);
    return gone(root, config, fixed, state);
  }
  const { usual, elsewhere } = candidatesIn(root, config.kind);
  const paths = usual.map((name) => resolve(root, name)).filter((path) => lstatOrNull(path) !== null);
  const others = elsewhere.map((name) => resolve(root, name)).filter((path) => listAt(path) !== null);
  let first: FoundTracker | null = null;
  for (const path of paths) {
    const found = await readTracker(root, path, config);
    // A damaged file is reported. Another list is never used instead of it.
    if (!found.ok || paths.length + others.length === 1 || holdsTasks(found, state)) return found;
    first ??= found;
  }
  let finished: FoundTracker | null = null;
  for (const path of others) {
    const found = await readTracker(root, path, config);
    if (!found.ok || !holdsTasks(found, state)) continue;
    if (holdsTasks(found, state, 'open')) return found;
    finished ??= found;
  }
  if (finished !== null || first !== null) return finished ?? (first as FoundTracker);
  return {
    ok: false,
    message: `There is no task list yet: looked for ${firstFew(usual, 1)}.`,
    next: 'ralph init',
  };
}

/** Returns names of other lists with tasks, at places where a task list is looked for. */
export async function otherTrackers(
  root: string,
  config: FileSettings,
  own: string,
  state: State,
): Promise<string[]> {
  const { usual, elsewhere } = candidatesIn(root, config.kind);
  const names: string[] = [];
  for (const [at, name] of [...usual, ...elsewhere].entries()) {
    const path = resolve(root, name);
    if (path === own || listAt(path) === null) continue;
    const found = await readTracker(root, path, config);
    // Most specs of other tools are finished, so only those with open tasks are named.
    if (found.ok && holdsTasks(found, state, at < usual.length ? 'any' : 'open')) names.push(found.name);
  }
  return names;
}

/** Returns a failure that says where a missing list went, if its tool archived it, and which lists exist. */
async function gone(
  root: string,
  config: FileSettings,
  fixed: string,
  state: State,
): Promise<FoundTracker & { ok: false }> {
  const archived = archivedList(root, fixed);
  const others = await otherTrackers(root, config, resolve(root, fixed), state);
  const [first] = others;
  const what =
    archived !== null
      ? `${fixed} was archived by its tool: it is in ${archived} now`
      : config.path !== ''
        ? `[tracker] path = "${fixed}" isn't a file, nor a folder of tasks: fix the path in ralph.toml, or create the file`
        : `${fixed} has been the task list here since the first run, and isn't a file any more: bring it back (git checkout -- ${shellQuote(fixed)}), or name another one with [tracker] path in .ralph/ralph.toml`;
  if (first === undefined)
    return {
      ok: false,
      message: archived === null ? what : `${what}. There is no other list: name one with [tracker] path`,
    };
  return {
    ok: false,
    message: `${what}. ${others.length === 1 ? 'The other list here' : 'Other lists here'}: ${firstFew(others, 5)}`,
    next: `ralph init --list ${shellQuote(first)}`,
  };
}

/**
 * Returns whether a list has tasks. If any task counts, a file that can't be read is treated as if it had some, so that
 * it is reported.
 */
function holdsTasks(
  { text, name, reader }: FoundTracker & { ok: true },
  state: State,
  which: 'any' | 'open' = 'any',
): boolean {
  const parsed = parseTracker(text, name, reader, state.rememberedIds);
  if (!parsed.ok) return which === 'any';
  return parsed.tasks.some(({ status }) => which === 'any' || status !== 'done');
}

/**
 * Reads a task list.
 * @param given Path of a file, or of a folder that is a list or contains one.
 */
export async function readTracker(
  root: string,
  given: string,
  { kind, label, states }: Pick<FileSettings, 'kind' | 'label'> & Partial<Pick<FileSettings, 'states'>>,
): Promise<FoundTracker> {
  const list = listAt(given) ?? { path: given, isFolder: false };
  const { path } = list;
  const inside = relative(root, path);
  const name = inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  let bytes: Buffer;
  try {
    bytes = listBytes(list);
  } catch (error) {
    return {
      ok: false,
      message: `${name} cannot be read: ${whyUnreadable(error)}.`,
      next: accessCommand(path, 'read') ?? `Correct it in ${name}.`,
    };
  }
  // Text and bytes must convert both ways without change: the byte-order mark stays, and other encodings than UTF-8 are
  // refused.
  if (!isUtf8(bytes)) {
    return { ok: false, message: `${name} isn't UTF-8 text.`, next: `Save ${name} as UTF-8.` };
  }
  const text = bytes.toString('utf8');
  const settingsAt = (other: string) => nearbyText(list, other);
  const settings: ReadSettings = {
    label,
    settingsAt,
    programs: DISTINCT_NAMES,
    ...(states === undefined ? {} : { states }),
  };
  const reader = await trackerReader(text, name, kind, settings);
  return { ok: true, path, name, text, sha256: sha256(bytes), isFolder: list.isFolder, reader, settings };
}
