/** Replacement without the protection: ralph makes no copy of itself, so it runs from files that agents may change. */
export const ownCopy = async (): Promise<null> => null;
