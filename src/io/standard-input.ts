import { readFileSync } from 'node:fs';

/** All of the standard input as text, to its end. */
export function standardInput(): string {
  return readFileSync(0, 'utf8');
}
