import { isManifest } from 'ralph-ecosystems';
import { pathText } from 'ralph-kit/text';
import { askThere, type GatePlace, LOCK_BYTES, specOf, type Tested } from '../../lab/index.ts';
import { lockCommandFor } from '../../proof/gates/index.ts';

type LockedAnew =
  | { readonly kind: 'made'; readonly tree: string }
  /** `reason` completes the sentence "it can't be made anew: …". */
  | { readonly kind: 'failed'; readonly path: string; readonly reason: string };

/**
 * Lets the package manager write lock files again, based on the versions in the current ones.
 * @param paths At least one path
 */
export async function lockAnew(
  context: GatePlace,
  { tree, base, head, folder }: Tested,
  paths: readonly string[],
): Promise<LockedAnew> {
  const { git, store } = context.ports;
  const texts = await git.texts(tree, (path) => paths.includes(path) || isManifest(path), LOCK_BYTES);
  const textOf = (wanted: string) => texts.find(({ path }) => path === wanted)?.text;
  const failed = (path: string, reason: string) => ({ kind: 'failed' as const, path, reason });
  const copy = await git.cleanCopy({ tree, base, head, keep: [], files: [], outside: false });
  const written = copy.watch(texts.map(({ path }) => path).filter(isManifest));
  try {
    const runs: string[] = [];
    for (const path of paths) {
      const text = textOf(path);
      const run = text === undefined ? null : lockCommandFor(path, text);
      if (run === null) return failed(path, 'no command is known that keeps the versions in it');
      runs.push(run);
      const here = { place: 'clean', commit: base.commit, tree, folder, why: 'lock' } as const;
      const [result] = await askThere(context, [specOf(run)], { ...here, copy: copy.mounted });
      if (result?.outcome.kind === 'passed') continue;
      const missing = result?.outcome.kind === 'tool_missing' ? result.outcome.tool : null;
      const last = result?.outputTail.trim().split('\n').at(-1) ?? '';
      return failed(
        path,
        missing === null ? `"${run}" failed${last === '' ? '' : `: ${last}`}` : `${missing} isn't installed`,
      );
    }
    const [first = ''] = paths;
    // A command that changed a merged manifest would lock something else than was merged.
    const manifest = written().find(({ path, text }) => text !== textOf(path));
    if (manifest !== undefined)
      return failed(first, `"${runs.at(-1)}" changes ${pathText(manifest.path)}, too`);
    const made = await copy.treeWith(paths);
    if (made === null) return failed(first, `"${runs.at(-1)}" removes it`);
    for (const [at, path] of paths.entries())
      store.commit([
        {
          type: 'warned',
          message: `${pathText(path)} was changed on both sides, and is made anew: ${runs[at]}`,
        },
      ]);
    return { kind: 'made', tree: made };
  } finally {
    copy.close();
  }
}
