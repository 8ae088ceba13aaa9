import type { Halt } from '../../domain/ports.ts';

/** Returns a function that ends the attempt, and a promise of the first reason for it. */
export function openHalt(): { readonly halted: Promise<Halt>; readonly halt: (halt: Halt) => void } {
  let halt: (halt: Halt) => void = () => undefined;
  const halted = new Promise<Halt>((resolve) => {
    halt = resolve;
  });
  return { halted, halt };
}
