// Replacement without the protection: a journal that was cut off isn't noticed.
export function reachesEnd(): boolean {
  return true;
}
