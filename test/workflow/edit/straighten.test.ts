import { expect, it } from 'vitest';
import { straighten } from '../../../src/workflow/edit/straighten.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

const text = (value: string, more: Record<string, unknown> = {}) => ({
  class_type: 'Text',
  inputs: { text: value, ...more },
});
/** Pairs that are crossed, straightened where that leaves fewer changes. */
const straightened = (before: Workflow, after: Workflow, crossed: Record<string, string>) => {
  const formerIds = new Map(Object.entries(crossed));
  const newIds = new Map([...formerIds].map(([id, former]) => [former, id]));
  straighten(before, after, formerIds, newIds);
  expect([...newIds].map(([former, id]) => [id, former]).toSorted()).toEqual([...formerIds].toSorted());
  return Object.fromEntries(formerIds);
};

it('nodes that were paired crosswise keep their ids where that leaves fewer changes', () => {
  const before = {
    2: text('a'),
    3: text('b'),
    9: { class_type: 'Join', inputs: { x: ['2', 0], y: ['3', 0] } },
  };
  const after = { ...before, 2: text('b'), 3: text('a') };
  expect(straightened(before, after, { 2: '3', 3: '2', 9: '9' })).toEqual({ 2: '2', 3: '3', 9: '9' });
  // Alone, two other ids are as many changes as two other texts.
  const { 9: join, ...alone } = after;
  expect(straightened({ 2: text('a'), 3: text('b') }, alone, { 2: '3', 3: '2' })).toEqual({ 2: '3', 3: '2' });
  expect(join.class_type).toBe('Join');
});

it('nodes of another class stay crossed', () => {
  const before = { 2: text('a'), 3: text('b') };
  const after = { 2: text('a'), 3: { ...text('b'), class_type: 'Other' } };
  expect(straightened(before, after, { 2: '3', 3: '2' })).toEqual({ 2: '3', 3: '2' });
});

it('what took from them before, and is gone, counts nothing', () => {
  const join = { class_type: 'Join', inputs: { x: ['2', 0], y: ['3', 0] } };
  const before = { 2: text('a', { more: 1 }), 3: text('b', { more: 1 }), 8: join, 9: join };
  const after = { 2: text('b', { more: 1 }), 3: text('a', { more: 1 }), 9: join };
  expect(straightened(before, after, { 2: '3', 3: '2', 9: '9' })).toMatchObject({ 2: '2', 3: '3' });
});

it('what takes from them since, and was not there before, counts nothing', () => {
  const join = (...ids: readonly string[]) => ({
    class_type: 'Join',
    inputs: Object.fromEntries(ids.map((id, at) => [`x${at}`, [id, 0]])),
  });
  const before = { 2: text('a'), 3: text('b'), 9: join('2', '3') };
  const after = { 2: text('b'), 3: text('a'), 9: join('2', '3'), 12: join('2', '3') };
  expect(straightened(before, after, { 2: '3', 3: '2', 9: '9' })).toEqual({ 2: '2', 3: '3', 9: '9' });
});

it('nodes that are paired with others in a row, and in no ring, stay as they are', () => {
  const join = { class_type: 'Join', inputs: { x: ['2', 0] } };
  const before = { 2: text('a'), 3: text('b'), 4: text('c'), 9: join };
  expect(straightened(before, { 2: text('b'), 9: join }, { 2: '3', 9: '9' })).toEqual({ 2: '3', 9: '9' });
  const after = { 2: text('b'), 3: text('c'), 4: text('d'), 9: join };
  expect(straightened(before, after, { 2: '3', 3: '4', 9: '9' })).toEqual({ 2: '3', 3: '4', 9: '9' });
});

it('three nodes in a ring keep their ids together', () => {
  const ends = (...ids: readonly string[]) => ({
    class_type: 'Join',
    inputs: Object.fromEntries(ids.map((id, at) => [`x${at}`, [id, 0]])),
  });
  const before = { 2: text('a'), 3: text('b'), 4: text('c'), 9: ends('2', '3', '4') };
  const after = { 2: text('b'), 3: text('c'), 4: text('a'), 9: ends('2', '3', '4') };
  expect(straightened(before, after, { 2: '3', 3: '4', 4: '2', 9: '9' })).toMatchObject({
    2: '2',
    3: '3',
    4: '4',
  });
});
