import { AGENT_SETTINGS } from 'ralph-agents/known';
import { isAtOrBelow, isBelow } from 'ralph-kit/paths';
import type { ReviewPlace } from '../forms/place.ts';

export const LOOP_FOLDER = '.ralph';
/** Agents also read settings folders in subfolders. */
export const AGENT_FOLDERS = AGENT_SETTINGS.folders.filter((name) => !name.includes('/'));
const PAIRS = AGENT_SETTINGS.folders.filter((name) => name.includes('/'));
const IN_HOME = [...AGENT_FOLDERS, ...AGENT_SETTINGS.home];

/**
 * Returns whether a path belongs to settings of ralph or of an agent; with `deletes`, also whether it contains them. Compares in lower
 * case, as `.Claude` is the same folder on some systems, and up to a NUL, which ends a path.
 */
export function isProtected(named: string, place: ReviewPlace, deletes: boolean): boolean {
  const path = named.replace(/\0.*$/s, '').toLowerCase();
  const holds = (folder: string) =>
    isAtOrBelow(path, folder.toLowerCase()) || (deletes && isBelow(folder.toLowerCase(), path));
  const root = place.root.toLowerCase();
  const isInside = isAtOrBelow(path, root);
  // The agent's copy of the work tree lies in ralph's folder, and the agent may write there.
  const isCopy = place.protectedFolders.some((folder) => isBelow(root, folder.toLowerCase()));
  if (!(isInside && isCopy) && place.protectedFolders.some(holds)) return true;
  if (isInside) return isProtectedInside(path.slice(root === '/' ? 1 : root.length + 1));
  const { home } = place;
  return home !== null && IN_HOME.some((name) => isAtOrBelow(path, `${home.toLowerCase()}/${name}`));
}

export function namesSettings(shown: string): boolean {
  const parts = shown.toLowerCase().split('/');
  return parts.includes(LOOP_FOLDER) || hasAgentFolder(parts);
}

function isProtectedInside(path: string): boolean {
  const parts = path.split('/');
  return parts[0] === LOOP_FOLDER || AGENT_SETTINGS.files.includes(path) || hasAgentFolder(parts);
}

function hasAgentFolder(parts: readonly string[]): boolean {
  return parts.some(
    (part, index) => AGENT_FOLDERS.includes(part) || PAIRS.includes(`${part}/${parts[index + 1] ?? ''}`),
  );
}
