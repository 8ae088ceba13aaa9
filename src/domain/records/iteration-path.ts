import type { Role } from '../workflow/roles.ts';

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

/** Name of the folder of an agent in a role beside the maker, below `roles/` of its iteration. */
export function roleFolder({ number, role }: { readonly number: number; readonly role: Role }): string {
  return `${String(number).padStart(2, '0')}-${role}`;
}
