import { authoriseWith } from './authorise.js';
import { type Caller, type CallerLimits, defaultReauthorizeMs, defaultStallMs } from '../options.js';
import { type BodyBudget, bodyBudget, type BodyHold } from './body-budget.js';
import { bodyTurns, type BodyTurns, sliceBytes } from './body-turns.js';
import { limitsOf, totalsOf } from './caller-limits.js';
import { callerUsage, type CallerUsage } from './caller-usage.js';
import { checkQuery } from './check-query.js';
import type { Context, Handler } from 'hono';
import type { GatewayEnv } from './gateway-env.js';
import type { HandlerOptions } from './handler-options.js';
import { heldBody } from './held-body.js';
import { HttpRefusal, type Refusal } from './refusal.js';
import { isDeclaredJson } from './origins.js';
import { nextTurn } from '../../../core/platform/next-turn.js';
import { type PreviewTickets, previewTickets } from './preview-tickets.js';
import { reauthorize } from './reauthorize.js';
import { type BodyReading, readBody } from './read-body.js';
import type { Route, RouteCall } from './route.js';
import { refuse, withBody } from './respond.js';

/** Makes the handlers of routes: each names the caller, keeps to its limits, and then answers. */
export const routeServer = (options: HandlerOptions): ((route: Route) => Handler<GatewayEnv>) => {
  const totals = totalsOf(options.totals);
  const server: RouteServer = {
    options,
    authorise: authoriseWith(options.authorize, options.tokens),
    usage: callerUsage(options.clock, totals),
    bodies: bodyBudget(totals.heldBytes),
    turns: bodyTurns(options.clock),
    tickets: previewTickets(options.tokens, options.clock),
  };
  return (route) => async (context, next) => {
    // Hono answers `HEAD` by the routes of `GET`.
    if (route.method === 'HEAD' && context.req.method !== 'HEAD') return next();
    context.set('errors', route.errors);
    if (route.access !== 'open' && options.isClosed?.() === true) throw new HttpRefusal(goingDown);
    return serve(server, route, context);
  };
};

/** What all routes share. */
interface RouteServer {
  readonly options: HandlerOptions;
  readonly authorise: ReturnType<typeof authoriseWith>;
  readonly usage: CallerUsage;
  readonly bodies: BodyBudget;
  readonly turns: BodyTurns;
  readonly tickets: PreviewTickets;
}

const serve = async (
  { options, authorise, usage, bodies, turns, tickets }: RouteServer,
  route: Route,
  context: Context<GatewayEnv>,
): Promise<Response> => {
  const { clock, onError, mount = '', origin, reauthorizeMs: everyMs = defaultReauthorizeMs } = options;
  const request = context.req.raw;
  const { url } = context.var;
  const ticket = url.searchParams.get('ticket') ?? undefined;
  url.searchParams.delete('ticket');
  const params = context.req.param() as RouteCall['params'];
  const jobId = params['id'];
  const ask = () => authorise(route, { request, ticket, jobId });
  const caller = await ask();
  if (caller instanceof Response) return caller;
  if (route.access !== 'open') context.set('caller', caller);

  const limits = limitsOf(options.limits, caller.limits);
  keepToRate(usage, route, caller, limits);
  const unknown = checkQuery(route, url);
  if (unknown !== undefined) throw new HttpRefusal(unknown);
  turns.called(caller.name);
  const hold = bodies.open(caller.name, limits.heldBytes);
  const turn = (bytes: number): Promise<void> => turns.take(caller.name, bytes);
  const body = bodyOf(request, route, { limits, hold, turn }, options);
  const used = usedBy(route, request);
  const releaseUse = used === undefined ? nothing : take(usage, used, caller, limits);
  let releaseWait = nothing;
  // A ticket says what it opens, and ends by itself.
  const authorization =
    route.stream === true && ticket === undefined
      ? reauthorize({ ask, caller, everyMs, clock, onError })
      : undefined;
  const release = (): void => {
    releaseUse();
    releaseWait();
    hold.release();
    authorization?.stop();
  };
  let answer: Response | Refusal | undefined;
  try {
    answer = await route.handle({
      ...{ request, url, params, caller, mount, ...body },
      base: `${origin ?? url.origin}${mount}`,
      uploadBytes: limits.uploadBytes,
      hold,
      work: async (bytes) => {
        hold.add(bytes);
        await turn(bytes);
      },
      pause: async () => {
        await turn(sliceBytes);
        await nextTurn(clock);
      },
      wait: () => {
        if (limits.streams === 0) return false;
        releaseWait = take(usage, 'streams', caller, limits);
        releaseUse();
        hold.release();
        return true;
      },
      previewTicket: () => tickets({ caller, jobId }),
      revoked: authorization?.revoked,
      ended: release,
    });
  } finally {
    if (!(answer instanceof Response) || route.stream !== true) release();
  }
  return held(answer instanceof Response ? answer : refuse(answer, route.errors), options, () =>
    bodies.open(caller.name, limits.heldBytes),
  );
};

/** A large answer counts as held until its reader has it. */
const held = (
  answer: Response,
  { clock, stallMs = defaultStallMs }: HandlerOptions,
  open: () => BodyHold,
): Response => withBody(answer, (body) => heldBody(body, { clock, stallMs, hold: open() }));

const keepToRate = (
  usage: CallerUsage,
  { access, unlimited }: Route,
  { name }: Caller,
  limits: CallerLimits,
): void => {
  if (access === 'open' || unlimited === true) return;
  const waitS = usage.request(name, limits);
  if (waitS !== undefined) throw tooMany('rate_limited', 'Too many requests.', waitS);
};

const bodyOf = (
  request: Request,
  route: Route,
  { limits, hold, turn }: { readonly limits: CallerLimits } & Pick<BodyReading, 'hold' | 'turn'>,
  { loopbackOnly, clock }: HandlerOptions,
): ReturnType<typeof readBody> => {
  const isUpload = isUploadOf(route, request);
  if (loopbackOnly === true && !isUpload && !isDeclaredJson(request)) throw new HttpRefusal(notJson);
  const option = isUpload ? 'uploadBytes' : 'bodyBytes';
  return readBody(
    request,
    { option, bytes: limits[option], values: limits.bodyValues, textBytes: limits.bodyBytes },
    { clock, hold, turn },
  );
};

const nothing = (): void => undefined;

const isUploadOf = ({ body }: Route, { headers }: Request): boolean =>
  body === 'upload' ||
  (body === 'json or form' && /^multipart\/form-data\b/iu.test(headers.get('content-type') ?? ''));

/** Which limit a request counts against from its beginning. */
const usedBy = (route: Route, request: Request): 'streams' | 'uploads' | undefined => {
  if (route.stream === true) return 'streams';
  return isUploadOf(route, request) ? 'uploads' : undefined;
};

/** Counts a stream or an upload against its caller's limit. */
const take = (
  usage: CallerUsage,
  what: 'streams' | 'uploads',
  caller: Caller,
  limits: CallerLimits,
): (() => void) => {
  // Clients of API v2 then poll, and come again after a 429.
  if (what === 'streams' && limits.streams === 0) throw new HttpRefusal(noStreams);
  const taken = usage.take(caller.name, what, limits[what]);
  if (taken === 'caller') {
    throw tooMany(
      `too_many_${what}`,
      `You have ${limits[what]} ${what} at once, which is your limit (limits.${what} of the gateway).`,
      5,
    );
  }
  if (taken === 'all') throw overloaded(what);
  return taken;
};

const tooMany = (code: string, message: string, retryAfterS: number): HttpRefusal =>
  new HttpRefusal({ status: 429, code, message, retryAfterS });

const overloaded = (what: 'streams' | 'uploads'): HttpRefusal =>
  new HttpRefusal({
    status: 503,
    code: 'overloaded',
    message: `All callers together have as many ${what} as this gateway takes at once (totals.${what}).`,
    retryAfterS: 5,
  });

const noStreams: Refusal = {
  status: 501,
  code: 'not_implemented',
  message: 'This gateway has no streams of events.',
};

const notJson: Refusal = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'The body has to be declared as application/json.',
};

const goingDown: Refusal = {
  status: 503,
  code: 'going_down',
  message: 'The gateway is going down.',
  retryAfterS: 1,
};
