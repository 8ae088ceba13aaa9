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

/** The built-in agents to be tested. */
export function agents(): readonly Agent[] {
  return programs().filter(({ isOwn }) => isOwn === undefined);
}

/** The agent with settings by which it gives up a service that does not answer sooner than it would. */
export function hurried(agent: Agent): Agent {
  const { env, files } = agent.hurried ?? {};
  return {
    ...agent,
    env: (place) => ({ ...agent.env(place), ...env?.(place) }),
    files: (place) => ({ ...agent.files(place), ...files?.(place) }),
  };
}

/** Returns the programs that are installed, built-in agents or not. */
export function programs(): readonly Agent[] {
  return inject('installed').flatMap((installed) =>
    PROGRAMS.filter(({ name }) => name === installed.name).map((program) => ({ ...program, installed })),
  );
}
