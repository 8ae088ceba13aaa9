export function startedInside(): null {
  return null;
}
