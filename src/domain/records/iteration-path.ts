import type { SupportRole } from '../workflow/roles.ts';

/** Folder of an iteration, relative to `.ralph`. */
export function iterationPath({
  run,
  iteration,
}: {
  readonly run: string;
  readonly iteration: number;
}): string {
  return `runs/${run}/iterations/${String(iteration).padStart(4, '0')}`;
}

/** First part of the names of a held-out gate's logs, in the folder of its iteration. */
export function heldOutLog(gate: string): string {
  return `held-out-${encodeURIComponent(gate)}`;
}

/** Name of the folder of an agent in a role beside the maker, below `roles/` of its iteration. */
export function roleFolder({
  number,
  role,
}: {
  readonly number: number;
  readonly role: SupportRole;
}): string {
  return `${String(number).padStart(2, '0')}-${role}`;
}

/** Its prompts, relative to the iteration's folder: what it was asked, and what it was asked again. */
export function rolePromptPaths(folder: string): readonly [string, string] {
  return [`roles/${folder}/prompt.md`, `roles/${folder}/repair/prompt.md`];
}
