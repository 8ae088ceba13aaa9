/** Replacement without the protection: whatever is recorded as the end of the journal counts as written by ralph. */
export function isOwnEnd(): boolean {
  return true;
}

export function macOfEnd(): string {
  return '';
}
