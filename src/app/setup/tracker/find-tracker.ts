import { isUtf8 } from 'node:buffer';
import { existsSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { Config } from '../../../domain/config.ts';
import type { State } from '../../../domain/records/state.ts';
import { sha256 } from '../../../io/ids.ts';
import { lstatOrNull, readFileBytes, whyUnreadable } from '../../../io/store/index.ts';
import { shellQuote } from '../../../lib/shell-quote.ts';
import { firstFew } from '../../../lib/text.ts';
import {
  type FileKind,
  parseTracker,
  type TrackerReader,
  trackerCandidates,
  trackerReader,
} from '../../../tasks/index.ts';
import { fixedPath } from './fixed-path.ts';

export type FoundTracker =
  | {
      readonly ok: true;
      readonly path: string;
      /** The path on screen: relative to the repository where it lies inside. */
      readonly name: string;
      readonly text: string;
      readonly sha256: string;
      /** Reads the form of this file. */
      readonly reader: TrackerReader;
    }
  | { readonly ok: false; readonly message: string; readonly next?: string };

export type FileSettings = Config['tracker'] & { readonly kind: FileKind };

/**
 * The one file that can be the tracker; before the first run the first candidate of this kind that holds tasks, else the
 * first that exists.
 */
export async function findTracker(root: string, config: FileSettings, state: State): Promise<FoundTracker> {
  const { kind } = config;
  const fixed = fixedPath(config, state.tracker);
  if (fixed !== null) {
    const path = resolve(root, fixed);
    if (isFile(path)) return readTracker(root, path, kind);
    return { ok: false, message: config.path === '' ? goneMessage(fixed) : configuredMessage(fixed) };
  }
  const names = trackerCandidates(kind);
  const paths = names.map((name) => resolve(root, name)).filter((path) => lstatOrNull(path) !== null);
  let first: FoundTracker | null = null;
  for (const path of paths) {
    const found = await readTracker(root, path, kind);
    // A damaged file is reported, and never passed over for another one.
    if (!found.ok || paths.length === 1 || holdsTasks(found, state) !== false) return found;
    first ??= found;
  }
  if (first !== null) return first;
  return {
    ok: false,
    message: `there is no task list yet (looked for ${firstFew(names, 5)}); [tracker] path names another one`,
    next: 'ralph init',
  };
}

/** Names of the files other than this one that hold tasks and lie where a task list is looked for. */
export async function otherTrackers(
  root: string,
  { kind }: FileSettings,
  own: string,
  state: State,
): Promise<string[]> {
  const names: string[] = [];
  for (const name of trackerCandidates(kind)) {
    const path = resolve(root, name);
    if (path === own || !isFile(path)) continue;
    const found = await readTracker(root, path, kind);
    if (found.ok && holdsTasks(found, state) === true) names.push(found.name);
  }
  return names;
}

function configuredMessage(path: string): string {
  return `[tracker] path = "${path}" isn't a file: fix the path in ralph.toml, or create the file`;
}

function goneMessage(path: string): string {
  return `${path} has been the task list here since the first run, and isn't a file any more: bring it back (git checkout -- ${shellQuote(path)}), or name another one with [tracker] path in .ralph/ralph.toml`;
}

/** `null` when the file can't be read as a tracker. */
function holdsTasks({ text, name, reader }: FoundTracker & { ok: true }, state: State): boolean | null {
  const parsed = parseTracker(text, name, reader, state.rememberedIds);
  return parsed.ok ? parsed.tasks.length > 0 : null;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

async function readTracker(root: string, path: string, kind: FileKind): Promise<FoundTracker> {
  const inside = relative(root, path);
  const name = inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  let bytes: Buffer;
  try {
    bytes = readFileBytes(path);
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
  const reader = await trackerReader(text, name, kind);
  return { ok: true, path, name, text, sha256: sha256(bytes), reader };
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
