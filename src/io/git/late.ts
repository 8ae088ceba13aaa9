import type { Porcelain } from './porcelain.ts';

/** Opens the repository around a folder; loaded late, as commands that only read need none of it. @see openGit */
export async function openGit(place: { readonly root: string }) {
  return (await import('./open-git.ts')).openGit(place);
}

/** Questions about the repository around an existing folder; loaded late like `openGit`. @see openPorcelain */
export async function openPorcelain(folder: string): Promise<Porcelain> {
  return (await import('./porcelain.ts')).openPorcelain(folder);
}
