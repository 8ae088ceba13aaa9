import { isObject } from '../is-object.ts';

/** Returns an empty map for text that isn't such a manifest. */
export function packageScripts(manifest: string): ReadonlyMap<string, string> {
  try {
    return scriptsOf(JSON.parse(manifest.replace(/^\uFEFF/, '')));
  } catch {
    return new Map();
  }
}

/** Returns a manifest's scripts; composer's lists become one line. */
export function scriptsOf(manifest: unknown): ReadonlyMap<string, string> {
  const scripts = isObject(manifest) && isObject(manifest.scripts) ? manifest.scripts : {};
  return new Map(
    Object.entries(scripts).flatMap(([name, script]): [string, string][] => {
      if (typeof script === 'string') return [[name, script]];
      return Array.isArray(script)
        ? [[name, script.filter((step) => typeof step === 'string').join(' && ')]]
        : [];
    }),
  );
}
