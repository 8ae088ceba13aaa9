import { objectGit } from '../call/git.ts';
import { type BytePath, bytePath } from '../call/git-path.ts';
import type { WorkTree } from '../call/work-tree.ts';

export type Registered = {
  /** Path of the submodule, relative to the folder of `.gitmodules`. */
  readonly path: BytePath;
  /** Name of the submodule; its git folder is `modules/NAME`. */
  readonly name: string;
  /** Address of the submodule, which may be relative to the outer repository's. */
  readonly url: string;
};

const SUBMODULES = '^submodule\\..*\\.(path|url)$';

/** Parses `.gitmodules`; empty when git can't read it. */
export async function registeredIn(tree: WorkTree, text: string): Promise<Registered[]> {
  if (text.trim() === '') return [];
  const args = ['config', '--file', '-', '-z', '--get-regexp', SUBMODULES];
  const { stdout } = await objectGit(tree, args, { input: text, answers: [1, 3, 128] });
  const known = new Map<string, { path?: string; url?: string }>();
  for (const entry of stdout.toString('utf8').split('\0')) {
    const [key = '', ...lines] = entry.split('\n');
    const name = key.slice('submodule.'.length, key.lastIndexOf('.'));
    const one = known.get(name) ?? {};
    known.set(name, one);
    if (key.endsWith('.path')) one.path = lines.join('\n');
    else if (key.endsWith('.url')) one.url = lines.join('\n');
  }
  return [...known].flatMap(([name, { path = '', url = '' }]) =>
    isPlain(name) && isPlain(path) && url !== '' && !url.startsWith('-')
      ? [{ name, url, path: bytePath(Buffer.from(path)) }]
      : [],
  );
}

/** Git also refuses names and paths that lead elsewhere. */
function isPlain(path: string): boolean {
  return (
    path !== '' && path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()))
  );
}

/** Resolves a submodule's address relative to the outer repository's. @see git-submodule(1), `add` */
export function resolvedUrl(url: string, around: string): string {
  if (!/^\.\.?\//.test(url)) return url;
  let base = around.replace(/\/+$/, '');
  let rest = url;
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) base = base.replace(/[/:][^/:]*$/, '');
    rest = rest.replace(/^\.\.?\//, '');
  }
  return `${base}/${rest}`;
}
