import { nameOf } from '../paths.ts';

const PACKAGES =
  /^(?:node_modules|bower_components|\.?venv|env|virtualenv|__pypackages__|vendor|\.yarn|\.pnp\..*|\.bundle|\.gradle|\.m2|.*\.egg-info|deps|Pods|\.dart_tool|\.tox|\.nox|\.cargo)$/;
/** How the place is set up, and cargo's folder, which holds what it fetched beside what it built. */
const SET_UP = /^(?:target|\.env.*)$/;

/** Whether a package manager writes what an ignored file or folder of this path holds. */
export function holdsPackages(path: string): boolean {
  return PACKAGES.test(nameOf(path));
}

/** Whether an ignored file or folder is there for what is tracked, and not made of it. */
export function isInstalled(path: string): boolean {
  return holdsPackages(path) || SET_UP.test(nameOf(path));
}
