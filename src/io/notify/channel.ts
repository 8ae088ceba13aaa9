import type { Delivery, Notification } from '../../domain/ports.ts';

/** What became of one try. `again`: another one may get through. */
export type Try =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly again: boolean };

/** A way to notify you. */
export type Channel = {
  readonly name: Delivery['channel'];
  /** Never throws. */
  readonly attempt: (notification: Notification) => Promise<Try>;
};
