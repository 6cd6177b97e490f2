// Many pictures: as many at once as the plan allows. Each end is told, and a failure stops no other job.
import { createClient, isTerminal } from 'promptwire';
import { filter } from 'rxjs';
import { openService } from './service.js';
import { template } from 'promptwire/workflow';
import { workflow } from './workflow.js';

const made = template(workflow, { prompt: 'Prompt.text', seed: 'Sampler.seed' });
if (made._tag === 'Left') throw made.left;
const fill = made.right;

const workflows = [1, 2, 3, 4, 5, 6].map((seed) => {
  const filled = fill({ prompt: 'hills in the morning', seed });
  if (filled._tag === 'Left') throw filled.left;
  return filled.right;
});

const service = await openService();
const client = createClient(service);
await client
  .runAll(workflows, { tier: 'creator' })
  .pipe(filter(({ state }) => isTerminal(state.phase)))
  .forEach(({ index, state }) => console.log(`picture ${index + 1}: ${state.phase}`));

await client.close();
await service.close();
