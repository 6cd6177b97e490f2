import { apiRoutes } from './routes/api-routes.js';
import type { Client } from '../../client/client-types.js';
import { continuedLog } from '../joblog/continued-log.js';
import { logWithoutServers } from './upstream/without-servers.js';
import { checked, limitsOf, totalsOf } from './http/caller-limits.js';
import { createHandler } from './http/handler.js';
import { createJobs } from './jobs/create-jobs.js';
import { defaultLimits, type Gateway, type GatewayOptions } from './options.js';
import {
  healthRoutes,
  openApiRoute,
  serverRoutes,
  watchTokenRoutes,
  webhookRoutes,
} from './routes/routes.js';
import type { GatewayJobs } from './model/gateway-jobs.js';
import { memoryAssetIndex } from './store/memory-asset-index.js';
import { memoryEventLog } from './store/memory-event-log.js';
import { memoryJobIndex } from './store/memory-job-index.js';
import { memoryTemplateStore } from './store/memory-template-store.js';
import type { EventLog } from '../joblog/event-log.js';
import type { GatewayQueue } from './services/gateway-queue.js';
import { queueUpstream } from './upstream/queue-upstream.js';
import { type GatewayPool, isPool } from './services/gateway-pool.js';
import { poolUpstream } from './upstream/pool-upstream.js';
import type { GatewayService } from './services/gateway-service.js';
import { serviceOf } from './services/service-of.js';
import { serviceOfQueue } from './services/service-of-queue.js';
import { readinessOf } from './readiness.js';
import type { Clock } from '../../core/platform/platform.js';
import { realClock } from '../../core/platform/clock.js';
import { serverRegistry } from './servers/server-registry.js';
import type { Route } from './http/route.js';
import { serviceError } from '../../core/errors/service-error.js';
import { upstreamOf } from './upstream/upstream.js';
import { uuid } from '../../core/platform/uuid.js';
import { v2Documents } from './v2/v2-events.js';
import { isHost } from './webhooks/webhook-target.js';
import { withLogger } from './with-logger.js';
import { watchTokens } from './http/watch-tokens.js';

/**
 * Makes a gateway: a handler of web requests that runs the jobs of many callers by the clients of one program, which hold the keys.
 *
 * It serves API v2 and, beyond it, lists, one stream of all jobs of a caller, previews, uploads and templates. A job goes on when its
 * reader leaves; a stream that was cut goes on where it was. It takes up the jobs that `index` knows before it answers the first
 * request. Throws `InvalidConfig` for options that contradict each other.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const gateway = createGateway({ client, authorize: bearerTokens({ web: 'a-long-random-token' }) });
 * const answer = await gateway.fetch(new Request('http://localhost/healthz'));
 * ```
 */
export const createGateway = (given: GatewayOptions): Gateway => {
  const options = withLogger(given);
  const clients = clientsOf(options);
  const mount = mountOf(options.mount);
  const { clock = realClock } = options;
  checkOptions(options);
  const tokens = watchTokens({ secret: options.watchTokenSecret, clock });
  const { queue } = options;
  const services = servicesOf(clients, queue, clock);
  const readiness = readinessOf({
    ...{ queue, index: options.index, clock },
    services: Object.values(services),
  });
  const closing = new AbortController();

  const jobs = createJobs({
    clock,
    uuid,
    index: options.index ?? memoryJobIndex(),
    log: logFor(options.log, queue),
    upstreams:
      queue === undefined
        ? Object.fromEntries(
            Object.entries(clients).map(([name, client]) => [
              name,
              isPool(client) ? poolUpstream(client, clock) : upstreamOf(client),
            ]),
          )
        : { default: queueUpstream(queue, services['default']) },
    retentionMs: options.keepMs,
    lostAnswers: options.lostAnswers,
    stallMs: options.stallMs,
    onError: options.onError,
    v2: v2Documents,
    jobsPerOwner: options.limits?.jobs ?? defaultLimits.jobs,
    bytesPerOwner: options.limits?.keptBytes ?? defaultLimits.keptBytes,
    webhooks: options.webhooks,
    webhookStore: options.webhookStore,
  });
  const routesOf = (started: GatewayJobs): readonly Route[] => [
    ...healthRoutes(async () => (closing.signal.aborted ? { fault: 'closing', damaged: 0 } : readiness())),
    ...watchTokenRoutes(tokens, async (caller, id) => (await started.get(caller, id)) !== undefined),
    ...serverRoutes({
      registry: serverRegistry(Object.values(clients), queue),
      ...{ clock, closing: closing.signal, stallMs: options.stallMs },
    }),
    ...webhookRoutes(started.webhooks, options.webhooks?.allowHosts),
    ...apiRoutes({
      jobs: started,
      services,
      assets: options.assets ?? memoryAssetIndex({ now: clock.wall }),
      templates: options.templates ?? {},
      templateStore: options.templateStore ?? memoryTemplateStore(),
      limits: options.limits,
      now: clock.wall,
      clock,
      inputs: options.inputs,
      maxWaitMs: options.maxWaitMs,
      webhookHosts: options.webhooks?.allowHosts,
      stallMs: options.stallMs,
    }),
  ];
  const handler = jobs.then((started) => {
    const routes = routesOf(started);
    const all = [...routes, openApiRoute(routes)];
    return createHandler({
      ...options,
      mount,
      tokens,
      clock,
      isClosed: () => closing.signal.aborted,
      routes: all,
    });
  });
  const ready = handler.then(() => undefined);
  // Each request says so as well.
  ready.catch(() => undefined);

  const close = async (): Promise<void> => {
    closing.abort();
    await jobs.then(
      (started) => started.close(),
      () => undefined,
    );
    await options.inputs?.fetcher.close?.();
    await options.assets?.close?.();
    await options.templateStore?.close?.();
  };
  return {
    ready,
    fetch: (request) =>
      handler.then(
        (handle) => handle(request),
        (error: unknown) => {
          options.onError?.(error);
          return new Response(null, { status: 503 });
        },
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** A queue that has a log supplies it; the gateway's own one is the former then. */
const logFor = (own: EventLog | undefined, queue: GatewayQueue | undefined): EventLog => {
  const supplied = queue?.log && logWithoutServers(queue.log);
  if (supplied === undefined) return own ?? memoryEventLog();
  return own === undefined ? supplied : continuedLog(own, supplied);
};

const clientsOf = ({
  client,
  clients,
  queue,
}: GatewayOptions): Readonly<Record<string, Client | GatewayPool>> => {
  if (queue !== undefined) {
    if (clients !== undefined) throw invalid('clients', 'A gateway with a queue has one client at most.');
    return client === undefined ? {} : { default: client };
  }
  if ((client === undefined) === (clients === undefined)) {
    throw invalid('client', 'A gateway has either client or clients, or a queue.');
  }
  const named = clients ?? (client === undefined ? {} : { default: client });
  if (Object.keys(named).length === 0) throw invalid('clients', 'clients has at least one client.');
  return named;
};

/** What the gateway asks of each client; beside a queue over servers, of both. */
const servicesOf = (
  clients: Readonly<Record<string, Client | GatewayPool>>,
  queue: GatewayQueue | undefined,
  clock: Pick<Clock, 'after'>,
): Readonly<Record<string, GatewayService>> =>
  Object.fromEntries(
    Object.entries(clients).map(([name, client]) => {
      const service = serviceOf(client, clock);
      return [name, queue === undefined ? service : serviceOfQueue(queue, service)];
    }),
  );

const mountOf = (mount = ''): string => {
  const path = mount.replace(/\/+$/u, '');
  if (path === '' || isPath(path)) return path;
  throw invalid('mount', 'mount is a path that begins with a slash.');
};

/** Whether an address with this path has just this one: a browser takes `//a` for a host, and leaves out `/..`. */
const isPath = (path: string): boolean => {
  if (!/^\/[^?#\\\s]+$/u.test(path) || !URL.canParse(path, 'http://h')) return false;
  const { host, pathname } = new URL(path, 'http://h');
  return host === 'h' && [path, encodeURI(path)].includes(pathname);
};

const invalid = (option: string, message: string): Error =>
  serviceError('InvalidConfig', { option, message });

/** Throws `InvalidConfig` for options that can't work, alone or together. */
const checkOptions = ({ watchTokenSecret, log, index, webhooks, ...options }: GatewayOptions): void => {
  limitsOf(options.limits);
  totalsOf(options.totals);
  const { reauthorizeMs, maxWaitMs, keepMs, stallMs } = options;
  checked('', { reauthorizeMs, maxWaitMs, keepMs, stallMs });
  if (watchTokenSecret !== undefined && watchTokenSecret.length < 32) {
    throw invalid('watchTokenSecret', 'watchTokenSecret has at least 32 bytes.');
  }
  if (log?.changes !== undefined && index?.leases === undefined) {
    throw invalid(
      'index',
      'A log that several processes share needs an index with leases, which say who follows a job.',
    );
  }
  const noHost = webhooks?.allowHosts?.find((host) => !isHost(host));
  if (noHost !== undefined) {
    throw invalid(
      'webhooks',
      `allowHosts takes hosts such as hooks.internal or 10.0.0.5:8080, and not ${JSON.stringify(noHost)}.`,
    );
  }
  if (webhooks !== undefined && index?.leases !== undefined) {
    throw invalid(
      'webhooks',
      'webhooks needs an index that this process has alone, as each would send them.',
    );
  }
};
