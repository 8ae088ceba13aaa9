export { openHook, pruneHooks } from './open-hook.ts';
export { overlaySettings, SettingsError } from './settings-overlay.ts';
