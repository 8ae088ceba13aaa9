/** Replacement without the protection: the gates' files are never read. */
export function lookAtGates(): unknown {
  return {};
}
