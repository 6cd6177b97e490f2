import { canaryKey } from '../helpers/canaries.js';
import { echoingSockets } from './echo.js';
import { emptyLedger, type Ledger, recordDelivery, type Untruth } from './ledger.js';
import type { JobPlan, Moment, Schedule } from './schedule.js';
import { localAnswers } from './local/local-answers.js';
import type { LocalAsk } from './local/local-job.js';
import { type LocalMessage, markOf } from './local/local-messages.js';
import { localRouteOf } from './local/local-route-of.js';
import { type LocalServer, localServer } from './local/local-server.js';
import { network, type Network } from './network.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { randomOf } from './random.js';
import { routeOf } from './route-of.js';
import { serviceAnswers } from './service-answers.js';
import { type SimClock, simClock } from './sim-clock.js';
import { type SimJob, type SimJobs, simJobs } from './sim-jobs.js';
import { type SimRest, simRest } from './sim-rest.js';
import { type SimSockets, simSockets } from './sim-sockets.js';
import { v2Answers } from './v2/v2-answers.js';
import { streamedJobOf, v2RouteOf } from './v2/v2-route-of.js';
import { type V2Service, v2Service } from './v2/v2-service.js';

/** What a fault can make the user of the client do. */
export interface SimUser {
  readonly setKey: (key: string) => void;
  readonly resume: () => void;
  readonly cancel: (plan: number) => boolean;
  /** Leaves a job: true where a watcher was there. */
  readonly leave: (plan: number) => boolean;
  readonly abort: (plan: number) => boolean;
  /** Subscribes once more to a job that was begun. */
  readonly watchAgain: (plan: number) => void;
  readonly close: () => void;
  /** Drains the client, and then submits the workflow of a plan once more, which has to be refused. */
  readonly drain: (plan: number) => void;
}

/** A service, a network and a machine in memory and virtual time. */
export interface Backend {
  readonly clock: SimClock;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly sockets: SimSockets;
  readonly rest: SimRest;
  readonly jobs: SimJobs;
  /** The service where it is a local one. */
  readonly local: LocalServer | undefined;
  /** What the service has besides where it speaks API v2. */
  readonly v2: V2Service | undefined;
  readonly kind: Schedule['platform'];
  readonly seed: number;
  readonly platform: Platform;
  readonly keys: Set<string>;
  routesGoneUntil: number;
  user: SimUser;
  /** Calls for each moment that a job reaches. */
  readonly onMoment: ((plan: JobPlan, moment: Moment) => void)[];
  readonly reached: (plan: JobPlan, moment: Moment) => void;
  /** Says that REST tells no truth from now until then; the result may change until when. */
  readonly untrue: (until: number, more?: Partial<Untruth>) => Untruth;
  readonly jobsOfPlan: (plan: number) => readonly SimJob[];
}

/** Makes the backend of a schedule, in which nothing happens yet. */
export const makeBackend = ({
  seed,
  dialect = 'cloud',
  withoutDetail = false,
  jobs: plans,
  platform: kind,
}: Schedule): Backend => {
  const clock = simClock();
  const ledger = emptyLedger();
  const line = network(clock, randomOf(seed, 4));
  const keys = new Set([canaryKey(1)]);
  const knows = (key: string | null): boolean => dialect === 'local' || (key !== null && keys.has(key));

  const reached = (plan: JobPlan, moment: Moment): void => {
    const times = ledger.moments.get(plan.index) ?? new Map<Moment, number>();
    ledger.moments.set(plan.index, times);
    if (times.has(moment)) return;
    times.set(moment, clock.now());
    for (const call of backend.onMoment) call(plan, moment);
  };
  const untrue: Backend['untrue'] = (until, more = {}) => {
    const untruth: Untruth = { from: clock.now(), of: 'all', isFault: true, until, ...more };
    ledger.untruths.push(untruth);
    return untruth;
  };
  const planOf = (correlation: number | undefined): JobPlan =>
    plans.find(({ index }) => index === correlation)!;
  const submit = (correlation: number, ask: LocalAsk = {}): string => {
    const plan = planOf(correlation);
    const { promptId } = local === undefined ? jobs.accept(plan) : local.jobs.accept(plan, ask);
    ledger.accepted.push({ at: clock.now(), correlation, promptId });
    reached(plan, 'accepted');
    return promptId;
  };
  const heard = (promptId: string, message: LocalMessage, isBinary = false, isClear = false): void => {
    ledger.lastFrameAt.set(promptId, clock.now());
    const said =
      'type' in message || !isBinary ? undefined : markOf('text' in message ? message.text : message.picture);
    if (said !== undefined && isClear) {
      const before = ledger.clearFrames.get(promptId) ?? [];
      ledger.clearFrames.set(promptId, [...before, { at: clock.now(), mark: said.mark }]);
    }
    if ('type' in message && message.data['prompt_id'] === promptId)
      recordDelivery(ledger, promptId, { at: clock.now(), type: message.type, data: message.data });
  };
  const local =
    dialect !== 'local'
      ? undefined
      : localServer({
          clock,
          reached,
          heard,
          overlapped: () => void ledger.overlaps.push(clock.now()),
          lost: (job) => {
            job.hiddenSince = clock.now();
            job.hiddenUntil = Infinity;
            untrue(Infinity, { promptId: job.promptId, isFault: false });
            if (job.endedAt !== undefined) return;
            reached(job.plan, 'ending');
            // One that waited never runs; how far a running one came is lost.
            if (job.phase === 'pending') job.phase = 'cancelled';
            job.endedAt = clock.now();
            reached(job.plan, 'ended');
          },
        });
  const v2 =
    dialect === 'v2' ? v2Service({ seed, clock, network: line, ledger, knows, jobs: () => jobs }) : undefined;
  const jobs: SimJobs =
    local?.jobs ??
    simJobs({
      clock,
      reached: (plan, moment) => {
        reached(plan, moment);
        if (moment === 'ended') v2?.ended(plan);
      },
      send: (job, { type, data }, delayMs) => {
        const { promptId } = job;
        if (v2 === undefined)
          void sockets.send(JSON.stringify({ type, data }), {
            delayMs,
            heard: () => heard(promptId, { type, data }),
          });
        else v2.send(job, { type, data }, delayMs);
      },
      hasDetail: !withoutDetail && v2 === undefined,
      lags: (promptId, until) => void untrue(until, { promptId, of: 'record', isFault: false }),
    });
  const sockets =
    v2?.streams.sockets ??
    simSockets({
      clock,
      network: line,
      ledger,
      knows,
      platform: kind,
      hub: local?.hub,
      welcome: () => [
        JSON.stringify({ type: 'status', data: { status: { exec_info: { queue_remaining: 0 } } } }),
        JSON.stringify({ type: 'feature_flags', data: { supports_progress_text_metadata: true } }),
      ],
    });
  const rest = simRest({
    clock,
    network: line,
    ledger,
    routeOf: v2 !== undefined ? v2RouteOf : local === undefined ? routeOf : localRouteOf,
    // A job of API v2 has one document for everything.
    ...(v2 === undefined ? {} : { aspectOf: (route) => (route === 'status' ? 'all' : undefined) }),
    handle:
      v2 !== undefined
        ? v2Answers({
            clock,
            jobs,
            knows,
            submit,
            marksOf: v2.marksOf,
            takenKeys: v2.takenKeys,
            hasQueue: v2.hasQueue,
            routesGoneUntil: () => backend.routesGoneUntil,
          })
        : local === undefined
          ? serviceAnswers({
              clock,
              jobs,
              knows,
              submit,
              routesGoneUntil: () => backend.routesGoneUntil,
              hasDetails: () =>
                !ledger.untruths.some(({ of, until }) => of === 'detail' && until === Infinity),
            })
          : localAnswers({ server: local, submit }),
    isDead: () => local !== undefined && line.isDown(),
    left: ({ route, correlation }) => {
      if (route === 'submit') reached(planOf(correlation), 'posting');
    },
    answered: (request, { status }, isFaulty) => {
      if (request.route === 'submit' && !isFaulty && (status === 200 || status === 201))
        reached(planOf(request.correlation), 'answered');
    },
  });

  // Only the client draws from these.
  const random = randomOf(seed, 5);
  let ids = 0;
  const nobody = (): boolean => false;
  const backend: Backend = {
    clock,
    network: line,
    ledger,
    sockets,
    rest,
    jobs,
    local,
    v2,
    kind,
    seed,
    keys,
    routesGoneUntil: 0,
    platform: {
      clock: clock.client,
      random: random.next,
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      openSocket: echoingSockets(sockets.open),
      request: (asked) => {
        const streamed = v2 === undefined ? undefined : streamedJobOf(asked);
        return v2 === undefined || streamed === undefined
          ? rest.request(asked)
          : v2.streams.request(asked, streamed);
      },
    },
    user: {
      setKey: () => undefined,
      resume: () => undefined,
      cancel: nobody,
      leave: nobody,
      abort: nobody,
      watchAgain: nobody,
      close: nobody,
      drain: nobody,
    },
    onMoment: [],
    reached,
    untrue,
    jobsOfPlan: (plan) => [...jobs.byId.values()].filter((job) => job.plan.index === plan),
  };
  return backend;
};
