import { afterAll } from 'vitest';
import { systemClock } from '../../src/io/clock.ts';
import { type ModuleHost, openModuleHost, readModules } from '../../src/io/modules/index.ts';
import type { HostOptions } from '../../src/io/modules/open-host.ts';
import { temporaryFolder } from './repository.ts';

const opened: ModuleHost[] = [];
afterAll(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

/** Returns the host that runs these modules of a folder; without a box, unless one is given. */
export function hostOf(
  root: string,
  names: readonly string[],
  given: Partial<Omit<HostOptions, 'modules' | 'root'>> = {},
): ModuleHost {
  const host = openModuleHost({
    ...{ modules: readModules(names, root), root, stateHome: temporaryFolder(), box: () => null },
    ...{ clock: systemClock(), env: process.env, ...given },
  });
  opened.push(host);
  return host;
}
