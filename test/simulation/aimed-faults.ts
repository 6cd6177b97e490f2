import { type FaultKind, submissionKinds } from './faults/index.js';
import { type Random, randomOf } from './random.js';
import { type Fault, type JobPlan, type Moment, moments, type Schedule } from './schedule.js';

/**
 * Adds four faults to a drawn schedule, so that all pairs of kinds meet and each kind meets every moment. The drawn faults
 * stay as they are. From seed to seed the added ones go through kinds and moments in turn: a fault of a submission, which
 * few of the drawn ones are, beside one of any kind; and two of any kind, which are further apart in each round.
 */
export const withAimedFaults = (schedule: Schedule, kinds: readonly FaultKind[]): Schedule => {
  const { seed, faults } = schedule;
  const ofSubmissions = kinds.filter((kind) => submissionKinds.has(kind));
  const turn = seed - 1;
  const ofSubmission = Math.floor(turn / ofSubmissions.length);
  const round = Math.floor(turn / kinds.length);
  const aims: readonly (readonly [FaultKind, Moment])[] = [
    [inTurn(ofSubmissions, turn), inTurn(moments, ofSubmission)],
    [inTurn(kinds, ofSubmission), inTurn(aimedMoments, turn)],
    [inTurn(kinds, turn), inTurn(aimedMoments, round)],
    [inTurn(kinds, turn + round + 1), inTurn(aimedMoments, turn)],
  ];
  const added = aims.map(([kind, moment], place): Fault => {
    const random = randomOf(seed, 32, place);
    const aim = submissionKinds.has(kind) ? beforeSubmission : amongOthers;
    return { index: faults.length + place, kind, size: random.next(), ...aim(schedule, moment, random) };
  });
  return { ...schedule, faults: [...faults, ...added] };
};

/** Fewer jobs come to some of the moments, or find a socket there, so these come more often. */
const aimedMoments: readonly Moment[] = [
  ...moments,
  'answered',
  'answered',
  'running',
  'executed',
  'ending',
  'ended',
];

const inTurn = <A>(list: readonly A[], turn: number): A => list[turn % list.length]!;

type Target = Pick<Fault, 'job' | 'moment' | 'afterMs'>;

/** Moments at which a job's own submission is still to be answered. */
const early: readonly Moment[] = ['before', 'connecting', 'posting'];

/** A moment that a submission follows: that of another job, or else the job's own, which only early moments precede. */
const beforeSubmission = ({ jobs }: Schedule, moment: Moment, random: Random): Target => {
  const submitted = jobs.filter(({ via }) => via !== 'follow');
  const followed = jobs.filter((job) => submitted.some(({ startsAt }) => startsAt > overAt(job)));
  const isOwn = early.includes(moment) || followed.length === 0;
  const candidates = !isOwn ? followed : submitted.length > 0 ? submitted : jobs;
  return {
    job: random.pick(candidates).index,
    moment: isOwn && !early.includes(moment) ? random.pick(early) : moment,
    afterMs: 0,
  };
};

/**
 * A job that reaches the moment, and before or after which others run, so that there is a socket and something is asked. Each
 * stream of API v2 is of one job, so that another one has to run at that very moment.
 */
const amongOthers = ({ dialect, jobs }: Schedule, moment: Moment, random: Random): Target => {
  const inOrder = [...jobs].sort((one, other) => one.startsAt - other.startsAt);
  const others = early.includes(moment) ? inOrder.slice(1) : inOrder.slice(0, -1);
  const beside = dialect === 'v2' ? jobs.filter((job) => jobs.some(runsAt(momentOf(job, moment)))) : [];
  const candidates = [beside, others, jobs].map((all) => all.filter((job) => reaches(job, moment)));
  return {
    job: random.pick(candidates.find((all) => all.length > 0) ?? jobs).index,
    moment,
    afterMs: random.chance(0.5) ? 0 : random.between(0, 500),
  };
};

const reaches = ({ via, cached }: JobPlan, moment: Moment): boolean =>
  moment === 'posting' || moment === 'answered'
    ? via !== 'follow'
    : !cached || (moment !== 'running' && moment !== 'executed');

/** When a job ends if nothing befalls it. */
const endOf = ({ startsAt, queueMs, nodes, stepMs }: JobPlan): number =>
  startsAt + queueMs + 3 * nodes * stepMs;

/** When a job is over if nothing befalls it, and a little later. */
const overAt = (job: JobPlan): number => endOf(job) + 1_500;

/** When a job comes to a moment, if nothing befalls it. */
const momentOf = (job: JobPlan, moment: Moment): number => {
  const { startsAt, queueMs, stepMs } = job;
  if (early.includes(moment)) return startsAt;
  if (moment === 'accepted' || moment === 'answered') return startsAt + 100;
  if (moment === 'queued') return startsAt + queueMs / 2;
  if (moment === 'started') return startsAt + queueMs;
  return moment === 'running' || moment === 'executed' ? startsAt + queueMs + 3 * stepMs : endOf(job);
};

/** Whether a job runs at a time, and has long enough for its stream to be open. */
const runsAt =
  (time: number) =>
  (job: JobPlan): boolean =>
    job.startsAt + 1_000 < time && time + 500 < endOf(job);
