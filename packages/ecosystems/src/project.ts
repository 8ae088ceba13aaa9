import type { Found, FoundGate, Project, SeenFiles } from './protocol.ts';
export const NOTHING: Found = { gates: [], notes: [] };

/** Returns the files below a folder, with that folder as root; `''` is the root. */
export function within({ paths, read }: SeenFiles, folder: string): SeenFiles {
  if (folder === '') return { paths, read };
  const inside = [...paths].flatMap((path) =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
  );
  return { paths: new Set(inside), read: (path) => read(`${folder}/${path}`) };
}

export function firstFile(
  { paths, read }: SeenFiles,
  names: readonly string[],
): { readonly path: string; readonly text: string } | null {
  const path = names.find((name) => paths.has(name));
  return path === undefined ? null : { path, text: read(path) ?? '' };
}

/** Returns a project recognised by any of these files, with its usual gates. */
export function byFile(
  names: readonly string[],
  gates: (files: SeenFiles) => FoundGate[],
): Project['detect'] {
  return (files) => (firstFile(files, names) === null ? null : { gates: gates(files), notes: [] });
}

export function testGate(tool: string, run: string): FoundGate {
  return { kind: 'test', name: 'test', run, tool };
}
