/** As `git diff` shows it to you. */
export const PLAIN_DIFF = ['--ext-diff', '--textconv', '--ignore-submodules=none', '--submodule=short'];
