/** The gates are looked at by nobody. */
export function lookAtGates(): unknown {
  return {};
}
