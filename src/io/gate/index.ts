export { openGate, pruneGates } from './open-gate.ts';
export { overlaySettings, SettingsError } from './settings-overlay.ts';
