import { stdin } from 'node:process';
import { type PoolClientName, poolClients } from './pool-clients.js';
import { poolJob } from './pool-job.js';

/** What the parent asks of this process. */
export interface PoolTask {
  readonly client: PoolClientName;
  readonly baseUrls: readonly string[];
  /** How many jobs it hands to the pool, all at once. */
  readonly jobs: number;
}

/** One line that this process prints. */
export type PoolSaid =
  { readonly what: 'ready' } | { readonly what: 'completed' | 'failed'; readonly job: number };

const say = (said: PoolSaid): void => void process.stdout.write(`${JSON.stringify(said)}\n`);

let asked = '';
for await (const piece of stdin.setEncoding('utf8')) asked += piece as string;
const { client, baseUrls, jobs } = JSON.parse(asked) as PoolTask;
const run = await poolClients[client](baseUrls);
say({ what: 'ready' });
for (let job = 0; job < jobs; job += 1) {
  run(poolJob(job)).then(
    () => say({ what: 'completed', job }),
    () => say({ what: 'failed', job }),
  );
}
