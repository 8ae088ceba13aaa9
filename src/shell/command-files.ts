import { placedPath } from '../lib/paths.ts';
import { type Field, fieldText } from './field.ts';
import { type Output, UNKNOWN_OUTPUT } from './output.ts';
import type { Walk } from './walk.ts';

/** What a script has written so far, by absolute path: all texts that a file may hold. A folder's name ends in `/`. */
export type CommandFiles = Map<string, readonly string[]>;

/** Longer texts, in characters, aren't kept. */
const MOST_KEPT = 65_536;

/** Keeps what a command leaves in a file. `adds`: behind what was there. */
export function keepFile(target: Field, text: string, walk: Walk, adds = false): void {
  if (target.kind !== 'exact' || text.length > MOST_KEPT) return;
  const { files } = walk.reading;
  for (const path of pathsOf(target, walk)) {
    const before = files.get(path) ?? [];
    const last = adds ? before.at(-1) : undefined;
    files.set(path, [...before, last === undefined ? text : last + text].slice(-4));
  }
}

/** What a file holds, as far as this script or an earlier action wrote it; none: it isn't known. */
export function textsOf(file: Field, walk: Walk): readonly string[] {
  if (file.kind !== 'exact') return [];
  return pathsOf(file, walk).flatMap((path) => {
    const { files, programs } = walk.reading;
    const own = files.get(path) ?? folderTexts(path, files);
    if (own !== undefined) return own;
    const text = programs.textAt(path);
    return text === null ? [] : [text];
  });
}

function folderTexts(path: string, files: CommandFiles): readonly string[] | undefined {
  for (const [folder, texts] of files) if (folder.endsWith('/') && path.startsWith(folder)) return texts;
  return undefined;
}

/** What `cat FILE…` prints. */
export function filesOutput(names: readonly Field[], walk: Walk): Output {
  const texts = names.map((name) => textsOf(name, walk));
  if (texts.every(([text]) => text !== undefined) && texts.length > 0) {
    return { kind: 'text', text: texts.map((each) => each.join('\n')).join('') };
  }
  return names.some((name) => fieldText(name) === '-') ? UNKNOWN_OUTPUT : { kind: 'files', fields: names };
}

function pathsOf({ head }: Field, { state }: Walk): readonly string[] {
  return state.cwds.flatMap((cwd) => {
    if (cwd === null && !head.startsWith('/')) return [];
    const path = placedPath(head, cwd ?? '/', (same) => same, false);
    return [head.endsWith('/') && path !== '/' ? `${path}/` : path];
  });
}
