export { ACP_PROGRAMS } from './acp/programs.ts';
export { adapterFor, customAdapter, scriptedAdapter } from './adapter-for.ts';
export { asideEvents, troubleEvents } from './asides.ts';
export { UnreadableSettings } from './hooks/hook-settings.ts';
export { INTERACTIVE_AGENTS, interactiveHook } from './interactive.ts';
export { ADAPTERS, formatOf } from './registry.ts';
export {
  addToReport,
  endlessError,
  finishReport,
  messageOf,
  startReport,
  usageOfSession,
  usageSoFar,
} from './report.ts';
export { withResetTime } from './reset-time.ts';
export {
  STOP_HOOK_AGENTS,
  type StopAnswer,
  type StopHook,
  type StopMessage,
  stopHookOf,
} from './stop-hooks.ts';
export { isThrottle } from './throttle.ts';
