import type { Patch } from '../patch.js';

/** Group C: what the events of a job mean, and what becomes of them. */
export const events: readonly Patch[] = [
  {
    id: 'C1',
    story:
      'Three of three clients look for the events of a job only once they have its id, and hang without them.',
    file: 'src/jobs/tracker.ts',
    find: 'for (const frame of tracked.claim?.() ?? []) job.next(frame);',
    replace: '',
    caughtBy: { figure: 'S3', from: 2_941, within: 400 },
  },
  {
    id: 'C2',
    story: 'A client that missed the one message of the end waits for it for ever.',
    file: 'src/jobs/poll-schedule.ts',
    find: 'this.regularAt = this.quietSince + this.jitter(hears === false ? firstPollMs : silenceMs);',
    replace: 'this.regularAt = hears === false ? this.quietSince + this.jitter(firstPollMs) : Infinity;',
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'C3',
    story: 'Two of three clients never ask what happened while they had no socket.',
    file: 'src/jobs/poll-schedule.ts',
    find: `this.regularAt = this.quietSince + this.jitter(hears === false ? firstPollMs : silenceMs);
    this.plan();
    if (mayHaveMissed) this.job.ask();`,
    replace: 'this.plan();',
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'C5',
    story:
      'A client ends a job with what it has heard so far, and loses the outputs that come after the end.',
    file: 'src/jobs/followed-job.ts',
    find: 'if (!isFirst) return;',
    replace: "if (isFirst) return this.fold({ _tag: 'StatusRead', ...end });",
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'C6',
    story:
      'A client takes the message that no node runs any more for success, though the job failed or goes on.',
    file: 'src/state/fold-event.ts',
    find: `{ node, display_node }: EventData['executing']): JobState => {
  if (!isId(node)) return state;`,
    replace: `{ node, display_node }: EventData['executing']): JobState => {
  if (!isId(node)) return endJob(state, 'completed', {});`,
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'C7',
    story:
      'A client rejects every job that waits with the error of whichever job failed, also of another machine.',
    file: 'src/socket/frame-source.ts',
    find: 'listen: jobs.add,',
    replace: 'listen: (listener) => { jobs.add(listener); takers = [...takers, listener]; },',
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'C8',
    story:
      'A client takes the success of another job, heard while its own answer is awaited, for that of its own.',
    file: 'src/socket/early-messages.ts',
    find: 'return [...(frames.get(promptId) ?? [])];',
    replace: 'return [...frames.values()].flat();',
    caughtBy: { figure: 'S1', from: 11, within: 400 },
  },
  {
    id: 'C10',
    story:
      'An integration reports runs as done that the record calls failed, because the socket spoke first.',
    file: 'src/jobs/job-end.ts',
    find: "const authority: readonly EndSource[] = ['record', 'detail', 'status', 'socket'];",
    replace: "const authority: readonly EndSource[] = ['socket', 'record', 'detail', 'status'];",
    caughtBy: { figure: 'S1', from: 11, within: 400 },
  },
  {
    id: 'C13',
    story: 'Progress bars jump back, and to a share of nothing, with whatever number comes last.',
    file: 'src/state/nodes.ts',
    find: 'const isBehind = value < node.value ||',
    replace: 'const isBehind = value === node.value && max === node.max && value < node.value ||',
    caughtBy: { figure: 'S1', from: 21, within: 200 },
  },
  {
    id: 'C18',
    story: 'Whoever asks a handle for its result after the end waits for ever.',
    file: 'src/jobs/job-handle.ts',
    find: 'while (latest !== undefined && told !== latest) subscriber.next((told = latest));',
    replace:
      "if (latest !== undefined && !['completed', 'failed', 'cancelled', 'untraceable'].includes(latest.phase)) subscriber.next(latest);",
    caughtBy: { figure: 'S1', within: 200 },
  },
];
