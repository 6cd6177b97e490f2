import { beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { anyCharacter } from '../../helpers/any-character.js';
import {
  life,
  openReader,
  playedGateway,
  type PlayedGateway,
  type ReadEvent,
  submitted,
} from '../support.js';
import type { StreamForm } from '../../../src/server/gateway/model/gateway-jobs.js';
import { settle } from '../../helpers/settle.js';
import { runs } from '../../helpers/runs.js';

let gateway: PlayedGateway;
let jobId = '';
/** What each view tells of the whole job, which is over. */
const whole: Record<StreamForm['view'], readonly ReadEvent[]> = { native: [], v2: [] };
/** Ids that the gateway gave, of every kind. */
const given: string[] = [];

const read = async (view: StreamForm['view'], after: string): Promise<readonly ReadEvent[]> => {
  const form = { view, format: 'sse', base: 'http://gateway.test' } as const;
  const stream = await gateway.jobs.stream({ owner: 'alice', jobId }, form, { after });
  if (stream === 'over') return [];
  return (await openReader(gateway, { owner: 'alice', jobId }, { after }, { view })).rest();
};

beforeAll(async () => {
  gateway = await playedGateway();
  const { record } = await submitted(gateway);
  jobId = record.id;
  const other = await submitted(gateway, { name: 'bob' });
  const scope = { owner: 'alice', jobId };
  const [played] = gateway.service.jobs;
  for (const state of life('p1', 3)) {
    played!.move(state);
    played!.frame({ _tag: 'Preview', nodeId: '2', mediaType: 'image/png', image: new Uint8Array(3) });
    await settle();
    for (const view of ['native', 'v2'] as const)
      for (const from of [undefined, 'start', 'latest'] as const) {
        // It waits for what comes.
        if (view === 'native' && from === 'latest') continue;
        const reader = await openReader(gateway, scope, from === undefined ? {} : { from }, { view });
        const first = await reader.next();
        await reader.cut();
        if (first !== undefined) given.push(first.id);
      }
  }
  for (const view of ['native', 'v2'] as const) {
    whole[view] = await (await openReader(gateway, scope, { from: 'start' }, { view })).rest();
    given.push(...whole[view].map(({ id }) => id));
  }
  const foreign = await openReader(gateway, { owner: 'bob', jobId: other.record.id }, { from: 'start' });
  given.push((await foreign.next())!.id);
  await foreign.cut();
});

/** Ids as they were given, cut, joined, or with a character, a number or a mark changed; and texts that are none. */
const hostile: fc.Arbitrary<string> = fc
  .tuple(
    fc.nat(),
    fc.nat(),
    fc.nat({ max: 60 }),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
    fc.nat({ max: 8 }),
  )
  .map(([one, two, at, text, how]) => {
    const id = given[one % given.length]!;
    const other = given[two % given.length]!;
    const marks = [
      '~',
      '~o',
      '~o1',
      '~o2',
      '~o999999',
      '~o1000000',
      '~o-1',
      '~o1.5',
      '~k',
      '~s',
      '~p1',
      '~v1',
      '~1',
    ];
    switch (how) {
      case 0:
        return id;
      case 1:
        return id.slice(0, at) + text + id.slice(at + 1);
      case 2:
        return `${id}~k${other}`;
      case 3:
        return `${id.split('~')[0]}${marks[at % marks.length]!}${text}`;
      case 4:
        return `${id}${marks[at % marks.length]!}`;
      case 5:
        return id.replace(/-\d+/u, `-${at}`);
      case 6:
        return `${other}${id}`;
      case 7:
        return `start${marks[at % marks.length]!}${text}`;
      default:
        return text;
    }
  });

const key = ({ event, data }: ReadEvent): string => `${event} ${JSON.stringify(data)}`;
const isLifecycle = ({ event }: ReadEvent): boolean => ['submitted', 'status', 'output'].includes(event);

describe('the id of an event', () => {
  it('that was given leads to exactly what follows it, in either view', async () => {
    for (const view of ['native', 'v2'] as const)
      for (const [at, { id }] of whole[view].entries()) {
        const rest = await read(view, id);
        // A connection of API v2 begins with the status as it was.
        const own = view === 'v2' && rest[0]?.id.includes('~') === true ? rest.slice(1) : rest;
        expect([id, own]).toEqual([id, whole[view].slice(at + 1)]);
      }
  });

  it('that is forged leads to a gap, or to nothing but an end of what there is', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, fc.constantFrom<StreamForm['view']>('native', 'v2'), async (after, view) => {
        const events = await read(view, after);
        const ids = events.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        const all = whole[view].filter(isLifecycle).map(key);
        if (events[0]?.event === 'gap') {
          const [, state, ...more] = events;
          expect(state?.event).toBe(view === 'v2' ? 'status' : 'snapshot');
          expect(more).toEqual([]);
          expect(JSON.stringify(state?.data)).toContain(view === 'v2' ? 'succeeded' : 'completed');
          return;
        }
        const rest = events.filter(isLifecycle).map(key);
        // Its first status says where the reader is, and is no event of the log.
        const told = view === 'v2' && events[0]?.id.includes('~') === true ? rest.slice(1) : rest;
        expect(told).toEqual(all.slice(all.length - told.length));
      }),
      { numRuns: runs(400) },
    );
  });
});
