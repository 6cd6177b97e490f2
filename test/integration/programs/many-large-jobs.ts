import { createClientOn } from '../../../src/client/client.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';
import { fakePlatform } from '../../helpers/fake-platform.js';

/**
 * Runs jobs of 200 nodes by `submit`, 24 or as many as its argument says, and holds their handles: each job tells the progress of all
 * its nodes 400 times. Their frames are kept within the bounds that are default, or `without bounds`.
 */
const [count = '24', bounds = ''] = process.argv.slice(2);
const nodes = Array.from({ length: 200 }, (_, at) => String(at));
const workflow = Object.fromEntries(nodes.map((id) => [id, { class_type: 'KSampler', inputs: {} }]));

let accepted = 0;
const platform = fakePlatform(({ url }) =>
  url.includes('/history_v2/')
    ? { body: { outputs: { 9: { text: ['done'] } }, status: { status_str: 'success', completed: true } } }
    : { body: { prompt_id: `p${(accepted += 1)}`, number: accepted, node_errors: {} } },
);
const client = createClientOn(platform, {
  baseUrl: 'https://service.example',
  apiKey: 'key-of-the-test',
  ...(bounds === 'without bounds' ? { keptFrames: { jobBytes: 2 ** 40, clientBytes: 2 ** 40 } } : {}),
});

const progressState = (promptId: string): string =>
  JSON.stringify({
    type: 'progress_state',
    data: {
      prompt_id: promptId,
      nodes: Object.fromEntries(
        nodes.map((id) => [
          id,
          {
            node_id: id,
            display_node_id: id,
            parent_node_id: null,
            real_node_id: id,
            prompt_id: promptId,
            state: 'running',
            value: 1,
            max: 20,
          },
        ]),
      ),
    },
  });

const submitting = Promise.all(
  Array.from({ length: Number(count) }, () => toPromise(client.submit(workflow))),
);
platform.sockets[0]?.open();
const jobs = await submitting;
for (const { promptId } of jobs) {
  const message = progressState(promptId);
  for (let times = 0; times < 400; times += 1) platform.sockets[0]?.receive(message);
  platform.sockets[0]?.receive({ type: 'execution_success', data: { prompt_id: promptId, timestamp: 1 } });
  await platform.clock.advance(0);
}
const ending = Promise.all(jobs.map((job) => job.outputs()));
// What confirms the ends keeps to the client's request budget.
await platform.clock.advance(60_000);
const ends = await ending;
process.stdout.write(`${ends.filter(({ _tag }) => _tag === 'Right').length} of ${jobs.length} completed\n`);
await client.close();
