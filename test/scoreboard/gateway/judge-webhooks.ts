import type { PlayedWebhooks } from './play-webhooks.js';
import { Webhook } from 'standardwebhooks';

/** What is wrong with the messages that a target got, by rules of the judge's own; the package of Standard Webhooks verifies them. */
export const judgeWebhooks = ({ secret, arrived, expected, followed }: PlayedWebhooks): readonly string[] => {
  const problems: string[] = followed === 0 ? [] : [`${followed} redirects were followed`];
  const receiver = new Webhook(secret);
  const bodies = new Map<string, string>();
  /** The kinds of the messages of each job, in the order in which they were accepted for the first time. */
  const accepted = new Map<string, string[]>();
  const acceptedIds = new Set<string>();
  for (const { id, timestamp, signature, body, isAccepted } of arrived) {
    try {
      receiver.verify(body, {
        ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      });
    } catch (error) {
      problems.push(`${id} does not verify: ${String(error)}`);
    }
    if ((bodies.get(id) ?? body) !== body) problems.push(`${id} has two contents`);
    bodies.set(id, body);
    if (!isAccepted || acceptedIds.has(id)) continue;
    acceptedIds.add(id);
    const { type, data } = JSON.parse(body) as {
      readonly type: string;
      readonly data: { readonly job: string };
    };
    accepted.set(data.job, [...(accepted.get(data.job) ?? []), type]);
  }
  for (const [job, kinds] of expected) {
    const own = accepted.get(job) ?? [];
    if (own.join() !== kinds.join())
      problems.push(`of ${job} arrived ${own.join()} in place of ${kinds.join()}`);
  }
  for (const job of accepted.keys())
    if (!expected.has(job)) problems.push(`a job that nobody submitted: ${job}`);
  if (new Set(bodies.values()).size !== bodies.size) problems.push('two ids have one content');
  return problems;
};
