/** Whatever the gates run now is what they should run. */
export function gateChanges(_looks: readonly unknown[], _reference: unknown): never[] {
  return [];
}

export function nextSources(_previous: unknown, _specs: unknown, now: unknown, _accepted: boolean): unknown {
  return now;
}
