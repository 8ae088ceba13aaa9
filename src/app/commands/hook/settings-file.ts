import { lstatSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STOP_HOOK_AGENTS, type StopHook } from 'ralph-agents';
import { replaceFile } from 'ralph-kit/files/atomic-file';
import { lstatOrNull, readJson, readPlainFile } from 'ralph-kit/files/plain-file';
import { sha256 } from 'ralph-kit/files/sha256';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { type Failure, failure } from '../../result.ts';

/** @param why A sentence without its full stop (`stopHookOf`). */
export function noSuchHook(why: string): Failure {
  return failure(`${why}. Programs that can have it: ${STOP_HOOK_AGENTS.join(', ')}.`, 'ralph hook list');
}

type Read =
  | { readonly ok: true; readonly text: string | null /** Hook is present. */; readonly isInstalled: boolean }
  | Failure;

/** Reads a settings file; `null`: there is none. Files that ralph would not write are refused by name. */
export function readSettings(root: string, { file, isInstalled }: StopHook): Read {
  const refused = (why: string) =>
    failure(`${file}: ${why}. Nothing was written.`, `Make ${file} a file of its own.`);
  const parts = file.split('/');
  for (const [at] of parts.entries()) {
    const part = parts.slice(0, at + 1).join('/');
    if (lstatOrNull(join(root, part))?.isSymbolicLink() === true)
      return refused(`${part} is a link, and ralph writes through none`);
  }
  const found = tryOr(null, () => readPlainFile(join(root, file)));
  if (found === null) return refused("it can't be read");
  if (found.kind === 'absent') return { ok: true, text: null, isInstalled: false };
  if (found.kind !== 'file') return refused(found.kind === 'link' ? 'it is a link' : `it is ${found.what}`);
  const text = found.bytes.toString('utf8');
  if (!Buffer.from(text).equals(found.bytes)) return refused("it isn't UTF-8");
  try {
    return { ok: true, text, isInstalled: isInstalled(text) };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

/** The file's content before the hook was installed. It is restored if nothing else has changed since. */
const Installed = z.object({
  file: z.string(),
  before: z.nullable(z.string()),
  /** SHA-256 of the content with the hook. */
  after: z.string(),
  /** Folders that were created for the file, the outermost first. */
  made: z.array(z.string()),
});
type Installed = z.infer<typeof Installed>;

/** Returns the settings as before the hook was installed; the current text if anything else has changed since. */
export function settingsBeforeInstall({ hooks }: Place, agent: string, text: string | null): string | null {
  const record = readJson(recordOf(hooks, agent), Installed);
  return record !== null && text !== null && record.after === sha256(text) ? record.before : text;
}

/** Writes the settings and records the earlier content. @throws The Node error */
export function writeSettings(
  { root, hooks }: Place,
  agent: string,
  { file, before, after }: { readonly file: string; readonly before: string | null; readonly after: string },
): void {
  const earlier = readJson(recordOf(hooks, agent), Installed);
  // A second installation keeps the record of the content before the first.
  const isKnown = earlier !== null && before !== null && earlier.after === sha256(before);
  const made = missingFolders(root, file);
  const record: Installed = isKnown
    ? { ...earlier, after: sha256(after) }
    : { file, before, after: sha256(after), made };
  replaceFile(recordOf(hooks, agent), `${JSON.stringify(record)}\n`, { mode: 0o600, folderMode: 0o700 });
  const mode = lstatSync(join(root, file), { throwIfNoEntry: false })?.mode;
  replaceFile(join(root, file), after, {
    ...(mode === undefined ? {} : { mode: mode & 0o7777 }),
    folderMode: 0o777,
  });
}

/** Writes settings without the hook: the earlier content, if nothing else changed. @throws The Node error */
export function clearSettings(
  { root, hooks }: Place,
  agent: string,
  { file, remove }: StopHook,
  text: string,
): string | null {
  const record = readJson(recordOf(hooks, agent), Installed);
  const before = settingsBeforeInstall({ root, hooks }, agent, text);
  const rest = before === text ? remove(text) || null : before;
  const path = join(root, file);
  if (rest === null) {
    rmSync(path);
    for (const folder of (record?.made ?? []).toReversed())
      tryOr(undefined, () => rmdirSync(join(root, folder)));
  } else replaceFile(path, rest, { mode: lstatSync(path).mode & 0o7777 });
  rmSync(recordOf(hooks, agent), { force: true });
  return rest;
}

export type Place = { readonly root: string; readonly hooks: string };

function recordOf(hooks: string, agent: string): string {
  return join(hooks, `installed-${agent}.json`);
}

function missingFolders(root: string, file: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(file); at !== '.' && lstatOrNull(join(root, at)) === null; at = dirname(at))
    folders.unshift(at);
  return folders;
}
