import { createClient } from '../../../src/node.js';
import { createJobQueue, createWorker, type JobQueue, type QueueEvent } from '../../../src/queue.js';
import { filter, firstValueFrom, lastValueFrom, take, toArray } from 'rxjs';
import { openWorld } from './queue-world.js';
import type { Random } from '../../simulation/random.js';
import { writeExactJson } from '../../../src/core/protocol/json/exact-json.js';

/** What late subscribers read of jobs beside an early one. */
export interface LateReading {
  readonly readers: number;
  /** How many of them came while their job ran or waited. */
  readonly ofRunning: number;
  readonly problems: readonly string[];
}

const [slots, endedJobs, openJobs, readingProcesses] = [5, 10, 10, 4];

/**
 * Lets so many subscribers read the lifecycle of jobs that have ended, run or wait, each from the beginning or after an event, over
 * several connections; compares what each of them reads with what a subscriber from before the job's turn has read.
 */
export const readLate = async (readers: number, random: Random): Promise<LateReading> => {
  await using world = await openWorld(slots, { dialect: 'cloud', concurrency: slots, speed: 20 });
  const { redis, name, baseUrl, wsUrl, apiKey } = world.plan;
  const open = (): JobQueue => createJobQueue({ connection: redis, name });
  const queues = Array.from({ length: readingProcesses }, open);
  const client = createClient({ baseUrl, wsUrl, apiKey, dialect: 'cloud' });
  const worker = createWorker({ connection: redis, name, client, tier: slots });
  try {
    const early = new Map<string, Promise<readonly QueueEvent[]>>();
    const eventsOf = (queue: JobQueue, id: string, after?: string): Promise<readonly QueueEvent[]> =>
      lastValueFrom(queue.events(id, { after }).pipe(toArray()));
    const addAll = async (count: number, steps: number): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let job = 0; job < count; job += 1) {
        const id = await world.add(steps, `tenant-${random.below(3)}`);
        early.set(id, eventsOf(world.queue, id));
        ids.push(id);
      }
      return ids;
    };
    const ended = await addAll(endedJobs, 2);
    for (const id of ended) await early.get(id);
    const going = await addAll(openJobs, 20);
    // The first of them runs, and some wait.
    await firstValueFrom(
      world.queue.follow(going[0] ?? '').pipe(filter(({ phase }) => phase === 'in_progress')),
    );

    let ofRunning = 0;
    const reading = Array.from({ length: readers }, async (_, nth): Promise<string | undefined> => {
      const isOpen = random.chance(0.5);
      if (isOpen) ofRunning += 1;
      const id = random.pick(isOpen ? going : ended);
      const queue = queues[nth % queues.length] ?? world.queue;
      // An event that is there already: a running job has its first one.
      const known = isOpen ? 1 : ((await early.get(id))?.length ?? 1);
      const from = random.chance(0.25) ? random.between(1, known) : 0;
      const after = from === 0 ? undefined : (await firstEvents(world.queue, id, from)).at(-1)?.id;
      const read = await eventsOf(queue, id, after);
      const expected = ((await early.get(id)) ?? []).slice(from);
      return written(read) === written(expected)
        ? undefined
        : `reader ${nth} of ${id} read ${read.length} events, not ${expected.length}`;
    });
    const problems = (await Promise.all(reading)).filter((problem) => problem !== undefined);
    for (const [id, events] of early) {
      const last = (await events).at(-1)?.state.phase;
      if (last !== 'completed') problems.push(`${id} ended as ${last}`);
    }
    return { readers, ofRunning, problems };
  } finally {
    await worker.close();
    await client.close();
    await Promise.all(queues.map((queue) => queue.close()));
  }
};

const firstEvents = (queue: JobQueue, id: string, count: number): Promise<readonly QueueEvent[]> =>
  lastValueFrom(queue.events(id).pipe(take(count), toArray()));

/** With its ids, so that a repetition or another order shows. */
const written = (events: readonly QueueEvent[]): string =>
  writeExactJson(events.map(({ id, event }) => ({ id, event })));
