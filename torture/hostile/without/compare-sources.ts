/** Replacement without the protection: changes of the files that gates run aren't noticed. */
export function gateChanges(_looks: readonly unknown[], _reference: unknown): never[] {
  return [];
}

export function nextSources(_previous: unknown, _specs: unknown, now: unknown, _accepted: boolean): unknown {
  return now;
}
