import { createClient, type JobState, type Workflow } from '../../src/node.js';
import { createGateway } from '../../src/gateway.js';
import { createPool } from '../../src/pool.js';
import { createRemote } from '../../src/remote.js';
import { catchError, lastValueFrom, type Observable, of, toArray } from 'rxjs';
import type { Figure, Range, Tally } from './figure.js';
import { isDeepStrictEqual } from 'node:util';
import { randomOf, type Random } from '../simulation/random.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';

const programs = 200;

/** One program against one server, a pool and a gateway over a pool. */
export const poolSameStates: Figure = {
  id: 'pool-same-states',
  what: 'drawn workflows that complete, fail at a node, run in part, have nothing to do again or are refused (an unknown class, model or link), run by one program against one engine, a pool of engines, and a remote of a gateway over such a pool (real sockets between client and engine)',
  target:
    'equal phases in their order, and equal ends: nodes, outputs, failures and problems; only a pool tells server and attempt',
  count: programs,
  splits: true,
  run: playPrograms,
};

/** What a program saw of a job, without what differs by nature: ids, times, how long it waited, how many states were told. */
interface Told {
  readonly phases: readonly string[];
  readonly end: unknown;
}

type Run = (workflow: Workflow) => Observable<JobState>;

async function playPrograms({ from, count }: Range): Promise<Tally> {
  const counts = { programs: 0, jobs: 0, completed: 0, failed: 0, refused: 0 };
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const workflows = drawWorkflows(randomOf(seed, 43));
    const told = await Promise.all([
      onServer((run) => tellAll(run, workflows)),
      onPool((run) => tellAll(run, workflows)),
      onGateway((run) => tellAll(run, workflows)),
    ]);
    const [one, ...others] = told;
    counts.programs += 1;
    counts.jobs += workflows.length;
    for (const { phases } of one) {
      if (phases.at(-1) === 'completed') counts.completed += 1;
      if (phases.at(-1) === 'failed') counts.failed += 1;
      if (phases.at(-1) === 'refused') counts.refused += 1;
    }
    for (const [nth, other] of others.entries())
      for (const [index, each] of one.entries())
        if (!isDeepStrictEqual(each, other[index]))
          problems.push(
            `seed ${seed}, job ${index}: one server told ${JSON.stringify(each)}, ${['a pool', 'a gateway over a pool'][nth]} ${JSON.stringify(other[index])}; npm run scoreboard -- pool-same-states`,
          );
  }
  return { counts, problems };
}

const drawWorkflows = (random: Random): readonly Workflow[] =>
  Array.from({ length: 6 }, () => {
    const seed = random.below(1_000);
    const picture = textToImageWorkflow({ steps: random.between(1, 3), width: 64, height: 64, seed });
    return random.pick<Workflow>([
      picture,
      picture,
      textToImageWorkflow({ steps: 1, width: 64, height: 64, seed: 1 }),
      { 1: { class_type: 'FailOnPurpose', inputs: { exception_type: 'ValueError', message: `no ${seed}` } } },
      { 1: { class_type: 'NoSuchClass', inputs: { seed } } },
      {
        ...picture,
        4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: `none-${seed}.safetensors` } },
      },
      { 1: { class_type: 'SaveImage', inputs: { images: ['gone', 0], filename_prefix: `${seed}` } } },
      { ...picture, 20: { class_type: 'SaveImage', inputs: { images: ['gone', 0], filename_prefix: 'x' } } },
    ]);
  });

/** Runs them one after the other, so that each sees the same cache. */
const tellAll = async (run: Run, workflows: readonly Workflow[]): Promise<readonly Told[]> => {
  const told: Told[] = [];
  for (const workflow of workflows) {
    const states = await lastValueFrom(
      run(workflow).pipe(
        catchError((error: unknown) =>
          of({ phase: isRefusal(error) ? 'refused' : `error: ${isTagged(error) ? error._tag : '?'}` }),
        ),
        toArray(),
      ),
    );
    const phases: readonly string[] = states.map(({ phase }) => phase);
    told.push({ phases: phases.filter((phase, at) => phase !== phases[at - 1]), end: endOf(states.at(-1)) });
  }
  return told;
};

const endOf = (last: object | undefined): unknown => {
  const { phase, nodes, outputs, failure, nodeErrors, problems } = (last ?? {}) as Partial<JobState>;
  const named = Object.fromEntries(Object.entries(nodes ?? {}).map(([id, node]) => [id, node.phase]));
  // A member that a gateway leaves out is an undefined one of a client.
  return JSON.parse(
    JSON.stringify({ phase, nodes: named, outputs, failure, nodeErrors, problems }),
  ) as unknown;
};

const openEngine = () => startEmulator({ dialect: 'local', speed: Infinity });

const onServer = async (program: (run: Run) => Promise<readonly Told[]>): Promise<readonly Told[]> => {
  await using engine = await openEngine();
  await using client = createClient(engine);
  return await program((workflow) => client.run(workflow));
};

const onPool = async (program: (run: Run) => Promise<readonly Told[]>): Promise<readonly Told[]> => {
  await using engine = await openEngine();
  await using pool = createPool({ servers: [{ baseUrl: engine.baseUrl, dialect: 'local' }] });
  return await program((workflow) => pool.run(workflow));
};

const onGateway = async (program: (run: Run) => Promise<readonly Told[]>): Promise<readonly Told[]> => {
  await using engine = await openEngine();
  await using pool = createPool({ servers: [{ baseUrl: engine.baseUrl, dialect: 'local' }] });
  const gateway = createGateway({ client: pool, authorize: () => ({ name: 'ann' }) });
  const remote = createRemote({
    url: 'http://gateway',
    token: 'any',
    fetch: (input, init) => gateway.fetch(new Request(input, init)),
  });
  try {
    await gateway.ready;
    return await program((workflow) => remote.run(workflow));
  } finally {
    remote.close();
    await gateway.close();
  }
};

/** An engine refuses a submission; a pool says before that why none of its servers can run it. */
const isRefusal = (error: unknown): boolean =>
  isTagged(error) && ['BadRequest', 'InvalidWorkflow'].includes(error._tag);

const isTagged = (error: unknown): error is { readonly _tag: string } =>
  typeof error === 'object' && error !== null && '_tag' in error && typeof error._tag === 'string';
