import { readdirSync } from 'node:fs';

/** Names in a folder, in no order; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
