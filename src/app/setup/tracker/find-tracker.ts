import { isUtf8 } from 'node:buffer';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Config } from '../../../domain/config.ts';
import type { State } from '../../../domain/records/state.ts';
import { sha256 } from '../../../io/ids.ts';
import { lstatOrNull, whyUnreadable } from '../../../io/store/index.ts';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { firstFew } from '../../../lib/text.ts';
import { type FileKind, parseTracker, type TrackerReader, trackerReader } from '../../../tasks/index.ts';
import { candidatesIn } from './candidates.ts';
import { fixedPath } from './fixed-path.ts';
import { listAt, listBytes } from './list-text.ts';

export type FoundTracker =
  | {
      readonly ok: true;
      readonly path: string;
      /** The path on screen: relative to the repository where it lies inside. */
      readonly name: string;
      readonly text: string;
      readonly sha256: string;
      /** It holds a file for each task; `text` is all of them. */
      readonly isFolder: boolean;
      /** Reads the form of this file. */
      readonly reader: TrackerReader;
    }
  | { readonly ok: false; readonly message: string; readonly next?: string };

export type FileSettings = Config['tracker'] & { readonly kind: FileKind };

/**
 * The one file that can be the tracker; before the first run the first candidate of this kind that holds tasks, else the
 * first that exists. Of the lists that other tools keep, the first with something to do.
 */
export async function findTracker(root: string, config: FileSettings, state: State): Promise<FoundTracker> {
  const fixed = fixedPath(config, state.tracker);
  if (fixed !== null) {
    const path = resolve(root, fixed);
    if (listAt(path) !== null) return readTracker(root, path, config);
    return { ok: false, message: config.path === '' ? goneMessage(fixed) : configuredMessage(fixed) };
  }
  const { usual, elsewhere } = candidatesIn(root, config.kind);
  const paths = usual.map((name) => resolve(root, name)).filter((path) => lstatOrNull(path) !== null);
  const others = elsewhere.map((name) => resolve(root, name)).filter((path) => listAt(path) !== null);
  let first: FoundTracker | null = null;
  for (const path of paths) {
    const found = await readTracker(root, path, config);
    // A damaged file is reported, and never passed over for another one.
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
    message: `there is no task list yet (looked for ${firstFew(usual, 5)}, and where other tools keep theirs); [tracker] path names another one`,
    next: 'ralph init',
  };
}

/** Names of the lists other than this one that hold tasks and lie where a task list is looked for. */
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
    // Many specs are done: they are no lists to choose from.
    if (found.ok && holdsTasks(found, state, at < usual.length ? 'any' : 'open')) names.push(found.name);
  }
  return names;
}

function configuredMessage(path: string): string {
  return `[tracker] path = "${path}" isn't a file, nor a folder of tasks: fix the path in ralph.toml, or create the file`;
}

function goneMessage(path: string): string {
  return `${path} has been the task list here since the first run, and isn't a file any more: bring it back (git checkout -- ${shellQuote(path)}), or name another one with [tracker] path in .ralph/ralph.toml`;
}

/** What can't be read as a list is taken for one that holds tasks where any count: it is reported. */
function holdsTasks(
  { text, name, reader }: FoundTracker & { ok: true },
  state: State,
  which: 'any' | 'open' = 'any',
): boolean {
  const parsed = parseTracker(text, name, reader, state.rememberedIds);
  if (!parsed.ok) return which === 'any';
  return parsed.tasks.some(({ status }) => which === 'any' || status !== 'done');
}

/** @param given A file, or a folder that is a list or holds one. */
export async function readTracker(
  root: string,
  given: string,
  { kind, label }: Pick<FileSettings, 'kind' | 'label'>,
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
      message: `${name} cannot be read: ${whyUnreadable(error)}. Make it a file that you can read.`,
    };
  }
  // Exact both ways: the byte-order mark stays in the text, and anything else than UTF-8 is refused.
  if (!isUtf8(bytes)) {
    return { ok: false, message: `${name} is not UTF-8 text: save it as UTF-8, then try again` };
  }
  const text = bytes.toString('utf8');
  const reader = await trackerReader(text, name, kind, label);
  return { ok: true, path, name, text, sha256: sha256(bytes), isFolder: list.isFolder, reader };
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
