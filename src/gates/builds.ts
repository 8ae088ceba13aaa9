import { isRecord } from '../lib/is-record.ts';

/** Files at the top that say how the project is built. */
const RECIPES: ReadonlySet<string> = new Set(['package.json', 'Makefile', 'justfile']);

/** Whether a file of this path, relative to the top, may say how the project is built. */
export function isRecipe(path: string): boolean {
  return RECIPES.has(path);
}

/** By the lock file at the top. */
const MANAGERS: readonly (readonly [lock: string, program: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
];

/**
 * The commands that build a project, the likeliest first.
 *
 * @param recipes Texts of files at its top (`isRecipe`).
 * @param hasFile Whether there is a file of this path.
 */
export function buildsOf(
  recipes: readonly { readonly path: string; readonly text: string }[],
  hasFile: (path: string) => boolean,
): readonly string[] {
  const textOf = (path: string) => recipes.find((one) => one.path === path)?.text ?? '';
  const program = MANAGERS.find(([lock]) => hasFile(lock))?.[1] ?? 'npm';
  return [
    ...(hasScript(textOf('package.json'), 'build') ? [`${program} run build`] : []),
    ...(/^build\s*:/m.test(textOf('Makefile')) ? ['make build'] : []),
    ...(/^build\b[^=\n]*:/m.test(textOf('justfile')) ? ['just build'] : []),
  ];
}

function hasScript(manifest: string, name: string): boolean {
  try {
    const read: unknown = JSON.parse(manifest);
    return isRecord(read) && isRecord(read.scripts) && typeof read.scripts[name] === 'string';
  } catch {
    return false;
  }
}
