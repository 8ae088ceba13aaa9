import { mkdirSync } from 'node:fs';

export function proveFolder(folder: string, mode?: number): void {
  if (mode !== undefined) mkdirSync(folder, { recursive: true, mode });
}

export function makeProvenFolder(_top: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}
