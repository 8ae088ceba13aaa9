import { type Key, macOf } from '../../../store/index.ts';

/** The part of an approval that its authentication code (MAC) covers. */
export type Acceptance = { readonly sha256: string; readonly at: string; readonly items: readonly string[] };

export function isOwnAcceptance(key: Key, entry: Acceptance & { readonly mac: string }): boolean {
  return acceptanceMac(key, entry) === entry.mac;
}

export function acceptanceMac(key: Key, { sha256, at, items }: Acceptance): string {
  return macOf(key, 'trust ', JSON.stringify([sha256, at, items]));
}
