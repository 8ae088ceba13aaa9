/**
 * Replacement without the protection: diffs are made with the user's settings and programs, as `git diff` shows them.
 */
export const PLAIN_DIFF = ['--ext-diff', '--textconv', '--ignore-submodules=none', '--submodule=short'];
