export { finishProtection } from './finish-protection.ts';
export { openProtection } from './open-protection.ts';
