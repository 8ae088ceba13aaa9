// Replacement without the protection: every line of the journal counts as written by ralph.
export function isOwnLine(): boolean {
  return true;
}
