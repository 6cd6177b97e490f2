import { createGateway, memoryJobIndex } from '../../../src/gateway.js';
import { connect } from 'node:net';
import { createClient } from '../../../src/node.js';
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { playedTarget } from '../webhooks/support.js';
import { startEmulator } from '../../../src/emulator.js';
import { toNodeHandler } from '../../../src/gateway-node.js';

/** A gateway with all that it may have, on a socket of its own, and what its handlers threw. */
const gatewayOnLoopback = async () => {
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const client = createClient({ baseUrl: emulator.baseUrl, wsUrl: emulator.wsUrl, dialect: 'local' });
  const thrown: unknown[] = [];
  const gateway = createGateway({
    ...{ client, index: memoryJobIndex(), authorize: () => ({ name: 'ann', servers: 'change' as const }) },
    webhooks: { sender: playedTarget() },
    limits: { requestsPerSecond: 1e9, jobs: 1e6 },
    onError: (error) => thrown.push(error),
  });
  await gateway.ready;
  const server = createServer(toNodeHandler(gateway)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await gateway.close();
    await client.close();
    await emulator.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, thrown };
};

const deep = (levels: number): string => `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`;
const workflow = '{"1":{"class_type":"SlowNode","inputs":{"steps":1}}}';

/** Values that stand in the place of any member. */
const values: Readonly<Record<string, string>> = {
  null: 'null',
  number: '5',
  text: '"x"',
  list: '[]',
  object: '{}',
  'list of null': '[null]',
  'too deep': deep(100),
  'much too deep': deep(50_000),
  'large integer': '123456789012345678901234567890',
  'many digits': '1'.repeat(5_000),
  'half a surrogate pair': '"\\ud83d"',
  'names of prototypes': '{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":5}',
  'name of half a pair': '{"\\udc00":"\\ud83d"}',
  'twice the same': '{"a":1,"a":{"b":2},"a":[]}',
  long: `"${'x'.repeat(300_000)}"`,
  zero: '"\\u0000"',
};
/** Bodies with such a value in each place that a route may look at. */
const members = [
  ...[
    'workflow',
    'inputs',
    'metadata',
    'extra_data',
    'client',
    'targets',
    'webhook',
    'url',
    'events',
    'secrets',
  ],
  ...[
    'hash',
    'job',
    'jobs',
    'expires_in',
    'title',
    'description',
    'ui',
    'name',
    'tags',
    'file_path',
    'partner_key',
  ],
] as const;
const bodies: readonly string[] = [
  ...['', ' ', '{', '[]', 'null', '5', '"x"', '{"a":1}garbage', '\u{feff}{}', '{"workflow":}', 'NaN'],
  ...Object.values(values),
  ...Object.values(values).flatMap((value) => [
    ...members.map((member) => `{"workflow":${workflow},"inputs":{},"${member}":${value}}`),
    `{"workflow":{"1":${value}}}`,
    `{"workflow":{"1":{"class_type":${value},"inputs":{}}}}`,
    `{"workflow":{"1":{"class_type":"SlowNode","inputs":${value}}}}`,
    `{"workflow":{"1":{"class_type":"SlowNode","inputs":{"steps":${value}}}}}`,
    `{"workflow":{"1":{"class_type":"SlowNode","inputs":{"steps":1},"_meta":${value}}}}`,
    `{"workflow":${workflow},"inputs":{"SlowNode.steps":${value}}}`,
    `{"workflow":${workflow},"inputs":{"a":${value}}}`,
    `{"workflow":${workflow},"inputs":{"a":{"id":"1","input":${value}}}}`,
    `{"workflow":${workflow},"extra_data":{"extra_pnginfo":${value}}}`,
    `{"workflow":${workflow},"metadata":{"a":${value}}}`,
    `{"workflow":{"1":{"class_type":"SlowNode","inputs":{"a":{"__type":"core/ASSET","info":${value}}}}}}`,
    `{"workflow":{"nodes":[${value}],"links":[]}}`,
    `{"workflow":{"nodes":[],"links":[${value}]}}`,
    `{"url":"https://h/","events":${value},"secrets":["whsec_${'A'.repeat(32)}"]}`,
    `{"url":"https://h/","secrets":[${value}]}`,
  ]),
];
const types = [
  ...['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...[
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary=""',
    'application/json; charset=utf-16',
  ],
  ...['image/png', '', '\u{ff}'],
];
const ids = [
  ...['x', '%00', '%ff', '..', '%2e%2e', '%2F', '__proto__', 'constructor', '%ED%A0%80', '%F0%9F%98%80'],
  ...['x'.repeat(5_000), 'websocket.1.a', 'websocket.999999999.%00', '-1', '0', '%20', "'", '%25'],
];
const routes: readonly (readonly [method: string, path: string])[] = [
  ...(['/api/v2/jobs', '/api/v2/jobs/:id/cancel', '/api/v2/assets', '/api/v2/assets/from-hash'] as const).map(
    (path) => ['POST', path] as const,
  ),
  ...(
    ['/jobs', '/jobs/:id/cancel', '/uploads', '/templates/:id', '/preflight', '/watch-tokens'] as const
  ).map((path) => ['POST', path] as const),
  ...(['pause', 'resume', 'drain'] as const).map((change) => ['POST', `/servers/:id/${change}`] as const),
  ...[['PUT', '/templates/:id'] as const, ['PUT', '/webhooks'] as const],
  ...(['/jobs/:id', '/jobs?id=:id', '/templates/:id', '/webhooks', '/api/v2/assets/:id'] as const).map(
    (path) => ['DELETE', path] as const,
  ),
];
const reads: readonly string[] = [
  ...['/api/v2/jobs', '/api/v2/jobs/:id', '/api/v2/jobs/:id/workflow', '/api/v2/jobs/:id/logs'],
  ...[
    '/api/v2/jobs/:id/events',
    '/api/v2/assets/:id',
    '/api/v2/assets/:id/content',
    '/api/v2/assets/by-hash/:id',
  ],
  ...[
    '/jobs',
    '/jobs/:id',
    '/jobs/:id/events',
    '/jobs/:id/outputs/:id',
    '/jobs/:id/previews/:id',
    '/templates',
  ],
  ...[
    '/templates/:id',
    '/definitions',
    '/servers',
    '/webhooks',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/:id',
  ],
];
const queries: readonly string[] = [
  ...['limit', 'cursor', 'status', 'template', 'workflow', 'text', 'kind', 'since', 'until', 'after', 'from'],
  ...['metadata[a]', 'metadata[__proto__]', 'class', 'v', 'ticket', 'id', '__proto__', 'x'],
].flatMap((name) =>
  ['', 'x', '-1', '1e999', 'NaN', '%00', '%ED%A0%80', '%ff', '__proto__', 'y'.repeat(3_000), '0.a_b'].map(
    (value) => `${name}=${value}`,
  ),
);

const isFault = (status: number): boolean => status >= 500 && status !== 501 && status !== 503;

it('T1 no body of any route is a failure of the gateway', { timeout: 600_000 }, async () => {
  const { port, thrown } = await gatewayOnLoopback();
  const faults = new Set<string>();
  const send = async (method: string, path: string, type: string, body: string): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...{ method, body: Buffer.from(body) },
      headers: type === '' ? {} : { 'content-type': type },
    });
    await answer.arrayBuffer();
    if (isFault(answer.status))
      faults.add(`${method} ${path}, ${type}: ${answer.status} of ${body.slice(0, 120)}`);
  };
  for (const [method, path] of routes) {
    const at = path.replaceAll(':id', 'x');
    for (const body of bodies) await send(method, at, 'application/json', body);
    for (const type of types) for (const body of bodies.slice(0, 20)) await send(method, at, type, body);
    if (path !== at)
      for (const id of ids) await send(method, path.replaceAll(':id', id), 'application/json', '{}');
  }
  expect([...faults]).toEqual([]);
  expect(thrown).toEqual([]);
});

it('T1 no address and no query is a failure of the gateway', { timeout: 600_000 }, async () => {
  const { port, thrown } = await gatewayOnLoopback();
  const faults = new Set<string>();
  const read = async (method: string, target: string): Promise<void> => {
    const over = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, signal: over.signal });
    if (isFault(answer.status)) faults.add(`${method} ${target.slice(0, 200)}: ${answer.status}`);
    over.abort();
  };
  for (const path of reads) {
    for (const id of path.includes(':id') ? ids : ['']) await read('GET', path.replaceAll(':id', id));
    await read('HEAD', path.replaceAll(':id', 'x'));
    for (const query of queries) await read('GET', `${path.replaceAll(':id', 'x')}?${query}`);
  }
  expect([...faults]).toEqual([]);
  expect(thrown).toEqual([]);
});

it('T1 no broken head or body is a failure of the gateway, and it serves on', async () => {
  const { port, thrown } = await gatewayOnLoopback();
  const statuses: number[] = [];
  const raw = async (text: string, isCut: boolean): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.on('data', (bytes) => (said += bytes.toString('latin1'))).on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(Buffer.from(text, 'latin1'), () => (isCut ? socket.destroy() : socket.end()));
    await once(socket, 'close');
    statuses.push(...Array.from(said.matchAll(/HTTP\/1\.1 (\d{3})/gu), ([, status]) => Number(status)));
  };
  const json = 'Host: h\r\nContent-Type: application/json\r\n';
  for (const [method, path] of routes) {
    const head = `${method} ${path.replaceAll(':id', 'x')} HTTP/1.1\r\n`;
    for (const isCut of [true, false]) {
      await raw(`${head}${json}Content-Length: 1000\r\n\r\n{"workflow":`, isCut);
      await raw(`${head}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"wor`, isCut);
      await raw(`${head}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, isCut);
    }
    // A second body behind the first is a request of its own, and none that Node.js takes.
    await raw(`${head}${json}Content-Length: 2\r\n\r\n{}{"workflow":{}}`, false);
    await raw(`${head}${json}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`, false);
    await raw(`${head}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, false);
    await raw(`${head}${json}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`, false);
    await raw(`${head}Content-Length: 0\r\n\r\n`, false);
  }
  for (const target of [
    '*',
    'http://other/jobs',
    '//jobs',
    '/jobs/../..',
    '/jobs\\x',
    '/jobs#a',
    '/\u{ff}',
    '',
  ])
    await raw(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`, false);
  for (const host of ['', 'a b', '[::', 'h:99999', '\u{ff}', 'h/../x', 'user@h'])
    await raw(`GET /jobs HTTP/1.1\r\nHost: ${host}\r\n\r\n`, false);
  expect(statuses.filter(isFault)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(routes.length);
  expect(thrown).toEqual([]);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});
