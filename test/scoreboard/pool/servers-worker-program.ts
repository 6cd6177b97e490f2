import { createPool } from '../../../src/pool.js';
import { createWorker } from '../../../src/queue.js';
import { once } from 'node:events';
import { otherWarnings } from '../queue/other-warnings.js';
import type { ServersWorkerPlan } from './process-plans.js';

/** A worker over servers in a process of its own. */
const [plan] = (await once(process, 'message')) as [ServersWorkerPlan];
const { redis, name, servers, lockMs } = plan;
const pool = createPool({ servers });
// An engine that was just started shares two processors with all the others.
const rules = { deadlineMs: 3_000, lagMs: 100, lookEveryMs: 200 };
// The judge compares all jobs with the ledgers, so none of them may be forgotten.
const retention = { count: 1_000_000 };
const worker = createWorker({
  connection: redis,
  name,
  pool,
  lockMs,
  rules,
  retention,
  onWarning: otherWarnings,
});
process.once('SIGTERM', () => {
  void worker
    .close()
    .then(() => pool.close())
    .then(() => process.disconnect());
});
process.on('disconnect', () => process.exit());
await worker.ready;
process.send?.('ready');
