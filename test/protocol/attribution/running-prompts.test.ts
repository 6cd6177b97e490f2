import { describe, expect, it } from 'vitest';
import {
  executing,
  failure,
  interrupted,
  malformed,
  nodeText,
  preview,
  start,
  step,
  success,
} from '../../helpers/frames.js';
import type { Frame } from '../../../src/core/protocol/frames/frame.js';
import { runningPrompts } from '../../../src/core/protocol/attribution/running-prompts.js';

const onlyAfter = (...frames: readonly Frame[]): string | undefined => {
  const running = runningPrompts();
  for (const frame of frames) running.see(frame);
  return running.only();
};

describe('runningPrompts', () => {
  it('knows none before the first frame', () => {
    expect(onlyAfter()).toBeUndefined();
  });

  it.each([
    ['execution_start', start('a')],
    ['progress', step('a', '5', 1, 20)],
    ['a preview with a prompt id', preview('a', '5')],
    ['a text with a prompt id', nodeText('5', 'x', 'a')],
    ['ExecutionBlocked', failure('a', 'ExecutionBlocked')],
  ])('takes %s as a sign that the job runs', (_, frame) => {
    expect(onlyAfter(frame)).toBe('a');
  });

  it.each([
    ['execution_success', success('a')],
    ['execution_error', failure('a')],
    ['execution_interrupted', interrupted('a')],
  ])('takes %s as the end, seen or unseen before', (_, frame) => {
    expect(onlyAfter(start('a'), frame)).toBeUndefined();
    expect(onlyAfter(frame)).toBeUndefined();
    expect(onlyAfter(start('a'), start('b'), frame)).toBe('b');
  });

  it('names none while two run', () => {
    expect(onlyAfter(start('a'), start('b'))).toBeUndefined();
  });

  it('C12: does not let what is late or repeated start an ended job again', () => {
    expect(
      onlyAfter(start('a'), success('a'), executing('a', null), step('a', '5', 1, 20), start('a')),
    ).toBeUndefined();
  });

  it.each([[null], ['']])('takes executing with node %j as no beginning', (node) => {
    expect(onlyAfter(executing('a', node))).toBeUndefined();
    expect(onlyAfter(executing('a', '5'))).toBe('a');
  });

  it('learns nothing from frames that name no job', () => {
    expect(onlyAfter(preview(), nodeText('5', 'x'), malformed)).toBeUndefined();
  });

  it('forgets which jobs run, but not which ended', () => {
    const running = runningPrompts();
    running.see(start('a'));
    running.see(success('b'));
    running.clear();
    expect(running.only()).toBeUndefined();
    running.see(start('b'));
    expect(running.only()).toBeUndefined();
    running.see(step('a', '5', 1, 20));
    expect(running.only()).toBe('a');
  });

  it('I-10: remembers the latest thousand ends and no more', () => {
    const running = runningPrompts();
    for (let i = 0; i <= 1000; i++) running.see(success(`job ${i}`));
    running.see(start('job 1'));
    expect(running.only()).toBeUndefined();
    running.see(start('job 0'));
    expect(running.only()).toBe('job 0');
  });

  it('counts a job whose frame was passed over, and no job that has ended', () => {
    const running = runningPrompts();
    running.see(start('a'));
    running.pass('b');
    expect(running.only()).toBeUndefined();
    running.see(success('a'));
    running.see(step('a', '5', 1, 20));
    running.pass('a');
    expect(running.only()).toBe('b');
  });
});
