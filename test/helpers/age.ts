import { setTimeout as delay } from 'node:timers/promises';

/** Lets a work tree grow older than the index that is made of it, or does not. */
export type Age = () => Promise<void>;

export const AT_ONCE: Age = async () => undefined;

/** Git tells times apart by the second, and the index gets the second in which the reading began. */
export const TWO_SECONDS: Age = () => delay(2050);
