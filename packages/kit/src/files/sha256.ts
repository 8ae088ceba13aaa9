import { createHash } from 'node:crypto';

/** Returns SHA-256 in hex; text is encoded as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
