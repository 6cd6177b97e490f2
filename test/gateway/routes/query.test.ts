import { createClient, defaultPlatform } from '../../../src/node.js';
import { createGateway } from '../../../src/gateway.js';
import { expect, it, onTestFinished } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';

/** What OpenAPI tells of an operation. */
interface Described {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly style?: string }[];
}

const running = async () => {
  const platform = { ...defaultPlatform(), request: fakePlatform().request };
  const client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
  const gateway = createGateway({ client, authorize: () => ({ name: 'ann', servers: 'change' }) });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
  });
  const ask = async (method: string, path: string) => {
    const answer = await gateway.fetch(new Request(`http://h${path}`, { method }));
    const isProblem = answer.headers.get('content-type') === 'application/problem+json';
    const problem = isProblem ? ((await answer.json()) as Readonly<Record<string, unknown>>) : {};
    if (!isProblem) await answer.body?.cancel();
    return { status: answer.status, problem };
  };
  const document = await gateway.fetch(new Request('http://h/openapi.json'));
  const { paths } = (await document.json()) as { readonly paths: Record<string, Record<string, Described>> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...{ method: method.toUpperCase(), described },
      path: path.replaceAll(/\{\w+\}/gu, 'x'),
    })),
  );
  return { ask, operations };
};

it('every operation refuses a parameter that its description does not have, and names those that it has', async () => {
  const { ask, operations } = await running();
  const checked = operations.filter(
    ({ path, described }) => !path.startsWith('/api/v2/') && described.security?.length !== 0,
  );
  expect(checked.length).toBeGreaterThan(25);
  for (const { method, path, described } of checked) {
    const inQuery = (described.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const known = inQuery.map(({ name, style }) => (style === 'deepObject' ? `${name}[]` : name));
    const refused = await ask(method, `${path}?limitt=1`);
    expect([method, path, refused]).toMatchObject([
      method,
      path,
      { status: 400, problem: { code: 'unknown_parameter', parameter: 'limitt', known } },
    ]);
    for (const name of known) expect(refused.problem['detail']).toContain(`\`${name}\``);
    const taken = known.map((name) => `${name.replace('[]', '[a]')}=1`).join('&');
    expect((await ask(method, `${path}?${taken}`)).problem['code']).not.toBe('unknown_parameter');
  }
});

it.each([
  ['GET', '/jobs?after=x', 400],
  ['GET', '/jobs?limit[a]=1', 400],
  ['GET', '/jobs?metadata=1', 400],
  ['GET', '/jobs?metadata[a]=1&limit=2', 200],
  ['GET', '/api/v2/jobs?after=x', 200],
  ['GET', '/healthz?probe=1', 200],
])('%s %s is %i', async (method, path, status) => {
  const { ask } = await running();
  expect((await ask(method, path)).status).toBe(status);
});
