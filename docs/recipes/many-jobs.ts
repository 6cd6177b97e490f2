// A batch: twelve seeds, as many at once as the plan allows. Each end is logged, and a failure stops no other job.
import { isTerminal } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { filter, lastValueFrom, tap, toArray } from 'rxjs';
import { connect } from './service.js';

const { client, close } = await connect();

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);
const workflows = seeds.map((seed) =>
  textToImageWorkflow({ prompt: 'hills', seed, steps: 3, width: 64, height: 64 }),
);

const finished = await lastValueFrom(
  client.runAll(workflows, { tier: 'creator' }).pipe(
    filter(({ state }) => isTerminal(state.phase)),
    tap(({ index, state }) => console.log(`seed ${seeds[index] ?? '?'}: ${state.phase}`)),
    toArray(),
  ),
);
console.log(`${finished.length} jobs`);
await close();
