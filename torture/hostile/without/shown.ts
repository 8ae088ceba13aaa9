/** Replacement without the protection: every shown status block counts as said, examples too. */
export function announcesExample(): boolean {
  return false;
}

export function isQuotation(): boolean {
  return false;
}
