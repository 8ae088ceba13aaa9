import type { Config } from '../../domain/config.ts';
import { type ModuleHost, type Modules, openModuleHost, readModules } from '../../io/modules/index.ts';
import { isModule } from './own-rules.ts';
import type { Project } from './project.ts';

/** The modules that the configuration names: handlers, a strategy, rules. */
export function modulesNamed({ interventions, review }: Pick<Config, 'interventions' | 'review'>): string[] {
  const rules = review.rules.custom_rules_path;
  const named = [...Object.values(interventions.handlers), interventions.strategy.module];
  return [...named, ...(isModule(rules) ? [rules] : [])].filter((path) => path !== '');
}

/** Reads them with all that they import, as they are now. Never throws. */
export function modulesOf({ root, config }: Pick<Project, 'root' | 'config'>): Modules {
  return readModules(modulesNamed(config), root);
}

/** Where they run. Nothing is started before one is asked. */
export function moduleHostOf(project: Project, modules: Modules): ModuleHost {
  const { root, stateHome, clock } = project;
  const box = () => {
    const planned = project.box();
    if (!planned.ok) throw new Error(planned.message);
    return planned.box;
  };
  return openModuleHost({ modules, box, root, stateHome, clock, env: process.env });
}
