import { isObject } from '../is-object.ts';

/** The scripts of a package.json or composer.json by name; none where the text isn't one. */
export function packageScripts(manifest: string): ReadonlyMap<string, string> {
  try {
    return scriptsOf(JSON.parse(manifest.replace(/^\uFEFF/, '')));
  } catch {
    return new Map();
  }
}

/** The scripts of a manifest that was read; the steps of a list (composer) as one line. */
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
