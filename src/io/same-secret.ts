import { timingSafeEqual } from 'node:crypto';

/** Whether a given secret is the right one, in a time that depends on their lengths alone. */
export function isSameSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given, 'utf8'), Buffer.from(secret, 'utf8')];
  return one.length === other.length && timingSafeEqual(one, other);
}
