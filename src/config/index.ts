export { isNewName } from './check-shape.ts';
export { gateSpecs } from './gate-specs.ts';
export { configJsonSchema } from './json-schema.ts';
export type { ConfigText, LoadedConfig } from './load-config.ts';
export { loadConfig, loadTranslate, modeSettings } from './load-config.ts';
export { parseToml } from './parse-toml.ts';
