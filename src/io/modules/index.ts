export { type ModuleHost, openModuleHost } from './open-host.ts';
export { type Modules, readModules } from './read-modules.ts';
