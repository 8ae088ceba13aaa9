import { openSync } from 'node:fs';

export function openLog(path: string): number {
  return openSync(path, 'a+', 0o600);
}
