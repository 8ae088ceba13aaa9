/** Diff options that ignore the user's settings and start no programs. */
export const PLAIN_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=none',
  '--submodule=short',
];
