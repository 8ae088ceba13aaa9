import { type Key, macOf } from '../home/key.ts';

/** Whether ralph wrote this line with this key, after the record with the code `before`. */
export function isOwnLine(
  key: Key,
  before: string,
  line: { readonly keyId: string; readonly code: string; readonly body: Uint8Array },
): boolean {
  return line.keyId === key.id && macOf(key, before, line.body) === line.code;
}
