export { type AgentSettings, adapterFor, customAdapter } from './adapter-for.ts';
export { UnreadableSettings } from './hooks/hook-settings.ts';
export { pluginHook } from './hooks/plugin-hook.ts';
export type { StopAnswer, StopHook, StopMessage } from './hooks/stop-hook.ts';
export { notesRead } from './notes.ts';
export { openOutOfBand, outOfBandEvents } from './out-of-band.ts';
export { hiddenSettings, hiddenText, writableLine } from './own-settings.ts';
export {
  ACP_PROGRAMS,
  ADAPTERS,
  formatOf,
  INTERACTIVE_AGENTS,
  interactiveHook,
  parseText,
  STOP_HOOK_AGENTS,
  stopHookOf,
  usualWindow,
} from './registry.ts';
export {
  addToReport,
  endlessError,
  finishReport,
  hasStatusBlock,
  messageOf,
  startReport,
  usageOfSession,
  usageSoFar,
} from './report.ts';
export { isoTime, withResetTime } from './reset-time.ts';
export { type NamedServers, namedServers } from './servers.ts';
