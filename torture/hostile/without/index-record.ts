import { basename } from 'node:path';

/** Replacement without the protection: every index counts as the one that ralph left. */
export const claimIndex = () => ({ kind: 'hash', sha256: '' });
export const noteIndex = (): void => undefined;
export const hashOfIndex = (): string => '';
export const stampOfIndex = (index: string): string => basename(index);
