/** Flags of each diff: no program of a setting is started, whatever the user's settings show otherwise. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=none',
  '--submodule=short',
];
