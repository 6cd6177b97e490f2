import { bearerTokens, createGateway, type Gateway } from '../../../src/gateway.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { type Random, randomOf } from '../../simulation/random.js';
import { drawLife, lifeWorkflow } from './draw-life.js';
import { clientOf, playedService, previewOf } from '../../gateway/support.js';

/** What a range of tries came to. */
export interface WallTries {
  readonly tries: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** One request. */
interface Probe {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as a stranger can tell it from another one. */
interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: string;
}

/** What a stranger may guess of a job. */
interface Ids {
  readonly job: string;
  readonly output: string;
}

const tokens = { alice: 'token-of-alice-0123456789', bob: 'token-of-bob-0123456789' };
const json = { 'content-type': 'application/json' };

/**
 * Tries to get at what another caller has, by a range of seeds: each try has to be refused, and with the same answer as a try at what
 * does not exist. `wrap` may plant a bug before the gateway.
 */
export const tryWalls = async (
  { from, count }: { readonly from: number; readonly count: number },
  wrap: (fetch: Gateway['fetch']) => Gateway['fetch'] = (fetch) => fetch,
): Promise<WallTries> => {
  const town = await buildTown(wrap);
  const kinds: Record<string, number> = {};
  const problems: string[] = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const random = randomOf(seed, 17);
    const kind = random.pick(Object.keys(town.tries));
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    const found = await town.tries[kind]!(random);
    problems.push(
      ...found.map((problem) => `${kind}: ${problem}; npm run replay -- secrets-and-walls --seed ${seed}`),
    );
  }
  problems.push(...(await town.close()));
  return { tries: count, kinds, problems };
};

const buildTown = async (wrap: (fetch: Gateway['fetch']) => Gateway['fetch']) => {
  const service = playedService();
  const open = playedService();
  const clock = virtualClock();
  const roomy = { requestsPerSecond: 1e9 };
  const gateway = createGateway({
    client: clientOf(service),
    clock,
    authorize: bearerTokens(tokens),
    limits: roomy,
  });
  const other = createGateway({
    client: clientOf(playedService()),
    clock,
    authorize: () => ({ name: 'alice' }),
  });
  const ofMachine = createGateway({
    ...{ client: clientOf(open), clock, limits: roomy, loopbackOnly: true },
    authorize: () => ({ name: 'local' }),
    allowOrigins: ['https://app.example'],
  });
  const fetch = wrap(gateway.fetch);
  const fetchOfMachine = wrap(ofMachine.fetch);
  const ask = (
    send: Gateway['fetch'],
    { method, path, headers, body }: Probe,
    base = 'http://gateway.test',
  ) =>
    send(
      new Request(`${base}${path}`, {
        method,
        ...(headers && { headers }),
        ...(body !== undefined && { body }),
      }),
    );
  const as = (caller: keyof typeof tokens) => ({ authorization: `Bearer ${tokens[caller]}` });
  const doc = async (probe: Probe, send = fetch): Promise<Record<string, unknown>> =>
    (await (await ask(send, probe)).json()) as Record<string, unknown>;

  // One job of Alice's that runs, and one with files that has ended.
  const submit = { method: 'POST', path: '/api/v2/jobs', body: JSON.stringify({ workflow: lifeWorkflow }) };
  const alices: Ids[] = [];
  for (let nth = 0; nth < 2; nth += 1) {
    const { id } = await doc({ ...submit, headers: { ...json, ...as('alice') } });
    const played = service.jobs[nth]!;
    const [, running, ...rest] = drawLife(randomOf(3), played.promptId);
    const files = { 2: { images: [{ filename: 'picture-of-alice.png', subfolder: '', type: 'output' }] } };
    played.move({ ...running!, phase: 'in_progress', outputs: files });
    played.frame(previewOf(played, '2', 64));
    if (nth === 1) played.move({ ...rest.at(-1)!, outputs: files });
    for (;;) {
      const { outputs } = await doc({
        method: 'GET',
        path: `/api/v2/jobs/${String(id)}`,
        headers: as('alice'),
      });
      const [output] = outputs as readonly { readonly id: string }[];
      if (output !== undefined) {
        alices.push({ job: String(id), output: output.id });
        break;
      }
    }
  }
  const ticketOf = async (caller: keyof typeof tokens, body: object, send = fetch): Promise<string> => {
    const headers = { ...json, ...as(caller) };
    const { ticket } = await doc(
      { method: 'POST', path: '/watch-tokens', headers, body: JSON.stringify(body) },
      send,
    );
    return String(ticket);
  };
  const expired = await ticketOf('alice', { job: alices[0]!.job, seconds: 1 });
  await clock.advance(2_000);
  const ticketOfJob = await ticketOf('alice', { job: alices[0]!.job });
  const ticketOfBob = await ticketOf('bob', {});
  const ticketElsewhere = await ticketOf('alice', {}, other.fetch);

  const tell = async (probe: Probe, ids: readonly string[], send = fetch, base?: string): Promise<Told> => {
    const response = await ask(send, probe, base);
    const isStream =
      response.status === 200 && response.headers.get('content-type')?.includes('json') !== true;
    if (isStream) await response.body?.cancel();
    const text = isStream ? 'a stream or a file' : await response.text();
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const blind = (shown: string): string =>
      [...ids]
        .sort((one, other) => other.length - one.length)
        .reduce((left, id) => left.replaceAll(id, 'ID'), shown);
    return { status: response.status, text: blind(text), headers: blind(headers) };
  };
  /** The same try at what is Alice's and at what does not exist: refused, and nobody can tell which it was. */
  const compare = async (real: Probe, unreal: Probe, ids: readonly string[]): Promise<readonly string[]> => {
    const [one, another] = [await tell(real, ids), await tell(unreal, ids)];
    const what = `${real.method} ${real.path}`;
    return [
      ...(one.status >= 400 ? [] : [`${what} was answered ${one.status}: ${one.text.slice(0, 200)}`]),
      ...(JSON.stringify(one) === JSON.stringify(another)
        ? []
        : [`${what} differs: ${JSON.stringify(one)} for ${JSON.stringify(another)}`]),
      ...shown(one.text),
    ];
  };

  const noOne = (random: Random): Ids => {
    const job = uuidOf(random);
    // As the ids of outputs look.
    return { job, output: alices[0]!.output.replace(alices[0]!.job, job) };
  };

  const tries: Readonly<Record<string, (random: Random) => Promise<readonly string[]>>> = {
    "another caller's job": (random) => {
      const [real, unreal] = [random.pick(alices), noOne(random)];
      const probe = random.pick(probes);
      const of = (ids: Ids): Probe => signed(probe(ids), as('bob'));
      return compare(of(real), of(unreal), [real.job, real.output, unreal.job, unreal.output]);
    },
    'a guessed id': (random) => {
      const spoil = random.pick(spoilt);
      const place = random.below(1_000);
      const known = random.pick(alices);
      const spoiltIds = ({ job, output }: Ids): Ids => ({
        job: spoil(job, place),
        output: spoil(output, place),
      });
      const probe = random.pick(probes);
      const [real, unreal] = [spoiltIds(known), spoiltIds(noOne(random))];
      const of = (ids: Ids): Probe => signed(probe(ids), as('bob'));
      return compare(of(real), of(unreal), [real.job, real.output, unreal.job, unreal.output]);
    },
    'no token, or a wrong one': (random) => {
      const [real, unreal] = [random.pick(alices), noOne(random)];
      const probe = random.pick(probes);
      const wrong = random.pick<Readonly<Record<string, string>>>([
        {},
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: `Bearer ${tokens.alice.slice(0, -1)}` },
        { authorization: `Bearer ${tokens.alice}0` },
        { authorization: `Basic ${tokens.alice}` },
        { authorization: `Bearer ${tokens.alice.toUpperCase()}` },
        { authorization: `Bearer ${tokens.alice} ${tokens.bob}` },
        { 'x-api-key': tokens.alice },
        { cookie: `authorization=Bearer ${tokens.alice}` },
      ]);
      return compare(signed(probe(real), wrong), signed(probe(unreal), wrong), [
        ...[real.job, real.output, unreal.job, unreal.output],
      ]);
    },
    'a watch token that is not good': async (random) => {
      const flipped = flip(ticketOfJob, random.below(1_000));
      const [payload = '', signature = ''] = ticketOfJob.split('.');
      const [payloadOfBob = '', signatureOfBob = ''] = ticketOfBob.split('.');
      const forged = Buffer.from(JSON.stringify({ caller: { name: 'alice' }, expiresAt: 1e15 })).toString(
        'base64url',
      );
      const [job, second] = [alices[0]!, alices[1]!];
      const [ticket, at] = random.pick<readonly [string, Ids]>([
        [flipped, job],
        [expired, job],
        [ticketElsewhere, job],
        [ticketOfJob, second],
        [`${payload}.${signatureOfBob}`, job],
        [`${payloadOfBob}.${signature}`, job],
        [`${forged}.${signature}`, job],
        [`${forged}.`, job],
        [`.${signature}`, job],
        ['', job],
        [`${ticketOfJob}.${signature}`, job],
        [`${ticketOfJob}=`, job],
        [tokens.alice, job],
      ]);
      const probe = random.pick(watched)(at);
      const of = (one: string): Probe => ({
        ...probe,
        path: `${probe.path}?ticket=${encodeURIComponent(one)}`,
      });
      return compare(of(ticket), of('nothing.at-all'), []);
    },
    "another caller's watch token": (random) => {
      const [real, unreal] = [random.pick(alices), noOne(random)];
      const probe = random.pick(watchedByJob);
      const of = (ids: Ids): Probe => ({ ...probe(ids), path: `${probe(ids).path}?ticket=${ticketOfBob}` });
      return compare(of(real), of(unreal), [real.job, real.output, unreal.job, unreal.output]);
    },
    'a watch token where none is taken': (random) => {
      const [real, unreal] = [alices[0]!, noOne(random)];
      const probe = random.pick(unwatched);
      const of = (ids: Ids): Probe => ({ ...probe(ids), path: `${probe(ids).path}?ticket=${ticketOfJob}` });
      return compare(of(real), of(unreal), [real.job, real.output, unreal.job, unreal.output]);
    },
    'a page or a host from elsewhere': async (random) => {
      const foreign = random.pick<Readonly<Record<string, string>>>([
        ...[
          'https://evil.example',
          'null',
          'http://localhost:9999',
          'http://127.0.0.1',
          'https://app.example.evil.example',
        ].map((origin) => ({ origin })),
        ...['https://app.example/', 'http://app.example', 'https://APP.example.', 'file://'].map(
          (origin) => ({ origin }),
        ),
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        ...[
          'evil.example',
          'localhost.evil.example',
          '127.0.0.1.evil.example',
          'evil.example:8189',
          'localhost@evil.example',
        ].map((host) => ({ host })),
        ...['192.168.1.2', '10.0.0.1:8189', '[fe80::1]', '0.0.0.0', 'localhost.', ''].map((host) => ({
          host,
        })),
      ]);
      const probe = random.pick([...openProbes, ...probes.map((one) => one(noOne(random)))]);
      const method = random.chance(0.1) ? 'OPTIONS' : probe.method;
      const preflight = method === 'OPTIONS' && { 'access-control-request-method': probe.method };
      const { body, ...rest } = { ...probe, method, headers: { ...probe.headers, ...foreign, ...preflight } };
      const sent = method === 'OPTIONS' || body === undefined ? rest : { ...rest, body };
      const told = await tell(sent, [], fetchOfMachine, 'http://127.0.0.1:8189');
      return [
        ...(told.status >= 400
          ? []
          : [`${method} ${probe.path} with ${JSON.stringify(foreign)} was answered ${told.status}`]),
        ...(told.headers.includes('access-control-allow')
          ? ['a page from elsewhere may read the answer']
          : []),
        ...(open.jobs.length > 0 ? ['a job was submitted'] : []),
      ];
    },
    'a POST that is no JSON': async (random) => {
      const type = random.pick<Readonly<Record<string, string>>>([
        ...[
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'application/jsonx',
        ].map((one) => ({
          'content-type': one,
        })),
        { 'content-type': 'text/plain; application/json' },
        { 'content-type': 'application/ json' },
        {},
      ]);
      // A call of a template takes a form as well.
      const isForm = type['content-type'] === 'multipart/form-data';
      const path = random.pick([
        '/api/v2/jobs',
        '/watch-tokens',
        isForm ? '/watch-tokens' : '/templates/any',
        '/api/v2/assets/from-hash',
      ]);
      const probe: Probe = { method: 'POST', path, headers: type, body: submit.body };
      const { status } = await tell(probe, [], fetchOfMachine, 'http://127.0.0.1:8189');
      return [
        ...(status === 415 ? [] : [`POST ${path} with ${JSON.stringify(type)} was answered ${status}`]),
        ...(open.jobs.length > 0 ? ['a job was submitted'] : []),
      ];
    },
  };

  return {
    tries,
    /** Nothing came of all the tries. */
    close: async (): Promise<readonly string[]> => {
      const left = await Promise.all(
        alices.map(({ job }) => doc({ method: 'GET', path: `/jobs/${job}`, headers: as('alice') })),
      );
      const problems = [
        ...(service.cancelled.length > 0 ? ['a job of another caller was cancelled'] : []),
        ...(service.jobs.length > alices.length ? ['a job was submitted'] : []),
        ...(left.every(({ id }, nth) => id === alices[nth]!.job) ? [] : ['a job of Alice is gone']),
        ...(left.some((one) => 'cancelRequestedAt' in one) ? ['a job of Alice was to end'] : []),
      ];
      await Promise.all([gateway.close(), other.close(), ofMachine.close()]);
      return problems;
    },
  };
};

const get =
  (path: (ids: Ids) => string) =>
  (ids: Ids): Probe => ({ method: 'GET', path: path(ids) });
const post =
  (path: (ids: Ids) => string, body?: (ids: Ids) => unknown) =>
  (ids: Ids): Probe => ({
    ...{ method: 'POST', path: path(ids) },
    ...(body && { headers: json, body: JSON.stringify(body(ids)) }),
  });

/** What the holder of a watch token of the job may see. */
const watchedByJob = [
  get(({ job }) => `/jobs/${job}`),
  get(({ job }) => `/jobs/${job}/events`),
  get(({ job }) => `/api/v2/jobs/${job}/events`),
  get(({ job, output }) => `/jobs/${job}/outputs/${output}`),
  get(({ job }) => `/jobs/${job}/previews/2`),
];
const watched = [...watchedByJob, get(() => '/events')];

/** What takes a caller's own token. */
const unwatched = [
  get(({ job }) => `/api/v2/jobs/${job}`),
  get(({ job }) => `/api/v2/jobs/${job}/workflow`),
  get(({ output }) => `/api/v2/assets/${output}`),
  post(({ job }) => `/api/v2/jobs/${job}/cancel`),
  post(({ job }) => `/jobs/${job}/cancel`),
  post(
    () => '/watch-tokens',
    ({ job }) => ({ job }),
  ),
];

/** Everything that names a job or a file. */
const probes = [
  ...watchedByJob,
  ...unwatched,
  get(({ job }) => `/api/v2/jobs/${job}/logs`),
  get(({ output }) => `/api/v2/assets/${output}/content`),
  (ids: Ids): Probe => ({ method: 'DELETE', path: `/api/v2/assets/${ids.output}` }),
  (ids: Ids): Probe => ({ method: 'HEAD', path: `/api/v2/assets/${ids.output}/content` }),
  (ids: Ids): Probe => ({ method: 'HEAD', path: `/jobs/${ids.job}` }),
  (ids: Ids): Probe => ({ method: 'PUT', path: `/jobs/${ids.job}`, body: '{}', headers: json }),
  post(
    () => '/api/v2/jobs',
    ({ output }) => ({
      workflow: {
        1: { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET', info: { id: output } } } },
      },
    }),
  ),
];

/** What anybody could want of a gateway without tokens. */
const openProbes: readonly Probe[] = [
  { method: 'GET', path: '/jobs' },
  { method: 'GET', path: '/events' },
  { method: 'POST', path: '/api/v2/jobs', headers: json, body: JSON.stringify({ workflow: lifeWorkflow }) },
  { method: 'POST', path: '/watch-tokens', headers: json, body: '{}' },
];

const signed = (probe: Probe, headers: Readonly<Record<string, string>>): Probe => ({
  ...probe,
  headers: { ...probe.headers, ...headers },
});

/** Ways in which a stranger might spell the id of a job. */
const spoilt: readonly ((id: string, place: number) => string)[] = [
  (id, place) => flip(id, place),
  (id) => id.toUpperCase().concat('A'),
  (id) => id.slice(0, -1),
  (id) => `${id}0`,
  (id) => `%20${id}`,
  (id) => `${id}%00`,
  (id) => `${id}%2f..%2f${id}`,
  (id) => `..%2f${id}`,
  (id) => id.replaceAll('-', ''),
  (id) => `{${id}}`,
  () => 'p1',
  () => '__proto__',
  () => 'constructor',
  () => '*',
  () => '0',
  (_, place) => String(place),
];

const flip = (text: string, place: number): string => {
  const at = place % text.length;
  const digit = text[at]!;
  return `${text.slice(0, at)}${digit === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;
};

const uuidOf = (random: Random): string => {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/u, '$1-$2-4$3-a$4-$5').slice(0, 36);
};

/** Words that only Alice's jobs have. */
const shown = (text: string): readonly string[] =>
  ['picture-of-alice', 'SaveImage']
    .filter((word) => text.includes(word))
    .map((word) => `the answer shows ${word}`);
