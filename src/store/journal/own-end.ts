import { type Key, macOf } from '../home/key.ts';
import type { ChainEnd } from './reaches-end.ts';

/** Whether ralph wrote this end of the journal. */
export function isOwnEnd(key: Key, place: string, end: ChainEnd, own: string): boolean {
  return macOfEnd(key, place, end) === own;
}

export function macOfEnd(key: Key, place: string, { seq, mac }: ChainEnd): string {
  return macOf(key, 'end of ', `${place} ${seq} ${mac}`);
}
