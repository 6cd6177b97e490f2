import { type ChildProcess, fork } from 'node:child_process';
import { bundledFile } from '../../helpers/bundle-program.js';
import { createJobQueue, type QueueJob } from '../../../src/queue.js';
import type { EngineLife } from './judge-processes.js';
import type { EnginePlan, ServersWorkerPlan } from './process-plans.js';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../helpers/find-program.js';
import { freePort, startRedis } from '../../helpers/redis-server.js';
import { join } from 'node:path';
import { judgeProcesses } from './judge-processes.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { otherWarnings } from '../queue/other-warnings.js';
import type { Random } from '../../simulation/random.js';
import { setTimeout as wait } from 'node:timers/promises';
import { tmpdir } from 'node:os';

/** Which workers bring an engine: one alone, or two. */
export type Sharing = 'one worker an engine' | 'two workers an engine';

/** What a queue came to whose workers and engines were killed. */
export interface PlayedProcesses {
  readonly jobs: number;
  readonly reruns: number;
  readonly killedEngines: number;
  readonly killedWorkers: number;
  readonly problems: readonly string[];
}

const [engines, workers] = [8, 6];
const lockMs = 800;
/** So many jobs wait at any time while processes are killed. */
const waiting = 12;
/** A server that was killed often gets no job for five minutes, and all of them may have been. */
const settlesWithinMs = 400_000;

/** Kills so many workers and as many engines of one queue, one after another, each started anew at once; then lets the rest be done. */
export const playProcesses = async (
  sharing: Sharing,
  { kills, random }: { readonly kills: number; readonly random: Random },
): Promise<PlayedProcesses> => {
  const program = findProgram('redis-server');
  if (program === undefined) throw new Error('redis-server is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-engines-'));
  await using server = await startRedis(program);
  const redis = `redis://127.0.0.1:${server.port}`;
  await using queue = createJobQueue({
    connection: redis,
    name: 'engines',
    over: 'servers',
    onWarning: otherWarnings,
  });
  const lives: Mutable<EngineLife>[] = [];
  const ports = await Promise.all(Array.from({ length: engines }, freePort));

  const startEngine = async (index: number): Promise<Running & { readonly life: Mutable<EngineLife> }> => {
    const slots = 1 + (index % 2);
    const life = { engine: `engine-${index}`, slots, ledger: join(folder, `${lives.length}.jsonl`) };
    lives.push(life);
    const plan: EnginePlan = { port: ports[index]!, slots, ledger: life.ledger };
    return { ...(await startProcess('engine-program.ts', plan)), life };
  };
  const startWorker = (index: number): Promise<Running> => {
    const own = ports.flatMap((port, engine) => {
      const isOwn = engine % workers === index;
      const isShared = sharing === 'two workers an engine' && (engine + 1) % workers === index;
      const baseUrl = `http://127.0.0.1:${port}`;
      const one = { name: `engine-${engine}`, baseUrl, dialect: 'local' as const, slots: 1 + (engine % 2) };
      return isOwn || isShared ? [one] : [];
    });
    const plan: ServersWorkerPlan = { redis, name: 'engines', servers: own, lockMs };
    return startProcess('servers-worker-program.ts', plan);
  };
  const allEngines = await Promise.all(Array.from({ length: engines }, (_, index) => startEngine(index)));
  const allWorkers = await Promise.all(Array.from({ length: workers }, (_, index) => startWorker(index)));

  const added = new Map<string, string>();
  const add = async (): Promise<void> => {
    const mark = `mark-${added.size}`;
    added.set(mark, '');
    const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: random.between(4, 40) } } };
    added.set(mark, await queue.add(workflow, { extraData: { extra_pnginfo: { mark } } }));
  };
  const state = { isOver: false };
  const feed = async (): Promise<void> => {
    while (!state.isOver) {
      const { waiting: now } = await queue.stats();
      for (let missing = waiting - now; missing > 0; missing -= 1) await add();
      await wait(20);
    }
  };
  const feeding = feed();
  for (let nth = 0; nth < kills; nth += 1) {
    await wait(random.between(50, 250));
    const worker = random.below(workers);
    await allWorkers[worker]!.kill('SIGKILL');
    allWorkers[worker] = await startWorker(worker);
    await wait(random.between(50, 250));
    const engine = random.below(engines);
    const { life, kill } = allEngines[engine]!;
    await kill('SIGKILL');
    life.killedAt = Date.now();
    allEngines[engine] = await startEngine(engine);
  }
  state.isOver = true;
  await feeding;

  const problems: string[] = [];
  if (!(await settled(queue.stats))) problems.push(`not settled: ${JSON.stringify(await queue.stats())}`);
  const jobs: QueueJob[] = [];
  for await (const job of queue.list()) jobs.push(job);
  for (const one of [...allWorkers, ...allEngines]) await one.kill('SIGTERM');
  const judged = await judgeProcesses(lives, added, jobs);
  await rm(folder, { recursive: true, force: true });
  return {
    ...{ jobs: jobs.length, reruns: judged.reruns, killedEngines: kills, killedWorkers: kills },
    problems: [...problems, ...judged.problems].map((problem) => `${sharing}: ${problem}`),
  };
};

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] };

interface Running {
  /** Ends the process, and resolves once it is gone. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

/** Starts one of the programs beside this one; resolves once it works. */
const startProcess = async (program: string, plan: EnginePlan | ServersWorkerPlan): Promise<Running> => {
  const source = program.startsWith('engine')
    ? new URL('engine-program.ts', import.meta.url)
    : new URL('servers-worker-program.ts', import.meta.url);
  const child: ChildProcess = fork(await bundledFile(fileURLToPath(source), { withPackages: true }), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--unhandled-rejections=strict'],
  });
  const ended = once(child, 'exit');
  child.send(plan);
  await Promise.race([once(child, 'message'), ended]);
  return {
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
};

const settled = async (
  stats: () => Promise<{ readonly waiting: number; readonly delayed: number; readonly held: number }>,
): Promise<boolean> => {
  const until = performance.now() + settlesWithinMs;
  while (performance.now() < until) {
    const { waiting: waits, delayed, held } = await stats();
    if (waits + delayed + held === 0) return true;
    await wait(50);
  }
  return false;
};
