import type { ClientTier } from './jobs/run.js';
import type { ConnectionState } from '../core/socket/connection-state.js';
import { type Dialect, dialects } from './dialects/dialects.js';
import type { DurationStore } from '../core/estimate/durations.js';
import type { FrameLimits } from './jobs/frame-memory.js';
import type { HeaderValues } from '../core/http/own-headers.js';
import { isJsonObject } from '../core/protocol/json/json.js';
import { isLogger, type Logger } from '../core/log/logger.js';
import type { Observable } from 'rxjs';
import type { Platform } from '../core/platform/platform.js';
import type { RequestBudgetOptions } from './jobs/rate-limiter.js';
import type { WebSocketConstructor } from '../core/platform/web-socket.js';
import { serviceError } from '../core/errors/service-error.js';
import type { SocketRecorder } from '../core/socket/socket-recorder.js';

/** What `createClient` takes on every runtime. */
export interface CommonClientOptions {
  /** `https://host` with any path prefix; `/api/…` is added. Over `http:` the key and secret headers go to this machine and private networks only. */
  readonly baseUrl: string;
  /** `wss://host` with any path prefix; `/ws` is added. Default: `baseUrl` with the scheme changed. */
  readonly wsUrl?: string | undefined;
  /** Sent as `X-API-Key` and as the socket's `token`, with `dialect: 'v2'` as `Authorization: Bearer`; never with `dialect: 'local'`. */
  readonly apiKey?: string | undefined;
  /**
   * How calls carry the key: `key`, the default, as `X-API-Key`; `bearer` as `Authorization: Bearer`, which a cloud service takes for an
   * API key as well as for a token of a session or of OAuth. The socket carries it as `token` in any case.
   */
  readonly auth?: 'key' | 'bearer' | undefined;
  /**
   * The id of the workspace of a cloud service that the client works in; default the personal one, or that of the key. A key belongs to one
   * workspace, and another is refused.
   */
  readonly workspace?: string | undefined;
  /**
   * Headers of your own, for instance for a gateway in front of the service: an object, or a function that is called before each
   * request and each handshake, so that a token may change. They go to `baseUrl` and `wsUrl` only, with calls, uploads and the
   * socket's handshake; never to signed URLs, nor where a redirect leads.
   *
   * Values are redacted like the key, wherever the client shows or returns a text; a value that the service also uses in a file's
   * name makes that name unreadable. `InvalidConfig` for invalid names and values, for names that belong to the transport (`host`,
   * `content-*`, `upgrade`, `sec-*`, `proxy-*`, …), and for the key's own header; where a function threw or returned such headers,
   * the call ends with it and sends nothing.
   *
   * A page can set none on the handshake, and the browser leaves out those that it forbids (`cookie`, `origin`, …).
   */
  readonly headers?: HeaderValues | (() => HeaderValues) | undefined;
  /** Which interface the server speaks; default `cloud`. */
  readonly dialect?: Dialect | undefined;
  /** Default tier of `runAll`; default `free`, one job at once. */
  readonly tier?: ClientTier | undefined;
  /** Name of the partner key's field in `extra_data`; default `api_key_partner_org`, with `dialect: 'v2'` `api_key_comfy_org`. */
  readonly partnerKeyField?: string | undefined;
  /** How long the socket outlives its last subscriber, in milliseconds; default 5000. The streams of API v2 end with their jobs' followers. */
  readonly lingerMs?: number | undefined;
  /**
   * How many bytes of frames `Job.frames` keeps for those who subscribe later; default 8 MiB for each job and 32 MiB for all
   * jobs of the client, where 0 keeps none; of messages that come before the answer to a submission names their job, default 32 MiB;
   * and of pictures in `JobState.socketImages`, default 256 MiB.
   */
  readonly keptFrames?: FrameLimits | undefined;
  /**
   * How long the record of a job that has ended may trail, in milliseconds; default 120 000. A completed job ends with
   * `outputsComplete: false` then. Time in which history can't be reached does not count, nor do up to 90 s in which a record is
   * missing that was there.
   */
  readonly recordWithinMs?: number | undefined;
  /**
   * For how long the service may go on to know nothing of a job that this client never saw before `follow` errors with
   * `NotFound`, in milliseconds; default 30 000, with `dialect: 'local'` 4000.
   */
  readonly notFoundAfterMs?: number | undefined;
  /**
   * How fast status, history and the like may be asked for, all jobs together; default 5 a second and 10 at once, with
   * `dialect: 'local'` 100 a second and at once. Submissions, cancellations and files are not counted.
   */
  readonly requestBudget?: RequestBudgetOptions | undefined;
  /**
   * Lets the key and secret headers cross a network in clear text (`http:`, `ws:`), to other than this machine, private addresses and
   * hosts of one label; default false, and then `InvalidConfig`. Without a secret to send no address needs it.
   */
  readonly allowClearText?: boolean | undefined;
  /**
   * Largest answer that is read, in bytes; default 128 MiB for records, queues and node classes, which hold workflows and definitions, and
   * 8 MiB for all others. Where only the state of a job is wanted its workflow is skipped, and does not count.
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Largest message of the socket, or event of a stream, in bytes; default 16 MiB, with `dialect: 'local'` 256 MiB, and 32 MiB with
   * `dialect: 'v2'`. A larger one is a `Malformed` frame, and the connection begins anew. A page has no such bound, nor has a class of
   * `WebSocket`.
   */
  readonly maxMessageBytes?: number | undefined;
  /**
   * Keeps what jobs and nodes took, as JSON text, for the time left of jobs of later clients; it may fail. Default: the client keeps
   * 1,000 classes and sizes of nodes in memory.
   */
  readonly durations?: DurationStore | undefined;
  /**
   * Gets what the client does: requests with their ids, connections, jobs and what stops them, with keys redacted; `console` is a logger.
   * Where `NODE_ENV` is not `production`, `close()` warns of calls that were made and never run, by name. Default: nothing is logged.
   */
  readonly logger?: Logger | undefined;
  /** Ends the client when it aborts, like `close()`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * A class of WebSockets in place of the runtime's own: undici's, that of `ws`, a mock, or a subclass of one of them. The client
   * constructs it with the URL, and where `headers` are set with `undefined` and `{ headers }` as well, which `ws` sends and the
   * others ignore: a subclass of undici's can pass its own. Not together with `platform`.
   *
   * A class of the browser's interface can't ping, so the client asks over REST for a job that is silent.
   */
  readonly WebSocket?: WebSocketConstructor | undefined;
  /**
   * Everything that the client needs from the outside, in place of what the runtime has: for tests, and for other transports. The
   * client calls its `close` when it closes. Default: `defaultPlatform()`.
   */
  readonly platform?: Platform | undefined;
  /**
   * Records what the sockets carry: `recordFrames(path)` of `promptwire/testing`. A recording holds pictures and texts, and no
   * keys. It ends with the client. Default: nothing is recorded.
   */
  readonly record?: SocketRecorder | undefined;
}

/** What `createClient` takes; on Node.js and Bun it has `agent` as well. */
export type ClientOptions = CommonClientOptions;

/** Replayed to late subscribers; see {@link ConnectionState}. */
export type Connection = Observable<ConnectionState>;

/** The options as they came, unchecked. */
type UncheckedOptions = { readonly [Name in keyof CommonClientOptions]?: unknown };

/**
 * Refuses what no client can work with; addresses and the key are read elsewhere.
 *
 * Throws `InvalidConfig` with the option's name, which is `options` if no options are given. Members that are no options pass,
 * so that an emulator is one.
 */
export const checkClientOptions: (options: unknown) => asserts options is UncheckedOptions = (options) => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw serviceError('InvalidConfig', {
      option: 'options',
      message: 'options takes an object with a baseUrl.',
    });
  }
  const { dialect, tier, lingerMs, recordWithinMs, notFoundAfterMs } = options as UncheckedOptions;
  const { partnerKeyField, allowClearText, keptFrames, requestBudget, signal } = options as UncheckedOptions;
  const { auth, workspace } = options as UncheckedOptions;
  const { WebSocket, platform, record, maxAnswerBytes, maxMessageBytes } = options as UncheckedOptions;
  const { durations, logger } = options as UncheckedOptions;
  const dialectNames: readonly unknown[] = Object.keys(dialects);
  const given: readonly (readonly [option: string, value: unknown, fits: boolean, takes: string])[] = [
    ['dialect', dialect, dialectNames.includes(dialect), dialectNames.join(' or ')],
    ['auth', auth, auth === 'key' || auth === 'bearer', 'key or bearer'],
    ['workspace', workspace, /^[\w-]{1,128}$/u.test(String(workspace)), 'the id of a workspace'],
    ['tier', tier, tiers.includes(tier), `one of ${tiers.join(', ')}`],
    ['lingerMs', lingerMs, isDuration(lingerMs), 'milliseconds, 0 or more'],
    ['recordWithinMs', recordWithinMs, isDuration(recordWithinMs), 'milliseconds, 0 or more'],
    ['notFoundAfterMs', notFoundAfterMs, isDuration(notFoundAfterMs), 'milliseconds, 0 or more'],
    [
      'partnerKeyField',
      partnerKeyField,
      typeof partnerKeyField === 'string' && partnerKeyField !== '',
      'the name of a field',
    ],
    ['allowClearText', allowClearText, typeof allowClearText === 'boolean', 'true or false'],
    [
      'keptFrames',
      keptFrames,
      isFrameLimits(keptFrames),
      'jobBytes, clientBytes, earlyBytes and imageBytes, numbers from 0',
    ],
    ['requestBudget', requestBudget, isBudget(requestBudget), 'perSecond above 0 and burst from 1'],
    ['maxAnswerBytes', maxAnswerBytes, isSize(maxAnswerBytes), 'a number of bytes above 0'],
    ['maxMessageBytes', maxMessageBytes, isSize(maxMessageBytes), 'a number of bytes above 0'],
    ['signal', signal, isSignal(signal), 'an AbortSignal'],
    [
      'WebSocket',
      WebSocket,
      typeof WebSocket === 'function' && platform === undefined,
      'a class, and no platform beside it',
    ],
    ['platform', platform, isPlatform(platform), 'clock, random, uuid, openSocket and request'],
    ['durations', durations, hasFunctions(durations, ['read', 'write']), 'an object with read and write'],
    ['logger', logger, isLogger(logger), 'an object with debug, info, warn and error, such as console'],
    ['record', record, isRecorder(record), 'what recordFrames of promptwire/testing returns'],
  ];
  for (const [option, value, fits, takes] of given) {
    if (value !== undefined && !fits) {
      throw serviceError('InvalidConfig', { option, message: `${option} takes ${takes}.` });
    }
  }
};

const isFrameLimits = (value: unknown): boolean =>
  isJsonObject(value) &&
  [value['jobBytes'], value['clientBytes'], value['earlyBytes'], value['imageBytes']].every(
    (bytes) => bytes === undefined || (typeof bytes === 'number' && bytes >= 0),
  );

const isBudget = (value: unknown): boolean => {
  if (!isJsonObject(value)) return false;
  const { perSecond = 1, burst = 1 } = value;
  return typeof perSecond === 'number' && perSecond > 0 && typeof burst === 'number' && burst >= 1;
};

const isSize = (value: unknown): boolean => typeof value === 'number' && value > 0;

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0;

/** A signal of another realm, or one that stands in for it, is no instance of this `AbortSignal`. */
const isSignal = (value: unknown): boolean =>
  hasFunctions(value, ['addEventListener']) && 'aborted' in value && typeof value.aborted === 'boolean';

const isPlatform = (value: unknown): boolean =>
  hasFunctions(value, ['random', 'uuid', 'openSocket', 'request']) &&
  'clock' in value &&
  hasFunctions(value.clock, ['now', 'wall', 'after']);

/** `recordFrames` makes a function that has members. */
const isRecorder = (value: unknown): boolean =>
  typeof value === 'function' ? 'attach' in value : hasFunctions(value, ['attach']);

/** Also where the functions are methods of a class. */
const hasFunctions = (value: unknown, names: readonly string[]): value is object =>
  typeof value === 'object' &&
  value !== null &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');

const tiers: readonly unknown[] = ['free', 'standard', 'creator', 'pro', 'unlimited'];
