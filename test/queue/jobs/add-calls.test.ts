import { expect, it } from 'vitest';
import { addCalls } from '../../../src/server/queue/jobs/add-calls.js';
import type { NewJob } from '../../../src/server/queue/store/job-store.js';
import { writeOnce } from '../../../src/core/protocol/json/write-once.js';

/** A queue in memory that opens when the test says so. */
const world = () => {
  const kept: NewJob[] = [];
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const parts = {
    kind: 'account',
    store: {
      addAll: (given: readonly NewJob[]) => {
        kept.push(...given);
        return Promise.resolve(given.map(({ id }) => id));
      },
    },
    slotTokens: { addAll: () => Promise.resolve() },
  };
  return { kept, open, calls: addCalls(() => isOpen.then(() => parts) as never, 'q') };
};
const workflow = (text: string) => ({ 1: { class_type: 'A', inputs: { text } } });

it('jobs are added as they were when the call was made, whatever becomes of them meanwhile', async () => {
  const { kept, open, calls } = world();
  const [first, extraData] = [workflow('a'), { of: 'a' }];
  const added = calls.addAll([
    { id: 'x', workflow: first, extraData },
    { id: 'y', workflow: workflow('b') },
  ]);
  first[1].inputs.text = 'changed';
  extraData.of = 'changed';
  open();
  expect(await added).toEqual(['x', 'y']);
  expect(kept.map(({ workflow: one }) => one)).toEqual([workflow('a'), workflow('b')]);
  expect(kept[0]).toMatchObject({ extraData: { of: 'a' } });
  expect(kept[1]).not.toHaveProperty('extraData');
});

it('one job is added with its options, and its id is given', async () => {
  const { kept, open, calls } = world();
  open();
  expect(await calls.add(workflow('a'), { id: 'x', tenant: 'ann' })).toBe('x');
  expect(await calls.add(workflow('b'))).toMatch(/^[\da-f-]{36}$/u);
  expect(kept).toMatchObject([
    { id: 'x', tenant: 'ann', workflow: workflow('a') },
    { workflow: workflow('b') },
  ]);
});

it('a workflow whose text is known is not copied', async () => {
  const { kept, open, calls } = world();
  const [known, other] = [workflow('a'), workflow('a')];
  const forget = writeOnce(known, undefined);
  open();
  await calls.addAll([{ workflow: known }, { workflow: other }]);
  forget();
  expect([kept[0]?.workflow === known, kept[1]?.workflow === other]).toEqual([true, false]);
});
