import type { SupportRole } from '../workflow/roles.ts';

/** Returns the folder of an iteration, relative to `.ralph`. */
export function iterationPath({
  run,
  iteration,
}: {
  readonly run: string;
  readonly iteration: number;
}): string {
  return `runs/${run}/iterations/${String(iteration).padStart(4, '0')}`;
}

/** Returns the beginning of the names of a held-out gate's log files, in the iteration's folder. */
export function heldOutLog(gate: string): string {
  return `held-out-${encodeURIComponent(gate)}`;
}

/** Returns the name of the folder of an agent beside the maker, below `roles/` in the iteration's folder. */
export function roleFolder({
  number,
  role,
}: {
  readonly number: number;
  readonly role: SupportRole;
}): string {
  return `${String(number).padStart(2, '0')}-${role}`;
}

/**
 * Returns the paths of a role's first prompt and of the prompt that asks for a valid answer, relative to the
 * iteration's folder.
 */
export function rolePromptPaths(folder: string): readonly [string, string] {
  return [`roles/${folder}/prompt.md`, `roles/${folder}/repair/prompt.md`];
}
