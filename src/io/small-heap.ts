import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap of a process that lives for hours and mostly waits near what it needs. V8 by itself doubles the room
 * for new objects with every few collections until it holds 32 MiB, and lets garbage grow to four times the live heap.
 *
 * At the start of Node these flags are given as `--max-semi-space-size=1 --optimize-for-size`; V8 reads the growth
 * factor and the second flag anew at each collection, so that they also count when they come later.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--optimize-for-size');
}
