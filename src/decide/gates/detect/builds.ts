import type { SeenFiles } from './found.ts';
import { runsScript } from './node.ts';
import { TARGET_FILES, targetsIn } from './targets.ts';

const RECIPES: ReadonlySet<string> = new Set(['package.json', ...TARGET_FILES]);

/** Whether a file of this path, relative to the top, may say how the project is built. */
export function isRecipe(path: string): boolean {
  return RECIPES.has(path);
}

/** The commands that build a project, the likeliest first, by the files that `isRecipe` names. */
export function buildsOf(files: SeenFiles): readonly string[] {
  const made = targetsIn(files).filter(({ recipes }) => recipes.has('build'));
  return [runsScript(files, 'build') ?? [], made.map(({ tool }) => `${tool} build`)].flat();
}
