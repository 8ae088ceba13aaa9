export { ACP_PROGRAMS } from './acp/programs.ts';
export { type AgentSettings, adapterFor, customAdapter } from './adapter-for.ts';
export { UnreadableSettings } from './hooks/hook-settings.ts';
export { pluginHook } from './hooks/plugin-hook.ts';
export { INTERACTIVE_AGENTS, interactiveHook } from './interactive.ts';
export { notesRead } from './notes.ts';
export { openOutOfBand, outOfBandEvents } from './out-of-band.ts';
export { hiddenSettings, hiddenText, writableLine } from './own-settings.ts';
export { ADAPTERS, formatOf, parseText } from './registry.ts';
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
export {
  STOP_HOOK_AGENTS,
  type StopAnswer,
  type StopHook,
  type StopMessage,
  stopHookOf,
} from './stop-hooks.ts';
