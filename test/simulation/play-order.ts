import * as E from 'fp-ts/lib/Either.js';
import { isTerminal } from '../../src/core/state/job-state.js';
import type {
  HttpRequest,
  HttpResponse,
  Platform,
  SocketListener,
} from '../../src/core/platform/platform.js';
import type { Step } from './interleavings.js';
import { bodyOf, localRouteOf } from './local/local-route-of.js';
import { localOptions, type MakeClient, realClient } from './play.js';
import { plainJob } from './plain-job.js';
import type { Schedule } from './schedule.js';
import { simClock } from './sim-clock.js';
import { messagesOf, outputsOf } from './sim-messages.js';
import { routeOf } from './route-of.js';
import { watch, type Watcher } from './watcher.js';

/** What one order came to. */
export interface PlayedOrder {
  readonly violations: readonly string[];
  readonly lost: number;
  readonly wrong: number;
  readonly doubled: number;
}

const plan = plainJob(0);
const outputs = outputsOf(plan);
const messagesFor = (promptId: string) => {
  const say = messagesOf(promptId, plan);
  return {
    start: say.start,
    progress: say.progress(0, 1, 2),
    executed: say.executed(0),
    success: say.ends.completed,
    'nothing runs': say.nothingRuns,
  };
};

/** What plays it. */
export interface PlayOrderOptions {
  readonly makeClient?: MakeClient | undefined;
  /** Default `cloud`. A local server takes the job's id from the client, and sends its events to the submitting socket alone. */
  readonly dialect?: Schedule['dialect'];
}

/**
 * Plays one order against a client: `run` is watched by the one who may leave, `submit` by two of whom one stays.
 *
 * Where no event was lost and the answers came, the end has to be there without any waiting.
 */
export const playOrder = async (
  order: readonly Step[],
  via: 'run' | 'submit',
  { makeClient = realClient, dialect = 'cloud' }: PlayOrderOptions = {},
): Promise<PlayedOrder> => {
  const clock = simClock();
  const isLocal = dialect === 'local';
  const held: (() => void)[] = [];
  let socket: SimpleSocket | undefined;
  let promptId = 'job-0';
  /** Whose socket hears of the job; undefined: every one. */
  let addressee: string | undefined;
  let accepted = 0;
  let cancels = 0;
  let answerPost: (() => void) | undefined;
  let answersReads = false;
  let isDone = false;
  let sockets = 0;

  const answer = (request: HttpRequest): HttpResponse => {
    const { route } = isLocal ? localRouteOf(request) : routeOf(request);
    if (route === 'submit') return responseOf(200, { prompt_id: promptId, number: 1, node_errors: {} });
    if (route === 'status')
      return responseOf(200, { id: promptId, status: isDone ? 'completed' : 'in_progress' });
    const record = { outputs, status: { status_str: 'success', completed: true } };
    if (route === 'queue')
      return responseOf(200, { queue_running: isDone ? [] : [[0, promptId, {}, {}, []]], queue_pending: [] });
    if (route === 'history' && isLocal) return responseOf(200, isDone ? { [promptId]: record } : {});
    if (route === 'history' && isDone) return responseOf(200, record);
    return responseOf(404, {});
  };
  const platform: Platform = {
    clock: clock.client,
    random: () => 0,
    uuid: () => `00000000-0000-4000-8000-${String((sockets += 1)).padStart(12, '0')}`,
    openSocket: (url, listener) => {
      const clientId = new URL(url).searchParams.get('clientId');
      const own: SimpleSocket = { listener, clientId, state: 'opening' };
      socket = own;
      return {
        send: () => undefined,
        close: () => {
          if (own.state === 'over') return;
          own.state = 'over';
          listener.closed({ code: 1000, reason: '' });
        },
      };
    },
    request: (request) =>
      new Promise((resolve, reject) => {
        request.onSent?.();
        request.signal?.addEventListener('abort', () => reject(request.signal!.reason as Error));
        const { route } = isLocal ? localRouteOf(request) : routeOf(request);
        if (route === 'cancel' || route === 'interrupt') cancels += 1;
        if (route === 'submit') {
          accepted += 1;
          if (isLocal) ({ client_id: addressee = 'nobody', prompt_id: promptId = promptId } = askOf(request));
          answerPost = () => resolve(answer(request));
        } else if (answersReads) resolve(answer(request));
        else held.push(() => resolve(answer(request)));
      }),
  };
  const client = makeClient(platform, isLocal ? localOptions : undefined);
  const open = (): void => {
    if (socket?.state !== 'opening') return;
    socket.state = 'open';
    socket.listener.opened();
  };

  const watchers: Watcher[] = [];
  const see = (name: string, source: Parameters<typeof watch>[0]): void =>
    void watchers.push(watch(source, { job: 0, name, clock, settled: () => undefined }));
  if (via === 'run') see('run', client.run({ 1: { class_type: 'Correlation', inputs: { correlation: 0 } } }));
  else
    void client
      .submit({ 1: { class_type: 'Correlation', inputs: { correlation: 0 } } })()
      .then((submitted) => {
        if (E.isLeft(submitted)) return;
        see('leaves', submitted.right.states);
        see('stays', submitted.right.states);
      });
  await clock.run(clock.now() + 1);
  open();
  await clock.run(clock.now() + 1);

  const violations: string[] = [];
  let isLossless = true;
  let isAnswered = false;
  for (const step of order) {
    switch (step) {
      case 'POST answer':
        isAnswered = true;
        answerPost?.();
        break;
      case 'drop':
        if (socket?.state === 'open') {
          socket.state = 'over';
          socket.listener.closed({ code: 1006, reason: '', errorCode: 'ECONNRESET' });
        }
        break;
      case 'reopen':
        open();
        break;
      case 'poll answer':
        answersReads = true;
        for (const release of held.splice(0)) release();
        break;
      case 'unsubscribe':
        if (isLossless && isDone && answersReads && watchers[0] !== undefined && isAnswered) {
          if (watchers[0].settledAt() === undefined)
            violations.push('I1 had not ended when its watcher left');
        }
        watchers[0]?.leave();
        break;
      default:
        if (step === 'success') isDone = true;
        if (socket?.state === 'open' && (addressee ?? socket.clientId) === socket.clientId)
          socket.listener.message(JSON.stringify(messagesFor(promptId)[step]));
        else isLossless = false;
    }
    await clock.run(clock.now() + 1);
  }
  const inTime = watchers.map((watcher) => watcher.settledAt() !== undefined);
  await clock.run(clock.now() + 120_000);
  await client.close();
  await clock.run(clock.now() + 100);

  let [lost, wrong, doubled] = [0, 0, 0];
  for (const [index, watcher] of watchers.entries()) {
    const ends = watcher.states.filter(({ phase }) => isTerminal(phase)).length;
    const { name } = watcher;
    if (ends > 1) {
      doubled += 1;
      violations.push(`I4 ${name} ended ${ends} times`);
    }
    if (watcher.leftAt() !== undefined) continue;
    const end = watcher.end();
    if (end === undefined || !watcher.completed()) {
      lost += 1;
      violations.push(`I1 ${name} never settled`);
    } else if (end.phase !== 'completed' || JSON.stringify(end.outputs) !== JSON.stringify(outputs)) {
      wrong += 1;
      violations.push(`I2 ${name} ended as ${end.phase}`);
    }
    if (isLossless && inTime[index] === false && end !== undefined)
      violations.push(`I1 ${name} waited though it had received everything`);
  }
  if (accepted !== 1) violations.push(`I5 submitted ${accepted} times`);
  if (cancels > 0) violations.push('cancelled what was only left');
  if (clock.clientTimers() > 0) violations.push(`I7 ${clock.clientTimers()} timers are left`);
  if (
    via === 'run' &&
    watchers[0]?.leftAt() !== undefined &&
    watchers[0].states.at(-1)?.phase === 'submitting'
  )
    if (client.recent.length !== 1) violations.push('a job that lost its watcher is not on `recent`');
  return { violations, lost, wrong, doubled };
};

interface SimpleSocket {
  readonly listener: SocketListener;
  readonly clientId: string | null;
  state: 'opening' | 'open' | 'over';
}

/** What a submission to a local server asks for. */
const askOf = ({ json }: HttpRequest): { readonly client_id?: string; readonly prompt_id?: string } =>
  bodyOf(json);

const encoder = new TextEncoder();

const responseOf = (status: number, body: unknown): HttpResponse => {
  let bytes: Uint8Array | undefined = encoder.encode(JSON.stringify(body));
  const next = (): Promise<IteratorResult<Uint8Array>> => {
    const value = bytes;
    bytes = undefined;
    return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
  };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    discard: () => undefined,
  };
};
