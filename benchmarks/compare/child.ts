import { stdin } from 'node:process';
import { clients, type ClientName } from './clients.js';

/** What the parent asks of this process. */
export interface Task {
  readonly client: ClientName;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly workflow: object;
}

/** One line that this process prints. */
export type Said =
  | { readonly what: 'ready' }
  | { readonly what: 'preview'; readonly type: string }
  | { readonly what: 'resolved' | 'rejected'; readonly value: string };

const say = (said: Said): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

// One client, one job, in a process of its own: what a client does to its process is seen from outside.
let asked = '';
for await (const piece of stdin.setEncoding('utf8')) asked += piece as string;
const { client, baseUrl, apiKey, workflow } = JSON.parse(asked) as Task;
const runner = await clients[client]({
  baseUrl,
  apiKey,
  previewed: (type) => say({ what: 'preview', type }),
});
say({ what: 'ready' });
try {
  say({ what: 'resolved', value: JSON.stringify((await runner.run(workflow)) ?? null) });
} catch (error) {
  say({ what: 'rejected', value: error instanceof Error ? error.message : JSON.stringify(error) });
}
