import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earliestEnd, type PlacementServer } from '../../src/client/pool/placement.js';

const job = { shape: 's', models: [], tags: [], waitedMs: 0, attempt: 1 };

const ms = fc.integer({ min: 0, max: 100_000 });
const servers = fc.uniqueArray(
  fc.record({ name: fc.string({ minLength: 1 }), hasRoom: fc.boolean(), workMs: ms, loadMs: ms, runMs: ms }),
  { selector: ({ name }) => name, maxLength: 12 },
);

const endOf = ({ workMs, loadMs, runMs }: PlacementServer): number => workMs + loadMs + runMs;

describe('earliestEnd', () => {
  it('law: names one of the servers, and none of them ends earlier; of none it names none', () => {
    fc.assert(
      fc.property(servers, (given) => {
        const chosen = given.find(({ name }) => name === earliestEnd(job, given));
        if (given.length === 0) expect(chosen).toBeUndefined();
        else expect(endOf(chosen!)).toBe(Math.min(...given.map(endOf)));
      }),
    );
  });

  it('law: a server that becomes quicker stays the choice', () => {
    fc.assert(
      fc.property(servers, ms, (given, less) => {
        const name = earliestEnd(job, given);
        const quicker = given.map((server) =>
          server.name === name ? { ...server, workMs: Math.max(0, server.workMs - less) } : server,
        );
        expect(earliestEnd(job, quicker)).toBe(name);
      }),
    );
  });

  it('prefers room where the end is equal, and else the first', () => {
    const server = { workMs: 1, loadMs: 1, runMs: 1 };
    const named = (name: string, hasRoom: boolean): PlacementServer => ({ ...server, name, hasRoom });
    expect(earliestEnd(job, [named('a', false), named('b', true), named('c', true)])).toBe('b');
    expect(earliestEnd(job, [named('a', true), named('b', true)])).toBe('a');
  });
});
