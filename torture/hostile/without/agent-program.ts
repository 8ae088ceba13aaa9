export const agentProgram = (name: string): string => name;
