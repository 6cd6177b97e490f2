import { beforeAll, describe, expect, it } from 'vitest';
import { aRemote } from './a-remote.js';
import { canonicalJson } from '../../src/core/protocol/json/canonical-json.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { life, submitted } from '../gateway/support.js';
import type { Remote } from '../../src/page/remote/remote.js';

/** Watches a job in a tab, and takes down what it shows. */
const watch = (tab: Remote, id: string) => {
  const states: JobState[] = [];
  const watching = tab.follow(id).subscribe({ next: (state) => states.push(state), error: () => undefined });
  return { states, watching };
};

const repeated = (states: readonly JobState[]): number =>
  states.filter((state, index) => index > 0 && canonicalJson(state) === canonicalJson(states[index - 1]))
    .length;

describe('the tabs of one account', () => {
  // A remote loads it on demand, which takes no virtual time.
  beforeAll(() => import('../../src/page/remote/shared-stream.js'));

  it('share one stream, which the next tab takes over without a hole when its holder closes', async () => {
    const setting = await aRemote({ account: 'alice' });
    const { clock, service } = setting;
    const tabs = [setting.remote, setting.another(), setting.another()];
    const { record } = await submitted(setting);
    const seen = [];
    for (const tab of tabs) {
      seen.push(watch(tab, record.id));
      await clock.advance(1_000);
    }
    expect(setting.openStreams()).toBe(1);
    const states = life('p1', 3);
    for (const [index, state] of states.entries()) {
      if (index === 3) tabs[0]?.close();
      if (index === 5) tabs[1]?.close();
      service.jobs[0]?.move(state);
      await clock.advance(1_000);
      expect(setting.openStreams()).toBe(1);
    }
    const last = seen[2]?.states ?? [];
    expect(last.at(-1)).toMatchObject({ phase: 'completed', promptId: record.id });
    expect(seen.map(({ states: shown }) => repeated(shown))).toEqual([0, 0, 0]);
    const withAnId = setting.asked.filter(({ headers }) => headers.has('last-event-id'));
    expect(withAnId).toHaveLength(2);
    // Each state of the job's life has its outputs, whichever tab held the stream.
    const outputs = new Set(states.map((state) => canonicalJson(state.outputs)));
    expect(new Set(last.map((state) => canonicalJson(state.outputs)))).toEqual(outputs);
  });

  it('have streams of their own where the accounts differ, or none is named', async () => {
    const setting = await aRemote();
    const { record } = await submitted(setting);
    const tabs = [setting.remote, setting.another({ account: 'a' }), setting.another({ account: 'b' })];
    for (const tab of tabs) watch(tab, record.id);
    await setting.clock.advance(1_000);
    expect(setting.openStreams()).toBe(3);
  });

  it('hold nothing while they are frozen, and show what happened meanwhile when they are back', async () => {
    const setting = await aRemote({ account: 'alice' });
    const { clock, service } = setting;
    const { record } = await submitted(setting);
    const alone = watch(setting.another({ account: undefined }), record.id);
    const shared = watch(setting.remote, record.id);
    await clock.advance(1_000);
    setting.sleep(true);
    await clock.advance(1_000);
    expect(setting.openStreams()).toBe(0);
    for (const state of life('p1')) service.jobs[0]?.move(state);
    await clock.advance(600_000);
    setting.sleep(false);
    await clock.advance(1_000);
    for (const { states } of [alone, shared])
      expect(states.map(({ phase }) => phase)).toEqual(['pending', 'completed']);
  });
});
