import { isObject } from '../is-object.ts';

export type PatchPath = { readonly path: string; readonly change: 'write' | 'delete' };

const HEADER = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/;

/** Lines that may name a file, few of a long patch. */
const NAMING = /^(?:[^\S\r\n]*\*\*\* |--- |\+\+\+ |rename |copy )[^\r\n]*/gm;

/** Returns files written and deleted by an `apply_patch` patch or unified diff. */
function patchPaths(patch: string): readonly PatchPath[] {
  const found: PatchPath[] = [];
  let updated: string | null = null;
  for (const [line] of patch.matchAll(NAMING)) {
    const [, head, name] = HEADER.exec(line.trim()) ?? [];
    if (head !== undefined && name !== undefined) {
      const path = name.trim();
      // A moved file disappears from its old place.
      if (head === 'Move to' && updated !== null) found.push({ path: updated, change: 'delete' });
      found.push({ path, change: head === 'Delete File' ? 'delete' : 'write' });
      updated = head === 'Update File' ? path : null;
      continue;
    }
    const [, sign, diff] =
      /^(---|\+\+\+|rename from|(?:rename|copy) to) (?:[ab]\/)?([^\t\n]+)/.exec(line) ?? [];
    if (sign === undefined || diff === undefined) continue;
    const last = found.at(-1);
    if (sign === 'rename from') found.push({ path: diff, change: 'delete' });
    else if (diff !== '/dev/null') found.push({ path: diff, change: 'write' });
    else if (sign === '+++' && last !== undefined) found.push({ path: last.path, change: 'delete' });
  }
  return found;
}

/** Returns files of a change in codex's form: `{path, kind}`, the kind a word or `{type, move_path}`. */
export function changePaths(changes: unknown): readonly PatchPath[] {
  const entries = Array.isArray(changes)
    ? changes
    : isObject(changes)
      ? Object.entries(changes).map(([path, kind]) => ({ path, kind }))
      : [];
  return entries.flatMap((entry: unknown): PatchPath[] => {
    if (!isObject(entry) || typeof entry.path !== 'string') return [];
    const { kind } = entry;
    const word = isObject(kind) ? kind.type : kind;
    const moved = isObject(kind) && typeof kind.move_path === 'string' ? kind.move_path : null;
    const change = word === 'delete' || moved !== null ? 'delete' : 'write';
    return [
      { path: entry.path, change },
      ...(moved === null ? [] : [{ path: moved, change: 'write' as const }]),
    ];
  });
}

export function patchedPaths(texts: readonly string[]): readonly PatchPath[] {
  return texts.filter((text) => /^\*\*\* |^(?:---|\+\+\+|diff --git) /m.test(text)).flatMap(patchPaths);
}
