import { inject } from 'vitest';
import type { Installed } from './install.ts';
import { PROGRAMS, type Program } from './programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What scripts/test-agents.mjs installed. */
    readonly installed: readonly Installed[];
    /** Folder for recordings; empty: none are made. */
    readonly record: string;
    /** Seeds of the first and the last of the ordinary nights that each agent has. */
    readonly nights: readonly [first: number, last: number];
  }
}

export type Agent = Program & { readonly installed: Installed };

/** The agents to be tested. */
export function agents(): readonly Agent[] {
  return programs().filter(({ overAcpAlone }) => overAcpAlone === undefined);
}

/** With those that are no built-in agents. */
export function programs(): readonly Agent[] {
  return inject('installed').flatMap((installed) =>
    PROGRAMS.filter(({ name }) => name === installed.name).map((program) => ({ ...program, installed })),
  );
}
