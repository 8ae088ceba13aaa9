export { openProtection } from './open-protection.ts';
