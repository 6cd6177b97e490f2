import { openWorld, paidRuns } from './queue-world.js';
import { shortSound } from './short-sound.js';
import { startQueueProcess } from './queue-process.js';
import { setTimeout as wait } from 'node:timers/promises';

/** How long jobs were without a worker, in milliseconds, and what went wrong. */
export interface TakenOver {
  readonly ms: readonly number[];
  readonly problems: readonly string[];
}

const slots = 5;
const patienceMs = 60_000;
/** A job lasts for minutes, and costs little: this process plays the service and watches the workers. */
const [speed, steps] = [0.5, 5_000];

/** Kills the worker that runs five jobs of an account, or over three servers, so many times, and measures how long it takes until another one has each of them. */
export const takeOver = async (rounds: number, over?: 'servers'): Promise<TakenOver> => {
  const dialect = over === undefined ? 'cloud' : 'local';
  await using world = await openWorld(slots, { concurrency: slots, speed, dialect }, shortSound, over);
  const ms: number[] = [];
  const problems: string[] = [];
  let running = await startQueueProcess(world.plan);
  await running.ready;
  const ids: string[] = [];
  for (let job = 0; job < slots; job += 1) ids.push(await world.add(steps));
  const followed = async () => (await world.list()).filter(({ promptId }) => promptId !== undefined);
  const startedAt = performance.now();
  while ((await followed()).length < slots) {
    if (performance.now() - startedAt > patienceMs) throw new Error('the jobs did not begin');
    await wait(20);
  }
  for (let round = 0; round < rounds; round += 1) {
    const next = await startQueueProcess(world.plan);
    await next.ready;
    // The lock is renewed at any moment of its time.
    await wait((round * 700) % 2_000);
    const dead = await running.ready;
    running.kill('SIGKILL');
    const killedAt = performance.now();
    const open = new Set((await world.list()).filter(({ worker }) => worker === dead).map(({ id }) => id));
    while (open.size > 0 && performance.now() - killedAt < patienceMs) {
      for (const { id, worker } of await world.list()) {
        if (worker !== undefined && worker !== dead && open.delete(id)) ms.push(performance.now() - killedAt);
      }
      await wait(20);
    }
    if (open.size > 0) problems.push(`${open.size} jobs were not taken over`);
    running = next;
  }
  for (const id of ids) await world.queue.cancel(id);
  if (!(await world.settled(patienceMs))) problems.push('the jobs did not end');
  running.kill('SIGTERM');
  await running.ended;
  for (const [mark, runs] of paidRuns(world)) if (runs > 1) problems.push(`${mark} ran ${runs} times`);
  return { ms, problems };
};

/**
 * Kills a worker between the answer of a cloud service and the storing of the id, and measures how long it takes to find the job, by its
 * marker or, where the service drops it, by its workflow.
 */
export const findAgain = async (extraDataIs: 'listed' | 'dropped'): Promise<TakenOver> => {
  const switches = { extraDataIs };
  await using world = await openWorld(1, { concurrency: 1, speed, switches }, shortSound);
  const id = await world.add(steps);
  const killed = await startQueueProcess({ ...world.plan, kill: { point: 'after the answer', nth: 1 } });
  await killed.ended;
  const startedAt = performance.now();
  const running = await startQueueProcess(world.plan);
  const problems: string[] = [];
  let ms = Infinity;
  while (ms === Infinity && performance.now() - startedAt < 5 * patienceMs) {
    const [job] = await world.list();
    if (job?.promptId !== undefined) ms = performance.now() - startedAt;
    else if (job?.phase === 'unknown') break;
    await wait(50);
  }
  await world.queue.cancel(id);
  if (!(await world.settled(patienceMs))) problems.push('the job did not end');
  running.kill('SIGTERM');
  await running.ended;
  if (world.emulator.ledger.jobs.length !== 1)
    problems.push(`${world.emulator.ledger.jobs.length} paid runs`);
  return { ms: [ms], problems };
};
