import { clientOf, playedService } from '../support.js';
import { createGateway } from '../../../src/gateway.js';
import { describe, expect, it } from 'vitest';
import { right } from '../../../src/core/protocol/either.js';
import { memoryTemplateStore } from '../../../src/server/gateway/store/memory-template-store.js';
import { virtualClock } from '../../../src/testing.js';

const kibi = 1024;

/** A gateway whose caller ann has saved a template with a text of so many characters, how often it was read from the store, and how often at once. */
const withTemplate = async (characters: number, heldBytes: number) => {
  const store = memoryTemplateStore();
  const reads = { count: 0, now: 0, atOnce: 0 };
  const clock = virtualClock();
  const client = clientOf(playedService());
  const classes = { Large: { description: 'x'.repeat(characters) }, Small: {} };
  const objectInfo = () => () => Promise.resolve(right(classes));
  const gateway = createGateway({
    client: { ...client, rest: { ...client.rest, objectInfo } } as unknown as typeof client,
    authorize: ({ headers }) => ({ name: headers.get('authorization') ?? 'ann' }),
    limits: { heldBytes },
    // Time goes on to the next timer in these tests, which is not to be that of a reader.
    stallMs: 1e9,
    templateStore: {
      ...store,
      get: async (...args) => {
        reads.count += 1;
        reads.atOnce = Math.max(reads.atOnce, (reads.now += 1));
        await new Promise<void>((resolve) => clock.after(10, resolve));
        reads.now -= 1;
        return store.get(...args);
      },
    },
    clock,
  });
  const ask = (method: string, path: string, body?: unknown, name = 'ann'): Promise<Response> =>
    gateway.fetch(
      new Request(`http://h${path}`, {
        ...{ method, headers: { authorization: name } },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const workflow = { 1: { class_type: 'Text', inputs: { text: 'x'.repeat(characters), seed: 1 } } };
  const put = await clock.until(ask('PUT', '/templates/large', { workflow, inputs: { seed: '1.seed' } }));
  expect(put.status).toBe(201);
  return { gateway, ask, clock, workflow, reads };
};
const codeOf = async (answer: Response): Promise<unknown> => {
  const said = (await answer.json()) as { readonly code?: string };
  return said.code;
};

describe('T4 a large answer beyond what its caller may hold', () => {
  it('is refused before its template is read, for an answer and for a job', async () => {
    const { gateway, ask, clock, reads } = await withTemplate(300 * kibi, 1_000 * kibi);
    const unread: Response[] = [];
    for (let nth = 0; nth < 3; nth += 1) unread.push(await clock.until(ask('GET', '/templates/large')));
    const before = reads.count;
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { inputs: { seed: 2 } }],
    ] as const) {
      const refused = await clock.until(ask(method, '/templates/large', body));
      expect([refused.status, refused.headers.get('retry-after'), await codeOf(refused)]).toEqual([
        ...[429, '5', 'too_many_bytes'],
      ]);
    }
    expect(reads.count).toBe(before);
    for (const answer of unread) await answer.body?.cancel();
    expect((await clock.until(ask('GET', '/templates/large'))).status).toBe(200);
    await gateway.close();
  });

  it('is of one template at a time, for each of its owner', async () => {
    const { gateway, ask, clock, reads } = await withTemplate(300 * kibi, 10_000 * kibi);
    const asked = Array.from({ length: 5 }, () => ask('GET', '/templates/large'));
    const answers = await clock.until(Promise.all(asked));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(reads.atOnce).toBe(1);
    await gateway.close();
  });

  it.each(['/api/v2/jobs/ID/workflow', '/definitions?class=Large&class=Small'])(
    'is refused before it is written: %s',
    async (path) => {
      const { gateway, ask, clock, workflow } = await withTemplate(300 * kibi, 700 * kibi);
      const submitted = await clock.until(ask('POST', '/api/v2/jobs', { workflow }));
      const { id } = (await submitted.json()) as { readonly id: string };
      const answers = [1, 2, 3].map(() => ask('GET', path.replace('ID', id)));
      const statuses = (await clock.until(Promise.all(answers))).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 429]);
      await gateway.close();
    },
  );
});
