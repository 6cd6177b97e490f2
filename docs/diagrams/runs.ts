import { distinctUntilChanged, map, type Observable } from 'rxjs';
import { createClient, initialJobState, isTerminal, type JobState, type Workflow } from '../../src/node.js';
import { imageFile, type JobScript, scriptedService, type ServiceFault } from '../../src/testing.js';
import { aRemote } from '../../test/remote/a-remote.js';
import { poolOf } from '../../test/pool/pool-of.js';
import { submitted } from '../../test/gateway/support.js';
import { workflowOf } from '../../test/pool/engine.js';
import type { LaneMark, Lanes } from '../marbles/draw-lanes.js';

const workflow: Workflow = { 3: { class_type: 'KSampler', inputs: {} } };

const script: JobScript = {
  waitsMs: 100,
  steps: [
    { atMs: 0, node: '3' },
    { atMs: 200, node: '3', value: 1, max: 2 },
    { atMs: 400, node: '3', value: 2, max: 2 },
    { atMs: 450, node: '3', output: imageFile('a.png') },
  ],
  endsAtMs: 500,
};

/** Writes down when a stream emits; a label that is undefined is left out. */
const marksOf = <A>(
  stream: Observable<A>,
  now: () => number,
  read: (value: A) => Omit<LaneMark, 'atMs'> | undefined,
): readonly LaneMark[] => {
  const marks: LaneMark[] = [];
  stream.subscribe((value) => {
    const mark = read(value);
    if (mark !== undefined) marks.push({ atMs: now(), ...mark });
  });
  return marks;
};

const phaseMark = (phase: JobState['phase']): Omit<LaneMark, 'atMs'> => ({
  label: phase,
  tone: isTerminal(phase) ? 'good' : 'plain',
});

/** A job over a scripted service: what the client asks, what the socket brings, and what the program sees. */
const jobOver = async (faults: readonly ServiceFault[]): Promise<Lanes['lanes']> => {
  const service = scriptedService({ jobs: [script], faults });
  const client = createClient(service);
  const { clock } = service;
  const connection = marksOf(
    client.connection.pipe(
      map(({ _tag }) => _tag),
      distinctUntilChanged(),
    ),
    clock.now,
    (label) => (label === 'idle' ? undefined : { label, tone: label === 'waiting' ? 'bad' : 'plain' }),
  );
  const socket = marksOf(client.frames, clock.now, (frame) =>
    frame._tag === 'Event' && frame.promptId !== undefined ? { label: frame.type } : undefined,
  );
  const states = marksOf(
    client.run(workflow).pipe(
      map(({ phase }) => phase),
      distinctUntilChanged(),
    ),
    clock.now,
    phaseMark,
  );
  await clock.runUntilIdle();
  const requests = service.requests.map(({ atMs, method, path }) => ({
    atMs,
    label: `${method} ${path.replace(/^\/api|[\da-f-]{36}/gu, '').replace(/\/$/u, '/…')}`,
  }));
  await client.close();
  return [
    { name: 'connection', marks: connection },
    { name: 'socket', marks: socket },
    { name: 'requests', marks: requests },
    { name: 'states', marks: states },
  ];
};

/** The job of a page whose stream is cut: what the gateway learns meanwhile comes after the cut, once. */
const resumption = async (): Promise<Lanes['lanes']> => {
  const requests: LaneMark[] = [];
  const learnt: LaneMark[] = [];
  const clockOf = { now: () => 0 };
  const setting = await aRemote({
    before: ({ method, path, headers }) => {
      const after = headers.get('last-event-id') === null ? '' : ' after the last id';
      requests.push({ atMs: clockOf.now(), label: `${method} ${path}${after}` });
      return undefined;
    },
  });
  const { remote, clock, service, cut } = setting;
  clockOf.now = clock.now;
  const { record } = await submitted(setting);
  const played = service.jobs[0]!;
  const connection = marksOf(
    remote.connection.pipe(
      map(({ _tag }) => _tag),
      distinctUntilChanged(),
    ),
    clock.now,
    (label) => (label === 'idle' ? undefined : { label, tone: label === 'waiting' ? 'bad' : 'plain' }),
  );
  const page = marksOf(
    remote.follow(record.id).pipe(
      map(({ phase, progress }) => (phase === 'in_progress' ? `${Math.round(progress * 100)} %` : phase)),
      distinctUntilChanged(),
    ),
    clock.now,
    (label) => ({ label, tone: label === 'completed' ? 'good' : 'plain' }),
  );
  const state = initialJobState({ workflow: {}, promptId: played.promptId });
  const learn = async (label: string, next: Partial<JobState>): Promise<void> => {
    learnt.push({ atMs: clock.now(), label });
    played.move({ ...state, ...next });
    await clock.advance(200);
  };
  await clock.advance(200);
  await learn('30 %', { phase: 'in_progress', progress: 0.3 });
  cut();
  await learn('60 %', { phase: 'in_progress', progress: 0.6 });
  await learn('80 %', { phase: 'in_progress', progress: 0.8 });
  await clock.advance(1_000);
  await learn('completed', { phase: 'completed', progress: 1, outputsComplete: true });
  await clock.advance(1_000);
  return [
    { name: 'gateway', marks: learnt },
    { name: 'stream', marks: connection },
    { name: 'requests', marks: requests },
    { name: 'page', marks: page },
  ];
};

/** Seven jobs over three servers, of which one is killed: each job goes where it ends soonest, and none is lost. */
const placement = async (): Promise<Lanes['lanes']> => {
  const names = ['attic', 'cellar', 'studio'];
  const { pool, clock, at } = poolOf([
    { name: 'attic', speed: 1, loadMs: 2_000 },
    { name: 'cellar', speed: 1, loadMs: 2_000 },
    { name: 'studio', speed: 2, loadMs: 1_000 },
  ]);
  const jobs = Array.from({ length: 7 }, (_, index) =>
    workflowOf(`job ${index + 1}`, {
      workMs: 3_000,
      model: index % 2 === 0 ? 'a.safetensors' : 'b.safetensors',
    }),
  );
  const done: LaneMark[] = [];
  const ended = new Set<number>();
  pool.runAll(jobs).subscribe(({ index, state }) => {
    if (!isTerminal(state.phase) || ended.has(index)) return;
    ended.add(index);
    done.push({ atMs: clock.now(), label: `job ${index + 1}`, tone: 'good' });
  });
  await clock.advance(4_000);
  at('cellar').kill();
  const killedAt = clock.now();
  await clock.advance(2_000);
  at('cellar').start();
  await clock.advance(120_000);
  await pool.close();
  return [
    ...names.map((name) => ({
      name,
      marks: [
        ...at(name).runs.map(({ job, from }) => ({ atMs: from, label: job })),
        ...(name === 'cellar' ? [{ atMs: killedAt, label: 'killed', tone: 'bad' as const }] : []),
      ].sort((a, b) => a.atMs - b.atMs),
    })),
    { name: 'done', marks: done },
  ];
};

/** The diagrams of real runs, by their files. */
export const runs: readonly {
  readonly name: string;
  readonly title: string;
  readonly play: () => Promise<Lanes['lanes']>;
}[] = [
  { name: 'life-of-a-job', title: 'The life of a job', play: () => jobOver([]) },
  {
    name: 'recovery-after-a-cut',
    title: 'The socket is cut while the job runs',
    play: () =>
      jobOver([
        { kind: 'dropped socket', atMs: 230 },
        { kind: 'refused sockets', atMs: 231, forMs: 900 },
      ]),
  },
  {
    name: 'gateway-resumption',
    title: "A page's stream is cut, and goes on without a hole",
    play: resumption,
  },
  { name: 'pool-placement', title: 'Seven jobs over three servers, one of which is killed', play: placement },
];
