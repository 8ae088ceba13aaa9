/** Replacement without the protection: an answer for a call's id covers every action under that id. */
export function openReviewedCalls<T>(key: (action: T) => string) {
  const known = new Set<string>();
  return {
    add: (action: T): void => {
      known.add(key(action));
    },
    covers: (action: T): boolean => known.has(key(action)),
  };
}
