/** Closes a switch over a union: a missing member doesn't compile, an unexpected one throws. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
