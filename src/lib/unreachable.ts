/** Closes a switch over a union: the compiler complains when a member is missing, the program when one slips in. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
