import { createHash } from 'node:crypto';

/** Returns a whole number that depends on a text alone; all numbers are equally likely. */
export function diced(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

/** Returns a list in an order that depends on a text alone. @param nameOf Returns a text that identifies an entry. */
export function shuffled(list, text, nameOf) {
  const order = (one) => diced(`${text} ${nameOf(one)}`);
  return list.toSorted((one, other) => order(one) - order(other));
}
