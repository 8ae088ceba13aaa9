import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryOwner } from '../files/atomic-file.ts';
import { lstatOrNull } from '../files/plain-file.ts';
import { processState } from '../lock/process-identity.ts';

/** Folders of `.ralph` in which only ralph writes. */
const OWN_FOLDERS = ['interventions', 'journal', 'gates', 'incidents', 'recoveries', 'whitelists'] as const;
/** The user's files in `.ralph`; an agent may not change them or make them. */
const CONFIG_FILES = ['ralph.toml', 'FEEDBACK.md', '.gitignore'] as const;
/** Bytes up to which another file of the user in `.ralph` comes back when it was deleted. */
const OTHER_LIMIT = 1024 * 1024;

/** Ralph's own folders that exist, with how they are: a folder, or something else in its place. */
export function ownFolders(dir: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const name of OWN_FOLDERS) {
    const stat = lstatOrNull(join(dir, name));
    if (stat !== null) found.set(name, stat.isDirectory());
  }
  return found;
}

/** Everything in ralph's own folders but the views; temporary files of processes that are alive are left out. */
export function ownPaths(dir: string, views: ReadonlySet<string>): string[] {
  return OWN_FOLDERS.flatMap((folder) => {
    if (!lstatOrNull(join(dir, folder))?.isDirectory()) return [];
    return walk(dir, folder).filter((path) => !views.has(path));
  }).sort();
}

/** What an agent may neither change nor make: configuration and prompts. */
export function configPaths(dir: string): string[] {
  const prompts = readdirSync(dir).filter((name) => /^PROMPT_.*\.md$/.test(name));
  return [...new Set([...CONFIG_FILES, ...prompts])];
}

/** Other files of the user: an agent may write them (AGENTS.md), not take them away. */
export function otherPaths(dir: string, known: ReadonlySet<string>): string[] {
  return readdirSync(dir).filter((name) => {
    if (known.has(name) || /^\.|\.lock$|^journal\.jsonl|\.(?:edited|damaged|found)-/.test(name)) return false;
    const stat = lstatOrNull(join(dir, name));
    return stat?.isFile() === true && stat.size <= OTHER_LIMIT;
  });
}

function walk(dir: string, folder: string): string[] {
  return readdirSync(join(dir, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    const owner = temporaryOwner(entry.name);
    if (owner !== null && processState(owner).kind === 'alive') return [];
    return entry.isDirectory() ? walk(dir, path) : [path];
  });
}
