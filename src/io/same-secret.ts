import { timingSafeEqual } from 'node:crypto';

/**
 * Returns whether a given secret is the right one. The time depends on the lengths alone, so it doesn't reveal how much
 * was right.
 */
export function isSameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given, 'utf8'), Buffer.from(secret, 'utf8')];
  return one.length === other.length && timingSafeEqual(one, other);
}
