import type { Halt } from '../../domain/ports.ts';

/** The end that a watcher may put to an attempt; the first one counts. */
export function openHalt(): { readonly halted: Promise<Halt>; readonly halt: (halt: Halt) => void } {
  let halt: (halt: Halt) => void = () => undefined;
  const halted = new Promise<Halt>((resolve) => {
    halt = resolve;
  });
  return { halted, halt };
}
