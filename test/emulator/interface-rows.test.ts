import { describe, expect, it } from 'vitest';
import {
  interfaceRows,
  textToImageWorkflow,
  type Emulator,
  type InterfaceRow,
  type Tier,
} from '../../src/emulator.js';
import {
  call,
  ended,
  endless,
  failing,
  listen,
  open,
  quick,
  runToEnd,
  submit,
  type Data,
} from './support.js';

const rows = (kind: string): InterfaceRow[] => interfaceRows.filter((row) => row.startsWith(`${kind}:`));

describe('the rows of the interface', () => {
  it('are 12 endpoints, 11 events, 3 binary types, 5 states, 6 exceptions, 5 statuses and 4 tiers', () => {
    const kinds = ['endpoint', 'event', 'binary', 'state', 'exception', 'status', 'tier'];
    expect(kinds.map((kind) => rows(kind).length)).toEqual([12, 11, 3, 5, 6, 5, 4]);
    expect(new Set(interfaceRows).size).toBe(interfaceRows.length);
  });

  it.each(rows('endpoint').filter((row) => !row.endsWith('/ws')))('%s off is a 404', async (row) => {
    const emulator = await open({ without: [row] });
    const [method = '', path = ''] = row.slice('endpoint:'.length).split(' ');
    const { body, status } = await call(
      emulator,
      method,
      path.replace('{id}', 'x'),
      method === 'POST' ? '{}' : undefined,
    );
    expect([404, 405]).toContain(status);
    expect(String(body['message'])).toMatch(/There is no \/api|takes another method/);
  });

  it('endpoint:GET /ws off refuses sockets', async () => {
    await expect(listen(await open({ without: ['endpoint:GET /ws'] }))).rejects.toThrow('404');
  });

  const everything = {
    ...textToImageWorkflow({ width: 64, height: 64, steps: 1 }),
    text: { class_type: 'PreviewText', inputs: { source: 'hello' } },
    fail: {
      class_type: 'FailOnPurpose',
      inputs: { exception_type: 'OOMError', message: 'no', image: ['8', 0] },
    },
  };

  /** Waits for a status by asking again and again: some rows leave no event to wait for. */
  const reach = async (emulator: Emulator, promptId: string, word: string): Promise<void> => {
    const path = `/api/job/${promptId}/status`;
    while ((await call(emulator, 'GET', path)).body['status'] !== word);
  };

  /** The types of all messages about a failure, a success and an interruption. */
  const heardTypes = async (without: InterfaceRow[], flags: Data): Promise<Set<string>> => {
    const emulator = await open({ without, speed: 20, concurrency: 1 });
    const listener = await listen(emulator, { flags });
    await reach(emulator, await submit(emulator, everything), 'failed');
    await reach(emulator, await submit(emulator, quick), 'completed');
    const running = await submit(emulator, endless);
    await reach(emulator, running, 'in_progress');
    await call(emulator, 'POST', '/api/interrupt');
    await reach(emulator, running, 'cancelled');
    emulator.inject('{"type":"over","data":{}}');
    await listener.until('over');
    return new Set(listener.heard.map(({ type }) => type));
  };

  it.each([{}, { supports_preview_metadata: true }])('are all there with the flags %j', async (flags) => {
    const preview = 'supports_preview_metadata' in flags ? 'binary:4' : 'binary:1';
    const events = rows('event').map((row) => row.slice('event:'.length));
    const others = ['binary:3', preview, 'feature_flags', 'over'];
    expect(await heardTypes([], flags)).toEqual(new Set([...events, ...others]));
  });

  it.each([...rows('event'), ...rows('binary')])('%s off is not sent', async (row) => {
    const type = row.startsWith('event:') ? row.slice('event:'.length) : row;
    expect(await heardTypes([row], { supports_preview_metadata: row === 'binary:4' })).not.toContain(type);
  });

  it.each(rows('exception'))('%s off is told as another type', async (row) => {
    const type = row.slice('exception:'.length);
    const typeWithout = async (without: InterfaceRow[]): Promise<unknown> => {
      const { heard } = await runToEnd(await open({ without }), failing(type));
      return heard.find((message) => message.type === 'execution_error')?.data['exception_type'];
    };
    expect(await typeWithout([])).toBe(type);
    expect(await typeWithout([row])).toBe('RuntimeError');
  });

  it('states that are off are told as another word', async () => {
    const emulator = await open({ without: rows('state'), concurrency: 1, speed: 20 });
    const fast = await open({ without: rows('state') });
    const listener = await listen(emulator);
    const [running, waiting] = [await submit(emulator, endless), await submit(emulator, endless)];
    await listener.until('progress');
    const word = async (on: typeof emulator, id: string): Promise<unknown> =>
      (await call(on, 'GET', `/api/job/${id}/status`)).body['status'];
    const words = [await word(emulator, running), await word(emulator, waiting)];
    await call(emulator, 'POST', '/api/interrupt');
    await ended(listener, running);
    words.push(await word(emulator, running));
    for (const prompt of [quick, failing('OOMError')])
      words.push(await word(fast, (await runToEnd(fast, prompt)).promptId));
    expect(words).toEqual(Array.from({ length: 5 }, () => 'withheld'));
  });

  it('refusals that are off do not happen', async () => {
    const post = async (
      row: InterfaceRow,
      options: Parameters<typeof open>[0],
      body: unknown,
      key?: string,
    ) => {
      const emulator = await open({ ...options, without: [row] });
      return (await call(emulator, 'POST', '/api/prompt', body, { 'x-api-key': key ?? emulator.apiKey }))
        .status;
    };
    const statuses = [
      await post('status:400', {}, { prompt: { '1': { class_type: 'Nothing' } } }),
      await post('status:400', {}, '{'),
      await post('status:401', {}, { prompt: quick }, 'unknown-key'),
      await post('status:402', { billing: 'no credits' }, { prompt: quick }),
      await post('status:429', { billing: 'inactive' }, { prompt: quick }),
      await post('status:429', { switches: { queueLimit: 0 } }, { prompt: quick }),
      await post('status:500', {}, { prompt: quick, extra_data: { emulate: { status: 500 } } }),
    ];
    expect(statuses).toEqual(Array.from({ length: 7 }, () => 200));
  });

  it.each(['free', 'standard', 'creator', 'pro'] as const)(
    'tier:%s off runs another number',
    async (tier: Tier) => {
      const running = async (without: InterfaceRow[]): Promise<number> => {
        const emulator = await open({ tier, without, speed: 20, switches: { statusWords: 'raw' } });
        const words = [];
        for (let count = 0; count < 7; count += 1) {
          const promptId = await submit(emulator, endless);
          words.push((await call(emulator, 'GET', `/api/job/${promptId}/status`)).body['status']);
        }
        return words.filter((word) => word !== 'queued_limited').length;
      };
      const [usual, other] = [await running([]), await running([`tier:${tier}`])];
      expect([usual, other]).toEqual([numbers[tier], numbers[tier] + 1]);
    },
  );

  const numbers = { free: 1, standard: 1, creator: 3, pro: 5 };
});
