export { readAnswer } from './answer.ts';
export { roleSigns } from './shadows/index.ts';
export type { RoleLook } from './shadows/look.ts';
export { type SystemLook, systemSigns } from './system-shadows.ts';
