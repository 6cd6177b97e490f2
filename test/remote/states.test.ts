import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { aRemote, type RemoteSetting } from './a-remote.js';
import { applyJobEvent } from '../../src/core/events/apply-job-event.js';
import { alice, life, openReader, submitted } from '../gateway/support.js';
import { canonicalJson } from '../../src/core/protocol/json/canonical-json.js';
import type { JobLogEvent } from '../../src/core/events/job-log-event.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { readJobEvent } from '../../src/core/events/read-job-event.js';
import { statusOf } from '../../src/core/events/state-members.js';
import { often, runs } from '../helpers/runs.js';

/** Without the progress, of which only the latest is sent. */
const lifecycle = (states: readonly JobState[]): readonly string[] =>
  states
    .map((state) => canonicalJson({ ...statusOf(state), outputs: state.outputs }) ?? '')
    .filter((text, index, all) => text !== all[index - 1]);

/** The states that the gateway's own fold goes through, by the log. */
const ownStates = async (setting: RemoteSetting, id: string): Promise<readonly JobState[]> => {
  const reader = await openReader(
    setting,
    { owner: alice.name, jobId: id },
    { from: 'start' },
    { format: 'ndjson' },
  );
  const states: JobState[] = [];
  for (const { data } of await reader.rest()) {
    const event = readJobEvent(data as unknown as JobLogEvent);
    const last = states.at(-1);
    if (event.type === 'submitted') states.push(event.state);
    else if (last !== undefined) states.push(applyJobEvent(last, event));
  }
  return states;
};

describe('the states of a job through a remote', () => {
  it('are those of the gateway, wherever the stream is cut: none is lost, none comes twice', async () => {
    let cutStreams = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat({ max: 4_000 }), { maxLength: 12 }),
        fc.boolean(),
        async (steps, cuts, isMulti) => {
          const setting = await aRemote({ cuts });
          const { record } = await submitted(setting);
          if (isMulti) await submitted(setting);
          const states = life('p1', 3);
          const seen: JobState[] = [];
          const done = new Promise<void>((resolve, reject) => {
            setting.remote.follow(record.id).subscribe({
              next: (state) => seen.push(state),
              error: reject,
              complete: resolve,
            });
          });
          // The first state is known before anything happens.
          while (seen.length === 0) await setting.clock.advance(1_000);
          let next = 0;
          for (const step of [...steps, states.length]) {
            for (const state of states.slice(next, next + step)) setting.service.jobs[0]?.move(state);
            next += step;
            await setting.clock.advance(step * 700);
          }
          await setting.clock.until(done);
          const own = await ownStates(setting, record.id);
          expect(lifecycle(seen)).toEqual(lifecycle(own));
          expect(seen.at(-1)).toEqual({
            ...(await setting.jobs.get(alice, record.id))?.state,
            promptId: record.id,
          });
          const texts = seen.map((state) => canonicalJson(state));
          expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([]);
          cutStreams += setting.asked.filter(({ path }) => path === '/events').length - 1;
          setting.remote.close();
        },
      ),
      { numRuns: runs(60) },
    );
    // The cuts are there, or the property says nothing.
    expect(cutStreams).toBeGreaterThan(often(50));
  });
});
