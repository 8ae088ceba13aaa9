export const restoreAfter = async (
  _context: unknown,
  protection: { restore(): Promise<readonly object[]> },
  culprit: string,
): Promise<readonly object[]> => (culprit === 'agent' ? protection.restore() : []);
export const factsOfRestored = () => ({ tampering: [], restored: [] });
