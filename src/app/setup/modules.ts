import type { Config } from '../../domain/config.ts';
import type { Clock } from '../../domain/ports.ts';
import { type ModuleHost, type Modules, openModuleHost, readModules } from '../../io/modules/index.ts';
import type { Failure } from '../result.ts';
import type { PlannedBox } from './box.ts';
import { isModule } from './own-rules.ts';

type Named = Pick<Config, 'interventions' | 'review'>;

export function modulesNamed({ interventions, review }: Named): string[] {
  const rules = review.rules.custom_rules_path;
  const named = [...Object.values(interventions.handlers), interventions.strategy.module];
  return [...named, ...(isModule(rules) ? [rules] : [])].filter((path) => path !== '');
}

/** Reads your modules with everything that they import. Never throws. */
export function modulesOf({ root, config }: { readonly root: string; readonly config: Named }): Modules {
  return readModules(modulesNamed(config), root);
}

type Site = {
  readonly root: string;
  readonly stateHome: string;
  readonly clock: Clock;
  readonly box: () => PlannedBox | Failure;
};

/** Returns a host that runs modules. It starts no process before the first request. */
export function moduleHostOf(site: Site, modules: Modules): ModuleHost {
  const { root, stateHome, clock } = site;
  const box = () => {
    const planned = site.box();
    if (!planned.ok) throw new Error(planned.message);
    return planned.box;
  };
  return openModuleHost({ modules, box, root, stateHome, clock, env: process.env });
}
