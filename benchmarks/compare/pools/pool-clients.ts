import { lastValueFrom } from 'rxjs';
import { createPool } from '../../../src/pool.js';
import { loadComfyuiNode } from '../../peers/comfyui-node.js';
import { loadSaintno } from '../../peers/saintno.js';

/** Runs one workflow on one of its servers; rejects where the job failed, or where the pool gave it up. */
export type RunOnPool = (workflow: object) => Promise<unknown>;

/** Makes a pool of the servers, connected if it says when it is. */
type MakePool = (baseUrls: readonly string[]) => Promise<RunOnPool>;

/** With the one rule that a server away for good needs: its running job begins elsewhere after five seconds. */
const promptwire: MakePool = (baseUrls) => {
  const pool = createPool({
    servers: baseUrls.map((baseUrl) => ({ baseUrl, dialect: 'local' })),
    rules: { giveUpAfterMs: 5_000 },
  });
  return Promise.resolve(async (workflow) => {
    const { phase, failure } = await lastValueFrom(pool.run(workflow as never));
    if (phase !== 'completed') throw new Error(`${phase}: ${failure?.exceptionMessage ?? ''}`);
  });
};

/** Its page runs a job of a pool with a `CallWrapper` on the client that the pool picks. */
const saintno: MakePool = async (baseUrls) => {
  const { ComfyApi, ComfyPool, CallWrapper, PromptBuilder } = await loadSaintno();
  const pool = new ComfyPool(baseUrls.map((baseUrl) => new ComfyApi(baseUrl, crypto.randomUUID(), {})));
  let ready = 0;
  await new Promise<void>((resolve) => {
    pool.on('ready', () => {
      ready += 1;
      if (ready === baseUrls.length) resolve();
    });
  });
  return (workflow) =>
    pool.run(
      (api) =>
        new Promise((resolve, reject) => {
          const builder = new PromptBuilder(workflow, [], ['text']).setOutputNode('text', '2');
          const wrapper = new CallWrapper(api, builder);
          wrapper.onFinished(resolve);
          wrapper.onFailed(reject);
          void wrapper.run();
        }),
    );
};

/** Its events name the job; a failure that it tries again is none yet. */
const comfyuiNode: MakePool = async (baseUrls) => {
  const { ComfyApi, WorkflowPool } = await loadComfyuiNode();
  const pool = new WorkflowPool(baseUrls.map((baseUrl) => new ComfyApi(baseUrl)));
  await pool.ready();
  const ends = new Map<string, (error?: Error) => void>();
  pool.on('job:completed', ({ detail }) => ends.get(detail.job.jobId)?.());
  pool.on('job:failed', ({ detail: { job, willRetry } }) => {
    if (willRetry !== true) ends.get(job.jobId)?.(job.lastError ?? new Error('failed'));
  });
  return async (workflow) => {
    const jobId = crypto.randomUUID();
    const end = new Promise<void>((resolve, reject) => {
      ends.set(jobId, (error) => (error === undefined ? resolve() : reject(error)));
    });
    await pool.enqueue(workflow, { jobId, includeOutputs: ['2'] });
    await end;
  };
};

/** Every pool that is compared, by its package. */
export const poolClients = {
  promptwire,
  '@saintno/comfyui-sdk': saintno,
  'comfyui-node': comfyuiNode,
} satisfies Record<string, MakePool>;

/** The name of a pool in {@link poolClients}. */
export type PoolClientName = keyof typeof poolClients;
