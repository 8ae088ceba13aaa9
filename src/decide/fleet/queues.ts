/** What a worker has to have for the jobs of a queue. */
type Asked = { readonly agent: string; readonly labels: readonly string[] };

/** The queue of jobs for one agent, which is one account, and one set of labels. */
export function queueName({ agent, labels }: Asked): string {
  return [agent, ...new Set(labels.toSorted())].map(encodeURIComponent).join(' ');
}

/** What the name of a queue says. */
export function askedBy(name: string): Asked {
  const [agent = '', ...labels] = name.split(' ').map(decodeURIComponent);
  return { agent, labels };
}

/** Whether a worker with these agents and labels may take jobs of a queue. */
export function servesQueue(
  name: string,
  has: { readonly agents: readonly string[]; readonly labels: readonly string[] },
): boolean {
  const { agent, labels } = askedBy(name);
  return has.agents.includes(agent) && labels.every((label) => has.labels.includes(label));
}
