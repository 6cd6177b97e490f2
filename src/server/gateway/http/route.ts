import type { BodyHold } from './body-budget.js';
import type { Caller } from '../options.js';
import type { Refusal } from './refusal.js';

/** The methods of routes. A route of `GET` answers `HEAD` as well, unless `HEAD` has a route of its own. */
export type RouteMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** One operation of the gateway. */
export interface Route {
  readonly method: RouteMethod;
  /** The path below the mount; a segment that begins with `:` is a parameter, such as `/api/v2/jobs/:id`. */
  readonly path: string;
  /**
   * Who may call: a caller whom `authorize` names; with `ticket` also the holder of a watch token for the job `:id` (a route without
   * `:id` is of all jobs of the token's caller); with `preview` also the holder of the ticket in a preview's address; with `open` everyone.
   */
  readonly access: 'caller' | 'ticket' | 'preview' | 'open';
  /** How refusals are written: API v2's envelope, or problem details (RFC 9457). */
  readonly errors: 'v2' | 'problem';
  /**
   * Which limit the request's body has: `bodyBytes` by default, or `uploadBytes` (which also counts as an upload of its caller); with
   * `json or form` that of an upload where it is a form.
   */
  readonly body?: 'json' | 'upload' | 'json or form';
  /**
   * The parameters that the query takes beside a watch token, as `name`, or `name[]` for `name[key]`; any other one is refused. Absent if
   * the query is not checked: of API v2, whose clients send what later versions take, and of open routes.
   */
  readonly query?: readonly string[];
  /** True for a stream of events, which counts against its caller's `streams` until the route calls `ended`. */
  readonly stream?: boolean;
  /** True if the rate of requests is no reason to refuse: `GET` of a job. */
  readonly unlimited?: boolean;
  /** Answers the request; a rejection with `HttpRefusal` is that refusal, any other one is a 500 without a reason. */
  readonly handle: (call: RouteCall) => Promise<Response | Refusal>;
}

/** A request that has passed the gateway's checks. */
export interface RouteCall {
  readonly request: Request;
  /** The address without a watch token; its path still has the mount where the request had it. */
  readonly url: URL;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Of an open route: a caller without a name. */
  readonly caller: Caller;
  /** Where the caller reaches the gateway: origin and mount, without a slash at the end. */
  readonly base: string;
  /** The mount alone: empty, or a path without a slash at the end. */
  readonly mount: string;
  /**
   * Reads the body as JSON, integers beyond 2^53 as `bigint`; rejects with `HttpRefusal` where it is not JSON, is nested too deep or breaks off
   * (400), is too large (413) or too slow (408), or where too many bytes of bodies are under way (429, 503).
   */
  readonly json: () => Promise<unknown>;
  /** Reads the body as a form, whose fields may have the bytes of a body of JSON; rejects likewise. */
  readonly form: () => Promise<FormData>;
  /** Reads a field of a form as JSON, within the bounds of a body of JSON; rejects likewise. */
  readonly field: (name: string, value: string | Blob) => Promise<unknown>;
  /** Reads the body as it is; rejects likewise. */
  readonly blob: () => Promise<Blob>;
  /** The body as it arrives; errors with `HttpRefusal` where it becomes too large. Null for a request without a body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** How many bytes a file of the caller may have. */
  readonly uploadBytes: number;
  /** Counts bytes that the route itself holds for the request as those of its body; throws `HttpRefusal` where there may be no more. */
  readonly hold: BodyHold;
  /**
   * Counts bytes that the route is about to read or to write, as those of its body, and waits for its caller's turn, as JSON is worked on in;
   * throws `HttpRefusal` where there may be no more.
   */
  readonly work: (bytes: number) => Promise<void>;
  /** Counts a slice of long work (`inSlices`) as the bytes that are worked on meanwhile, and waits for its caller's turn. */
  readonly pause: () => Promise<void>;
  /**
   * The request waits from now on: it counts as a stream of its caller, and what it held of bodies and uploads is free. Throws `HttpRefusal`
   * where the caller may have no more streams; false if the gateway has none, so that nothing may wait.
   */
  readonly wait: () => boolean;
  /** Gives the ticket that addresses of previews carry: for the job `:id`, or for all jobs of the caller where the path has none. */
  readonly previewTicket: () => string | Promise<string>;
  /** Of a stream: fires once `authorize` does not name its caller any more. */
  readonly revoked?: AbortSignal | undefined;
  /** Of a stream: the route calls it once the stream has ended, whatever ended it. A refusal needs no call. */
  readonly ended: () => void;
}
