import { mkdirSync } from 'node:fs';

export function inProvenFolder<T>(folder: string, work: (place: string) => T, mode?: number): T {
  if (mode !== undefined) mkdirSync(folder, { recursive: true, mode });
  return work(folder);
}

export function makeProvenFolder(_top: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
