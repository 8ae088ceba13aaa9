export { gateSpecs } from './gate-specs.ts';
export { configJsonSchema } from './json-schema.ts';
export type { ConfigText, LoadedConfig } from './load-config.ts';
export { loadConfig } from './load-config.ts';
export { modeSettings } from './mode-settings.ts';
export { ralphGoldReport } from './ralph-gold-report.ts';
