import { groups } from '../idiom.ts';
import type { Language } from '../protocol.ts';

/** Scenarios are in words; their steps can be in any language. */
export const language: Language = {
  files: {
    data: /\.feature$/,
    tests: /\.feature$/,
  },
  lists: [{ files: /\.feature$/, idioms: groups(/^[ \t]*@(?:[^\n]*[ \t]@)?NAME/) }],
};
