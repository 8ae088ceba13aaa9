export function nearestTests(
  changed: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  seconds: number,
): { readonly run: string[]; readonly left: string[] };
