export { gateSpecs } from './gate-specs.ts';
export { configJsonSchema } from './json-schema.ts';
export type { ConfigText, LoadedConfig } from './load-config.ts';
export { loadConfig, modeSettings } from './load-config.ts';
export { parseToml } from './parse-toml.ts';
export { isNewName } from './ralph-gold.ts';
