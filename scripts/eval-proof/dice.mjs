import { createHash } from 'node:crypto';

/** A whole number that follows from a text alone, evenly spread. */
export function diced(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

/** The same list in an order that follows from a text alone. @param nameOf What tells an entry from others. */
export function shuffled(list, text, nameOf) {
  const order = (one) => diced(`${text} ${nameOf(one)}`);
  return list.toSorted((one, other) => order(one) - order(other));
}
