import { type DurationStore, type Durations, durations } from '../../core/estimate/durations.js';
import { jobClock, stepsMs, workMs } from '../../core/estimate/job-times.js';
import { jobKey, learn, maxPlanned, planOf } from '../../core/estimate/plan-of.js';
import { isTerminal, type JobState } from '../../core/state/job-state.js';
import { megapixelsOf } from '../../core/estimate/picture-size.js';
import type { MakeDurations } from './durations-of-client.js';

/** Measures the nodes of completed jobs; a store, which may fail, keeps the result for the next client. */
export const jobDurations: MakeDurations = ({ clock }, store) => {
  const known = durations();
  const pictures = new Map<string, number>();
  const restored = store === undefined ? undefined : restore(known, store);
  const save = async (): Promise<void> => {
    await restored;
    await store?.write(known.text());
  };
  return {
    plan: (workflow, nodeIds) => {
      if (nodeIds.length > maxPlanned) return undefined;
      const { plan, measured } = planOf(workflow, nodeIds, known, pictures);
      const times = jobClock();
      const onState = (state: JobState): void => {
        const now = clock.now();
        times.take(state, now, ({ nodeId, max }, time) => {
          const node = measured.get(nodeId);
          const ms = workMs(time, max);
          if (node === undefined || ms === undefined || !time.isWhole) return;
          const passes = ms / (stepsMs(time, max) ?? ms);
          learn(known, node, { ms, wholeMs: now - time.from, steps: max, passes });
        });
        if (!isTerminal(state.phase) || times.since === undefined) return;
        if (state.phase === 'completed') known.add(jobKey, now - times.since);
        if (store !== undefined) save().catch(() => undefined);
      };
      return { plan, onState };
    },
    uploaded: (name, head) => {
      const megapixels = megapixelsOf(head);
      pictures.delete(name);
      if (megapixels !== undefined) pictures.set(name, megapixels);
      const [oldest] = pictures.keys();
      if (pictures.size > maxPictures && oldest !== undefined) pictures.delete(oldest);
    },
  };
};

/** The client knows the sizes of so many pictures, the newest ones. */
const maxPictures = 1_000;

const restore = async (known: Durations, store: DurationStore): Promise<void> => {
  try {
    known.restore(await store.read());
  } catch {
    // Without it the client begins anew.
  }
};
