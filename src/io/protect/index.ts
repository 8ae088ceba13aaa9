export { finishProtection, type LeftProtection } from './finish-protection.ts';
export { openProtection } from './open-protection.ts';
