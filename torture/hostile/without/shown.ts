/** What is shown is said. */
export function announcesExample(): boolean {
  return false;
}

export function isQuotation(): boolean {
  return false;
}
