import type { FailingShapes } from './failing.js';
import { withoutMember } from '../../core/state/without-member.js';
import type { PoolServer } from '../../core/state/pool-server.js';
import { msLeft } from './ms-left.js';
import type { Work } from './work.js';

/** A job that a server holds. */
export interface HeldJob {
  readonly work: Work;
  /** What it was expected to take there when it was given, loading included; in milliseconds. */
  readonly expectedMs: number;
  /** The models of the job before it. */
  readonly modelsBefore: readonly string[];
  /** When it began to run, by the clock of the pool; absent while it waits. */
  readonly startedAt?: number;
}

/** What a pool knows of a server at one moment: an immutable value. */
export interface ServerState {
  readonly health: 'unknown' | 'up' | 'down' | 'refusing';
  /** Since when, by the wall clock. */
  readonly since: number;
  readonly reason?: string;
  readonly mode: PoolServer['mode'];
  /** How often it went down recently, and until when it gets no new jobs because of that, by the clock of the pool. */
  readonly failures: number;
  readonly downAt?: number;
  readonly trustedAt: number;
  /** The jobs that it holds, by their numbers. */
  readonly held: ReadonlyMap<number, HeldJob>;
  readonly models: readonly string[];
  readonly failing: FailingShapes;
  readonly done: number;
  readonly failed: number;
  readonly lost: number;
  readonly lateEnds: number;
  readonly memory?: { readonly total: number; readonly free: number };
}

/** A server that was not asked yet. */
export const newServerState = (wall: number): ServerState => ({
  health: 'unknown',
  since: wall,
  mode: 'active',
  failures: 0,
  trustedAt: 0,
  held: new Map(),
  models: [],
  failing: new Map(),
  done: 0,
  failed: 0,
  lost: 0,
  lateEnds: 0,
});

/** The time of a pool: of its clock, and of the wall. */
export interface Moment {
  readonly now: number;
  readonly wall: number;
}

/** After it was found down: a server that goes down again within ten minutes is trusted later each time. */
export const wentDown = (state: ServerState, reason: string, { now, wall }: Moment): ServerState =>
  state.health === 'down'
    ? { ...state, reason }
    : {
        ...state,
        health: 'down',
        since: wall,
        reason,
        downAt: now,
        failures: now - (state.downAt ?? -Infinity) < forgetAfterMs ? state.failures + 1 : 1,
      };

/** After it answered. */
export const cameUp = (
  { reason, ...state }: ServerState,
  { now, wall }: Moment,
  memory?: ServerState['memory'],
): ServerState => ({
  ...state,
  ...(state.health === 'refusing' && reason !== undefined && { reason }),
  ...(memory !== undefined && { memory }),
  // A server that refuses submissions still answers.
  ...(state.health !== 'up' &&
    state.health !== 'refusing' && {
      health: 'up',
      since: wall,
      trustedAt: state.failures < 2 ? now : now + Math.min(longestMs, firstMs * 2 ** (state.failures - 2)),
    }),
});

/** After it began to refuse all submissions of the account, or ceased to. */
export const refusing = (
  state: ServerState,
  reason: string | undefined,
  { wall }: Pick<Moment, 'wall'>,
): ServerState => {
  if (reason !== undefined) return { ...state, health: 'refusing', since: wall, reason };
  return state.health === 'refusing'
    ? { ...withoutMember(state, 'reason'), health: 'up', since: wall }
    : state;
};

/** After it asked to wait: it gets no new jobs for that long. */
export const busyFor = (state: ServerState, ms: number, now: number): ServerState => ({
  ...state,
  trustedAt: Math.max(state.trustedAt, now + ms),
});

/** A server that went down only once in this time is trusted at once. */
const forgetAfterMs = 600_000;
const firstMs = 5_000;
const longestMs = 300_000;

/** After it got a job. */
export const gave = (
  state: ServerState,
  number: number,
  job: Omit<HeldJob, 'modelsBefore'>,
): ServerState => ({
  ...state,
  held: new Map(state.held).set(number, { ...job, modelsBefore: state.models }),
  models: job.work.models.length === 0 ? state.models : job.work.models,
});

/** After one of its jobs began to run. */
export const began = (state: ServerState, number: number, now: number): ServerState => {
  const job = state.held.get(number);
  return job === undefined || job.startedAt !== undefined
    ? state
    : { ...state, held: new Map(state.held).set(number, { ...job, startedAt: now }) };
};

/** After it no longer has a job, for whatever reason. */
export const released = (state: ServerState, number: number): ServerState => {
  const held = new Map(state.held);
  held.delete(number);
  return { ...state, held };
};

/**
 * How many more jobs it takes now. A job that waits there for others can go nowhere else any more, so it gets one only shortly before it can
 * begin with it.
 */
export const roomOf = (
  { health, mode, trustedAt, held }: ServerState,
  { slots, ahead }: { readonly slots: number; readonly ahead: number },
  now: number,
): number => {
  if (health !== 'up' || mode !== 'active' || now < trustedAt) return 0;
  if (held.size < slots) return slots - held.size;
  const soonest = Math.min(...[...held.values()].map((job) => timeLeft(job, now)));
  return soonest <= aheadByMs ? Math.max(0, slots + ahead - held.size) : 0;
};

const aheadByMs = 2_000;

/** How long each of its slots is expected to work on what it holds, in milliseconds; 0 while a slot is free. */
export const workMsOf = ({ held }: ServerState, slots: number, now: number): number =>
  held.size < slots ? 0 : [...held.values()].reduce((all, job) => all + timeLeft(job, now), 0) / slots;

const timeLeft = ({ expectedMs, startedAt }: HeldJob, now: number): number =>
  startedAt === undefined ? expectedMs : msLeft(expectedMs, now - startedAt);
