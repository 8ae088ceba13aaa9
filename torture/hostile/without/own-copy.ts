/** What is started is what runs. */
export const ownCopy = async (): Promise<null> => null;
