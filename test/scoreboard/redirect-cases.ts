import * as E from 'fp-ts/lib/Either.js';
import type { ServerResponse } from 'node:http';
import { createClientOn } from '../../src/client/client.js';
import type { Client } from '../../src/client/client-types.js';
import { fileAccess } from '../../src/core/files/file-access.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import type { Platform } from '../../src/core/platform/platform.js';
import { canaries, canaryKey } from '../helpers/canaries.js';
import { httpServer, type SeenRequest } from '../helpers/http-server.js';
import { needlesOf } from '../helpers/needles.js';
import { sinks } from '../helpers/sinks.js';
import { type Random, randomOf } from '../simulation/random.js';
import type { Range, Tally } from './figure.js';

/** Where the requests of one case are sent on to, hop by hop. */
interface Route {
  /** What the service answers with, and the storage. */
  readonly statuses: readonly [first: number, later: number];
  readonly hops: readonly string[];
  readonly ends: 'bytes' | 'refused' | 'cut';
}

/**
 * Plays redirects on real sockets: a view that is sent on to other origins, and calls that must not be followed at all.
 *
 * Counts what other origins than the service's were sent that is none of their business. `wrap` stands between the client
 * and its platform.
 */
export const playRedirects = async (
  { from, count }: Range,
  wrap: (platform: Platform) => Platform = (platform) => platform,
): Promise<Tally> => {
  const routes = new Map<string, Route>();
  const serve = (isService: boolean) => (seen: SeenRequest, response: ServerResponse) => {
    const [, seed = '', hop = '0'] = /[?&]case=(\d+)(?:&hop=(\d+))?/u.exec(seen.url) ?? [];
    const number = seed === '' && isService ? /case(\d+)/u.exec(bodyText(seen) + seen.url)?.[1] : seed;
    answer(routes.get(number ?? ''), Number(hop), response);
  };
  await using service = await httpServer(serve(true));
  await using storage = await httpServer(serve(false));
  await using mirror = await httpServer(serve(false));
  const problems: string[] = [];
  const needles = needlesOf(canaries.key).concat(needlesOf(canaries.partnerKey));
  let [requests, followed, leaks] = [0, 0, 0];

  for (let seed = from; seed < from + count; seed += 1) {
    const random = randomOf(seed, 12);
    const origins = [storage.origin, mirror.origin.replace('127.0.0.1', 'localhost'), service.origin];
    routes.set(String(seed), routeOf(seed, random, origins));
    const client = createClientOn(
      wrap(nodePlatform()),
      { baseUrl: service.origin, apiKey: canaryKey(seed) },
      fileAccess,
    );
    const answered = await random.pick(calls)(client, `case${seed}.png`);
    sinks.value('a redirected call', answered);
    sinks.value('a redirected client', client);
    await client.close();
    const elsewhere = [...storage.seen.splice(0), ...mirror.seen.splice(0)];
    const hopsAtHome = service.seen.splice(0).filter(({ url }) => url.includes('&hop='));
    requests += elsewhere.length;
    if (elsewhere.length > 0) followed += 1;
    for (const request of [...elsewhere, ...hopsAtHome]) {
      const problem = problemOf(request, needles);
      if (problem === undefined) continue;
      leaks += 1;
      problems.push(`another origin was sent ${problem}; npm run replay -- secret-cases --seed ${seed}`);
    }
    routes.clear();
  }
  if (followed === 0 && count > 10) problems.push('no redirect was followed');
  return {
    counts: {
      'redirect cases': count,
      'followed elsewhere': followed,
      'requests elsewhere': requests,
      leaks,
    },
    problems,
  };
};

const calls: readonly ((client: Client, name: string) => Promise<unknown>)[] = [
  ...new Array<(client: Client, name: string) => Promise<unknown>>(9).fill(viewed),
  (client, name) =>
    client.rest.submit(
      { 1: { class_type: name, inputs: {} } },
      { partnerKey: canaries.partnerKey, timeoutMs: 5_000 },
    )(),
  (client, name) => client.rest.uploadImage({ content: new Uint8Array(8), filename: name })(),
  (client, name) => client.rest.jobStatus(name)(),
];

async function viewed(client: Client, filename: string): Promise<unknown> {
  const answered = await client.rest.view({ filename }, { timeoutMs: 5_000 })();
  if (E.isLeft(answered)) return answered;
  try {
    let bytes = 0;
    for await (const chunk of answered.right.body) bytes += chunk.length;
    return [answered, bytes];
  } catch (error) {
    return error;
  }
}

const redirects = [301, 302, 303, 307, 308] as const;

const routeOf = (seed: number, random: Random, origins: readonly string[]): Route => ({
  statuses: [random.chance(0.85) ? 302 : random.pick(redirects), random.pick(redirects)],
  hops: Array.from({ length: random.between(1, 4) }, (_, index) => {
    const origin = index === 0 ? origins[seed % 2]! : random.pick(origins);
    const query = `case=${seed}&hop=${index + 1}&X-Amz-Signature=${encodeURIComponent(canaries.signature)}`;
    const address = `${origin}/bucket/file?${query}`;
    return random.chance(0.2) ? address.replace(/^http:/u, '') : address;
  }),
  ends: random.pick(['bytes', 'bytes', 'refused', 'cut'] as const),
});

const answer = (route: Route | undefined, hop: number, response: ServerResponse): void => {
  const cookie = { 'set-cookie': `session=${canaries.signature}; Path=/` };
  if (route === undefined) response.writeHead(404).end();
  else if (hop < route.hops.length)
    response.writeHead(route.statuses[hop === 0 ? 0 : 1], { location: route.hops[hop]!, ...cookie }).end();
  else if (route.ends === 'refused')
    response.writeHead(403, cookie).end(`<Error><Signature>${canaries.signature}</Signature></Error>`);
  else if (route.ends === 'cut') {
    response.writeHead(200, { 'content-length': '1000', 'content-type': 'image/png' }).write('bytes');
    response.destroy();
  } else response.writeHead(200, { 'content-type': 'application/octet-stream', ...cookie }).end('bytes');
};

const forbidden = /^(?:x-api-key|authorization|proxy-authorization|cookie2?|referer|origin|x-comfy-.*)$/u;

const problemOf = (
  request: SeenRequest,
  needles: readonly { readonly encoding: string; readonly bytes: Buffer }[],
): string | undefined => {
  const name = Object.keys(request.headers).find((header) => forbidden.test(header));
  if (name !== undefined) return `the header ${name}`;
  const all = Buffer.concat([Buffer.from([request.url, ...request.rawHeaders].join('\n')), request.body]);
  const found = needles.find(({ bytes }) => all.includes(bytes));
  return found === undefined ? undefined : `a key (${found.encoding})`;
};

const bodyText = ({ body }: SeenRequest): string => body.toString('latin1');
