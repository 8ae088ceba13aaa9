type Asked = { readonly agent: string; readonly labels: readonly string[] };

/** Returns the name of the queue for jobs of one agent, which has one account, and one set of labels. */
export function queueName({ agent, labels }: Asked): string {
  return [agent, ...new Set(labels.toSorted())].map(encodeURIComponent).join(' ');
}

export function askedBy(name: string): Asked {
  const [agent = '', ...labels] = name.split(' ').map(decodeURIComponent);
  return { agent, labels };
}

export function servesQueue(
  name: string,
  has: { readonly agents: readonly string[]; readonly labels: readonly string[] },
): boolean {
  const { agent, labels } = askedBy(name);
  return has.agents.includes(agent) && labels.every((label) => has.labels.includes(label));
}
