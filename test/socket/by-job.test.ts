import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byJob } from '../../src/socket/by-job.js';

/** Ids of one length that end alike have one mark. */
const alike = ['1', '2', '3'].map((first) => `${first}-always-the-same`);
const idsOf = fc.constantFrom('a', 'b', ...alike);
const inMessage = (promptId: string) => {
  const text = `{"prompt_id":"${promptId}"}`;
  return { text, start: 14, end: text.length - 2 };
};

describe('byJob', () => {
  it('law: holds what a map by ids holds, and finds it where the id stands', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ promptId: idsOf, puts: fc.boolean() })), (steps) => {
        const jobs = byJob<{ readonly promptId: string }>();
        const model = new Map<string, object>();
        for (const { promptId, puts } of steps) {
          const value = { promptId };
          if (puts) {
            jobs.put(value);
            model.set(promptId, value);
          } else {
            jobs.drop(promptId);
            model.delete(promptId);
          }
          expect(jobs.size).toBe(model.size);
          for (const id of ['a', 'b', ...alike]) {
            expect(jobs.of(id)).toBe(model.get(id));
            const found = jobs.at(inMessage(id));
            if (model.has(id)) expect(found).toBe(model.get(id));
            else if (found !== undefined) expect(alike).toContain(id);
          }
        }
      }),
    );
  });

  it('finds nothing under a mark that several had, once all of them are gone', () => {
    const jobs = byJob<{ readonly promptId: string }>();
    for (const promptId of alike) jobs.put({ promptId });
    for (const promptId of alike) jobs.drop(promptId);
    expect(alike.map((id) => jobs.at(inMessage(id)))).toEqual([undefined, undefined, undefined]);
    const again = { promptId: alike[1] as string };
    jobs.put(again);
    expect(jobs.at(inMessage(again.promptId))).toBe(again);
  });
});
