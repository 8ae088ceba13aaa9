import { type Key, macOf } from '../../../io/store/index.ts';

/** What you accepted, as far as it is covered by its code. */
export type Acceptance = { readonly sha256: string; readonly at: string; readonly items: readonly string[] };

/** Whether ralph wrote this entry of `trust.json`. */
export function isOwnAcceptance(key: Key, entry: Acceptance & { readonly mac: string }): boolean {
  return acceptanceMac(key, entry) === entry.mac;
}

export function acceptanceMac(key: Key, { sha256, at, items }: Acceptance): string {
  return macOf(key, 'trust ', JSON.stringify([sha256, at, items]));
}
