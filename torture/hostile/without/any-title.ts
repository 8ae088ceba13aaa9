/** A task is known by its id alone. */
export function isDoneHere(_task: unknown, known: { readonly doneBy: unknown } | undefined): boolean {
  return known !== undefined && known.doneBy !== null;
}
