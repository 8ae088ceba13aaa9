/** Replacement without the protection: a task is known by its id alone, whatever its title is. */
export function isDoneHere(_task: unknown, known: { readonly doneBy: unknown } | undefined): boolean {
  return known !== undefined && known.doneBy !== null;
}
