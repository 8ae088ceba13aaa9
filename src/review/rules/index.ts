import type { Rule } from '../rule.ts';
import { deletionOutside } from './deletion-outside.ts';
import { interactiveShell } from './interactive-shell.ts';
import { protectedWrite } from './protected-write.ts';
import { restricted } from './restricted.ts';
import { unknownTarget } from './unknown-target.ts';
import { unparsed } from './unparsed.ts';

/** All rules. Of two equally strict ones about one effect, the first speaks to the agent. */
export const RULES: readonly Rule[] = [
  deletionOutside,
  protectedWrite,
  unknownTarget,
  interactiveShell,
  unparsed,
  restricted,
];
